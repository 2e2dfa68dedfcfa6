// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.binder.index.Fixtures.claim;
import static dev.mooring.binder.index.Fixtures.claimedBy;
import static dev.mooring.binder.index.Fixtures.expression;
import static dev.mooring.binder.index.Fixtures.mode;
import static dev.mooring.binder.index.Fixtures.ofClass;
import static dev.mooring.binder.index.Fixtures.selector;
import static dev.mooring.binder.index.Fixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the index says of the volumes that a claim cannot have. */
class ExclusionsTest {
    private static final PersistentVolumeClaim CLAIM = claim("c");

    @Test
    void exclusionsNameTheRulesVolumeByVolume() {
        VolumeIndex index = new VolumeIndex();
        index.put(claimedBy(volume("pv-3"), "other", ""));
        index.put(volume("pv-1"));
        index.put(volume("pv-2", "1Gi"));
        index.put(volume("pv-4"));
        index.reserve("pv-4", "uid-other");

        assertThat(index.exclusions(CLAIM))
                .containsExactly(
                        new Exclusion(volume("pv-1"), List.of()),
                        new Exclusion(volume("pv-2", "1Gi"), List.of(MatchRule.TOO_SMALL)),
                        new Exclusion(claimedBy(volume("pv-3"), "other", ""), List.of(MatchRule.CLAIMED)),
                        new Exclusion(volume("pv-4"), List.of(MatchRule.CLAIMED)));
        PersistentVolumeClaim invalid =
                claim("c", spec -> spec.withSelector(selector(Map.of(), expression("zone", "Near", "a"))));
        assertThatThrownBy(() -> index.exclusions(invalid)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSummaryCountsBlockVolumesAndShowsTheNearestInOrderOfTheirNames() {
        VolumeIndex index = new VolumeIndex();
        index.put(mode(volume("pv-block"), VolumeMode.BLOCK));
        for (int i = 1; i <= 8; i++) {
            index.put(ofClass(volume("pv-" + i), "class-" + (9 - i)));
        }

        FreeSummary summary = index.summary(CLAIM);
        assertThat(summary.excluded()).isEqualTo(Map.of(MatchRule.VOLUME_MODE, 1, MatchRule.STORAGE_CLASS, 8));
        assertThat(summary.nearest())
                .extracting(near -> near.volume().metadata().name())
                .containsExactly("pv-block", "pv-1", "pv-2");
    }

    @Test
    void aSummaryIsOfTheClaimThatIsAskedAbout() {
        VolumeIndex index = new VolumeIndex();
        index.put(volume("pv-1", "1Gi"));
        index.findBestMatch(CLAIM, MatchOptions.DEFAULT);
        assertThat(index.summary(CLAIM).excluded()).isEqualTo(Map.of(MatchRule.TOO_SMALL, 1));

        PersistentVolumeClaim slow = claim("c", spec -> spec.withStorageClassName(Optional.of("slow")));
        assertThat(index.summary(slow).excluded()).isEqualTo(Map.of(MatchRule.STORAGE_CLASS, 1));
        assertThat(index.summary(slow).volumes()).isEqualTo(1);
        assertThat(index.summary(slow).free()).isEqualTo(1);
    }
}
