// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.binder.index.Fixtures.attributes;
import static dev.mooring.binder.index.Fixtures.claim;
import static dev.mooring.binder.index.Fixtures.claimedBy;
import static dev.mooring.binder.index.Fixtures.deleting;
import static dev.mooring.binder.index.Fixtures.labels;
import static dev.mooring.binder.index.Fixtures.mode;
import static dev.mooring.binder.index.Fixtures.modes;
import static dev.mooring.binder.index.Fixtures.nameOf;
import static dev.mooring.binder.index.Fixtures.ofClass;
import static dev.mooring.binder.index.Fixtures.phase;
import static dev.mooring.binder.index.Fixtures.selector;
import static dev.mooring.binder.index.Fixtures.volume;
import static dev.mooring.storage.model.AccessMode.READ_WRITE_MANY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the index answers after volumes have come, changed and gone, and while they are reserved. */
class VolumeIndexChangesTest {
    private static final PersistentVolumeClaim CLAIM = claim("c");

    @Test
    void aReservedVolumeIsNotFreeUntilReleased() {
        VolumeIndex index = new VolumeIndex();
        index.put(volume("pv-1"));

        assertThat(index.reserve("pv-1", "uid-c")).isTrue();
        assertThat(index.reserve("pv-1", "uid-c")).isTrue();
        assertThat(index.reserve("pv-1", "uid-other")).isFalse();
        index.put(labels(volume("pv-1"), Map.of("zone", "a")));
        assertThat(index.isFree("pv-1")).isFalse();
        assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).isEmpty();

