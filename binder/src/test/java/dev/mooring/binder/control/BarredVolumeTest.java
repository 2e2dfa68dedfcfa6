// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A claim that was bound once, and whose volume's storage is being reclaimed (D6): it waits if the volume would be its own again. */
class BarredVolumeTest {
    private static PersistentVolume reclaimed(PersistentVolume volume) {
        return Objects.annotated(volume, Annotations.RECLAIMING, Objects.OTHER_UID);
    }

    private static Optional<String> uid(Cluster cluster) {
        return cluster.volume("pv").spec().claimRef().map(ObjectReference::uid);
    }

    @Test
    void aVolumeThatIsBeingReclaimedIsNotAdoptedBeforeTheEnd() {
        Cluster cluster = new Cluster()
                .load(Objects.boundTo("pv"), reclaimed(Objects.volume("pv", "1Gi")))
                .settle();
        assertThat(uid(cluster)).isEmpty();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);

        cluster.editVolume("pv", v -> v.withMetadata(v.metadata().withoutAnnotation(Annotations.RECLAIMING)))
                .settle();
        assertThat(uid(cluster)).contains(Objects.UID);
    }

    @Test
    void whatIsKeptForItIsNotTakenBeforeTheEnd() {
        Cluster cluster = new Cluster()
                .load(Objects.boundTo("pv"), reclaimed(Objects.claimedBy(Objects.volume("pv", "1Gi"), "data", "")))
                .settle();
        assertThat(uid(cluster)).contains("");
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void whatIsAnothersIsLost() {
        Cluster cluster = new Cluster()
                .load(
                        Objects.boundTo("pv"),
                        reclaimed(Objects.claimedBy(Objects.volume("pv", "1Gi"), "data", Objects.OTHER_UID)))
                .settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
    }
}
