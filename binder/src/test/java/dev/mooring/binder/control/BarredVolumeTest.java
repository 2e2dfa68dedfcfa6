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
        return BinderObjects.annotated(volume, Annotations.RECLAIMING, BinderObjects.OTHER_UID);
    }

    private static Optional<String> uid(Cluster cluster) {
        return cluster.volume("pv").spec().claimRef().map(ObjectReference::uid);
    }

    @Test
    void aVolumeThatIsBeingReclaimedIsNotAdoptedBeforeTheEnd() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.boundTo("pv"), reclaimed(BinderObjects.volume("pv", "1Gi")))
                .settle();
        assertThat(uid(cluster)).isEmpty();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);

        cluster.editVolume("pv", v -> v.withMetadata(v.metadata().withoutAnnotation(Annotations.RECLAIMING)))
                .settle();
        assertThat(uid(cluster)).contains(BinderObjects.UID);
    }

    @Test
    void whatIsKeptForItIsNotTakenBeforeTheEnd() {
        Cluster cluster = new Cluster()
                .load(
                        BinderObjects.boundTo("pv"),
                        reclaimed(BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", "")))
                .settle();
        assertThat(uid(cluster)).contains("");
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void whatIsAnothersIsLost() {
        Cluster cluster = new Cluster()
                .load(
                        BinderObjects.boundTo("pv"),
                        reclaimed(BinderObjects.claimedBy(
                                BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.OTHER_UID)))
                .settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
    }
}