        assertThat(index.release("pv-1")).isTrue();
        assertThat(index.release("pv-1")).isFalse();
        assertThat(index.isFree("pv-1")).isTrue();
        assertThat(nameOf(index.findBestMatch(CLAIM, MatchOptions.DEFAULT))).isEqualTo("pv-1");
    }

    @Test
    void aVolumeThatIsNoLongerFreeIsNoLongerFound() {
        VolumeIndex index = new VolumeIndex();
        for (PersistentVolume changed : List.of(
                phase(volume("pv-1"), PersistentVolumePhase.RELEASED),
                deleting(volume("pv-1")),
                claimedBy(volume("pv-1"), "other", ""))) {
            index.put(volume("pv-1"));
            assertThat(nameOf(index.findBestMatch(CLAIM, MatchOptions.DEFAULT))).isEqualTo("pv-1");

            index.put(changed);
            assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).isEmpty();
            assertThat(index.freeCount()).isZero();
        }
    }

    @Test
    void aNewerVersionOfAVolumeIsTheOneThatIsFound() {
        VolumeIndex index = new VolumeIndex();
        Map<String, String> zone = Map.of("zone", "a");
        PersistentVolumeClaim zoned = claim("c", spec -> spec.withSelector(selector(zone)));
        for (int i = 0; i <= FreeGroup.WORTH_POSTINGS; i++) {
            index.put(labels(volume("pv-" + i), zone));
        }
        PersistentVolume noted = noted(labels(volume("pv-0"), zone), "before lists are made");
        index.put(noted);
        assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).contains(noted);
        assertThat(index.findBestMatch(zoned, MatchOptions.DEFAULT)).contains(noted);

        PersistentVolume newer = noted(labels(volume("pv-0"), zone), "behind that");
        index.put(newer);
        assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).contains(newer);
        assertThat(index.findBestMatch(zoned, MatchOptions.DEFAULT)).contains(newer);
        assertThat(index.byName("pv-0")).contains(newer);

        index.put(labels(newer, Map.of()));
        assertThat(nameOf(index.findBestMatch(zoned, MatchOptions.DEFAULT))).isEqualTo("pv-1");
        index.check();
        for (int i = 0; i <= FreeGroup.WORTH_POSTINGS; i++) {
            index.remove("pv-" + i);
        }
        index.check();
    }

    @Test
    void aVolumeThatGoesLeavesTheOthersAndNothingElse() {
        List<PersistentVolume> kinds = List.of(
                volume("pv-1"),
                modes(volume("pv-2"), READ_WRITE_MANY),
                mode(volume("pv-3"), VolumeMode.BLOCK),
                attributes(volume("pv-4"), "gold"),
                ofClass(volume("pv-5"), "slow"));
        for (PersistentVolume gone : kinds) {
            VolumeIndex index = new VolumeIndex();
            kinds.forEach(index::put);
            assertThat(index.size()).isEqualTo(5);
            assertThat(index.freeCount()).isEqualTo(5);

            index.remove(gone.metadata().name());
            index.check();
            assertThat(index.size()).isEqualTo(4);
            assertThat(index.freeCount()).isEqualTo(4);
            for (PersistentVolume kept : kinds) {
                assertThat(index.exclusions(CLAIM).stream()
                                .map(Exclusion::volume)
                                .anyMatch(kept::equals))
                        .isEqualTo(!kept.equals(gone));
            }
            kinds.forEach(volume -> index.remove(volume.metadata().name()));
            index.check();
            assertThat(index.summary(CLAIM).excluded()).isEmpty();
        }
    }

    @Test
    void aReservationOutlivesTheVolume() {
        VolumeIndex index = new VolumeIndex();
        index.put(volume("pv-1"));
        index.reserve("pv-1", "uid-c");

        assertThat(index.remove("pv-1")).isTrue();
        assertThat(index.remove("pv-1")).isFalse();
        index.put(volume("pv-1"));

        assertThat(index.reservedFor("pv-1")).contains("uid-c");
        assertThat(index.freeCount()).isZero();
    }

    @Test
    void aVolumeForTheClaimIsFoundByTheHolderOfItsReservationOnly() {
        VolumeIndex index = new VolumeIndex();
        index.put(claimedBy(volume("pv-1"), "c", ""));

        index.reserve("pv-1", "uid-c");
        assertThat(nameOf(index.findBestMatch(CLAIM, MatchOptions.DEFAULT))).isEqualTo("pv-1");

        index.release("pv-1");
        index.reserve("pv-1", "uid-before");
        assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).isEmpty();
    }

    @Test
    void claimedByShowsEveryVolumeThatNamesTheClaimByName() {
        VolumeIndex index = new VolumeIndex();
        index.put(phase(claimedBy(volume("pv-2"), "c", "uid-old"), PersistentVolumePhase.RELEASED));
        index.put(claimedBy(volume("pv-1"), "c", ""));
        index.put(claimedBy(volume("pv-3"), "other", ""));

        assertThat(index.claimedBy("ns", "c"))
                .extracting(volume -> volume.metadata().name())
                .containsExactly("pv-1", "pv-2");

        index.put(volume("pv-2"));
        assertThat(index.claimedBy("ns", "c"))
                .extracting(volume -> volume.metadata().name())
                .containsExactly("pv-1");
        assertThat(index.claimedBy("elsewhere", "c")).isEmpty();
    }

    @Test
    void aVolumeThatIsNoLongerForAClaimLeavesItTheOthers() {
        VolumeIndex index = new VolumeIndex();
        List<PersistentVolume> volumes = List.of(
                claimedBy(volume("pv-1"), "c", ""),
                claimedBy(volume("pv-2"), "c", ""),
                claimedBy(volume("pv-3"), "c", "uid-c"),
                claimedBy(volume("pv-4"), "other", ""));
        volumes.forEach(index::put);

        index.remove("pv-1");
        assertThat(index.claimedBy("ns", "c")).containsExactly(volumes.get(1), volumes.get(2));
        index.remove("pv-3");
        assertThat(index.claimedBy("ns", "c")).containsExactly(volumes.get(1));
        index.remove("pv-2");
        assertThat(index.claimedBy("ns", "c")).isEmpty();
        assertThat(index.claimedBy("ns", "other")).containsExactly(volumes.get(3));
    }

    private static PersistentVolume noted(PersistentVolume volume, String text) {
        return volume.withMetadata(volume.metadata().withAnnotation("example.com/note", text));
    }
}
