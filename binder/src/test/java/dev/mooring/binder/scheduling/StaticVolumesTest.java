// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How much is looked at, and what binds under way keep. */
class StaticVolumesTest {
    private static final ObjectKey POD = ObjectKey.of("default", "p");
    private static final ObjectKey OTHER = ObjectKey.of("default", "q");

    private final StaticVolumes volumes = new StaticVolumes(SchedulingOptions.DEFAULT);
    private final PersistentVolumeClaim claim = SchedulingObjects.uid(SchedulingObjects.claim("c", "3Gi"), "u");

    private Optional<String> match(PersistentVolumeClaim wanted, String node) {
        return volumes.match(wanted, Map.of(SchedulingObjects.HOST, node), Set.of())
                .volume()
                .map(volume -> volume.metadata().name());
    }

    @Test
    void aNodeLooksAtItsOwnVolumesOnly() {
        int nodes = 500;
        for (int node = 0; node < nodes; node++) {
            for (int i = 0; i < 10; i++) {
                volumes.put(SchedulingObjects.on(
                        SchedulingObjects.volume("pv-" + node + "-" + i, (i + 1) + "Gi"), "n" + node));
            }
        }
        for (int node = 0; node < nodes; node++) {
            assertThat(match(claim, "n" + node)).contains("pv-" + node + "-2");
        }
        assertThat(match(claim, "elsewhere")).isEmpty();
        assertThat(volumes.probes()).isEqualTo(nodes); // one each, of 5,000
    }

    @Test
    void whatOneBindKeepsNoOtherClaimGets() {
        volumes.put(SchedulingObjects.on(SchedulingObjects.volume("v", "3Gi"), "n"));
        PersistentVolumeClaim other = SchedulingObjects.uid(SchedulingObjects.claim("d", "1Gi"), "w");
        volumes.reserve("v", ObjectKey.of(claim), "u", POD);
        assertThat(match(other, "n")).isEmpty();
        assertThat(match(claim, "n")).contains("v");
        assertThat(volumes.isObtainable("v", other)).isFalse();
        assertThat(volumes.isObtainable("v", claim)).isTrue();
        assertThatThrownBy(() -> volumes.reserve("v", ObjectKey.of(other), "w", OTHER))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void twoPodsOfOneClaimKeepItTogether() {
        volumes.put(SchedulingObjects.on(SchedulingObjects.volume("v", "3Gi"), "n"));
        PersistentVolumeClaim other = SchedulingObjects.uid(SchedulingObjects.claim("d", "1Gi"), "w");
        volumes.reserve("v", ObjectKey.of(claim), "u", POD);
        volumes.reserve("v", ObjectKey.of(claim), "u", OTHER);
        volumes.release("v", POD);
        assertThat(match(other, "n")).isEmpty();
        assertThat(volumes.reserved()).containsExactly("v");
        volumes.release("v", OTHER);
        assertThat(match(other, "n")).contains("v");
        assertThat(volumes.reserved()).isEmpty();
    }

    @Test
    void aVolumeThatGoesOrChangesIsFoundAsItIsNow() {
        volumes.put(SchedulingObjects.volume("v", "3Gi"));
        volumes.put(SchedulingObjects.volume("v", "1Gi"));
        assertThat(match(claim, "n")).as("too small now").isEmpty();
        volumes.put(SchedulingObjects.volume("v", "4Gi"));
        assertThat(match(claim, "n")).contains("v");
        volumes.remove("v");
        assertThat(match(claim, "n")).isEmpty();
    }

    @Test
    void aKeptVolumeMayGoAndComeBack() {
        volumes.put(SchedulingObjects.volume("v", "3Gi"));
        volumes.reserve("v", ObjectKey.of(claim), "u", POD);
        volumes.remove("v");
        assertThat(match(claim, "n")).isEmpty();
        volumes.put(SchedulingObjects.volume("v", "4Gi"));
        assertThat(match(claim, "n")).contains("v");
        assertThat(match(SchedulingObjects.uid(SchedulingObjects.claim("d", "1Gi"), "w"), "n"))
                .isEmpty();
    }

    @Test
    void aVolumeIsKeptForTheClaimThatABindWillGiveItTo() {
        volumes.put(SchedulingObjects.volume("v", "3Gi"));
        volumes.put(SchedulingObjects.claimedBy(SchedulingObjects.volume("a", "3Gi"), claim));
        assertThat(volumes.keptFor(claim)).as("a volume that is the claim's").isEmpty();
        volumes.reserve("v", ObjectKey.of(claim), "u", POD);
        assertThat(volumes.keptFor(claim)).contains("v");
        assertThat(volumes.keptFor(SchedulingObjects.uid(claim, "next"))).isEmpty();
        volumes.release("v", POD);
        assertThat(volumes.keptFor(claim)).isEmpty();
    }

    @Test
    void aClaimHasAVolumeOnlyIfThatIsForItselfAndNotForAFormerOneOfItsName() {
        assertThat(volumes.hasVolumeFor(claim)).isFalse();
        volumes.put(SchedulingObjects.claimedBy(
                SchedulingObjects.volume("v", "3Gi"), SchedulingObjects.uid(claim, "former")));
        assertThat(volumes.hasVolumeFor(claim)).isFalse();
        volumes.put(
                SchedulingObjects.claimedBy(SchedulingObjects.volume("v", "3Gi"), SchedulingObjects.uid(claim, "")));
        assertThat(volumes.hasVolumeFor(claim)).isTrue();
        volumes.remove("v");
        assertThat(volumes.hasVolumeFor(claim)).isFalse();
    }

    @Test
    void whatHasGoneLeavesNothingBehind() {
        volumes.put(SchedulingObjects.volume("free", "3Gi"));
        volumes.put(SchedulingObjects.claimedBy(SchedulingObjects.volume("claimed", "3Gi"), claim));
        volumes.put(SchedulingObjects.claimedBy(
                SchedulingObjects.volume("claimed", "3Gi"), SchedulingObjects.claim("d", "1Gi")));
        volumes.put(SchedulingObjects.volume("kept", "3Gi"));
        volumes.reserve("free", ObjectKey.of(claim), "u", POD);
        volumes.reserve("kept", ObjectKey.of("default", "e"), "w", OTHER);
        assertThat(volumes.isEmpty()).isFalse();
        volumes.release("free", POD);
        volumes.remove("free");
        volumes.remove("claimed");
        volumes.remove("kept");
        assertThat(volumes.isEmpty()).as("a bind keeps one that has gone").isFalse();
        volumes.release("kept", OTHER);
        assertThat(volumes.isEmpty()).isTrue();
    }
}
