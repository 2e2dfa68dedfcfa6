// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people are told about a claim: the words, and that they hear them once however often it is decided. */
class ToldOnceTest {
    private static PersistentVolume gold(PersistentVolume volume) {
        return volume.withSpec(volume.spec().withStorageClassName(Optional.of("gold")));
    }

    private static Cluster touched(Cluster cluster) {
        for (int i = 0; i < 3; i++) {
            String value = "v" + i;
            cluster.editClaim("data", c -> c.withMetadata(c.metadata().withAnnotation("example.com/touched", value)))
                    .settle();
        }
        return cluster;
    }

    @Test
    void aVolumeThatIsAnothersAlthoughWeChoseIt() {
        PersistentVolumeClaim named = BinderObjects.annotated(
                BinderObjects.naming(BinderObjects.data(), "pv"), Annotations.BOUND_BY_CONTROLLER, "yes");
        Cluster cluster = new Cluster()
                .load(named, BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "other", ""))
                .settle();
        assertThat(cluster.told("FailedBinding")).isEqualTo(1);
        assertThat(touched(cluster).told("FailedBinding")).isEqualTo(1);
    }

    @Test
    void aVolumeThatIsBoundAsRequestedAlthoughItDoesNotFit() {
        for (boolean byName : new boolean[] {true, false}) {
            PersistentVolumeClaim claim =
                    byName ? BinderObjects.naming(BinderObjects.data(), "pv") : BinderObjects.data();
            Cluster cluster = new Cluster();
            int[] refusals = {4};
            cluster.refused = write -> write.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM) && refusals[0]-- > 0;
            cluster.load(claim, gold(BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", "")));
            cluster.advance(Duration.ofMinutes(10));
            assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
            assertThat(cluster.told("VolumeMismatch")).as("by name: %s", byName).isEqualTo(1);
        }
    }

    @Test
    void aVolumeThatIsBoundAsRequestedAlthoughItIsBeingDeletedIsNamedOnce() {
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", "");
        Cluster cluster = new Cluster()
                .load(volume.withMetadata(volume.metadata().withFinalizer("example.com/hold")))
                .settle();
        cluster.store
                .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.load(BinderObjects.naming(BinderObjects.data(), "pv")).settle();
        assertThat(cluster.news)
                .extracting(Announcement::message)
                .contains("Volume \"pv\" is bound as requested, although it is marked for deletion");
    }

    /** A person, or a tool that copies manifests, has taken the annotation away. */
    @Test
    void aBoundClaimThatIsNotMarkedAsBoundAnyMoreIsBoundAgainWithoutAWord() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.data(), BinderObjects.volume("pv", "1Gi"))
                .settle();
        cluster.editVolume("pv", volume -> gold(volume)).settle();
        cluster.editClaim(
                        "data",
                        claim -> claim.withMetadata(claim.metadata().withoutAnnotation(Annotations.BIND_COMPLETED)))
                .settle();
        assertThat(cluster.claim("data").metadata().annotation(Annotations.BIND_COMPLETED))
                .isPresent();
        assertThat(cluster.news).isEmpty();
    }

    @Test
    void aVolumeThatIsReclaimedIsStillItsOwnersAlone() {
        PersistentVolumeClaim named = BinderObjects.naming(BinderObjects.data(), "pv");
        for (String uid : new String[] {BinderObjects.UID, ""}) {
            Cluster cluster = new Cluster()
                    .load(
                            named,
                            BinderObjects.annotated(
                                    BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", uid),
                                    Annotations.RECLAIMING,
                                    BinderObjects.OTHER_UID))
                    .settle();
            assertThat(cluster.claim("data").status().phase())
                    .isEqualTo(uid.isEmpty() ? ClaimPhase.PENDING : ClaimPhase.BOUND);
            assertThat(cluster.told("VolumeMismatch")).isEqualTo(1);
        }
    }

    @Test
    void theConsumersThatAreWaitedForByName() {
        Cluster cluster = new Cluster()
                .load(
                        BinderObjects.storageClass(
                                "late", "vendor.example.com/disk", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        BinderObjects.ofClass(BinderObjects.data(), "late"),
                        BinderObjects.pod("web", "", "data"))
                .settle();
        assertThat(cluster.news)
                .extracting(Announcement::message)
                .containsExactly("waiting for pod web to be scheduled");

        cluster.load(BinderObjects.pod("api", "", "data")).settle();
        touched(cluster);
        assertThat(cluster.news)
                .extracting(Announcement::message)
                .containsExactly("waiting for pod web to be scheduled", "waiting for pods api,web to be scheduled");
    }
}
