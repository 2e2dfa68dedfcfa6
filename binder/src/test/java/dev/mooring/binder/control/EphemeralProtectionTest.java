// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which pod holds the claim of an ephemeral volume: its own, while that may still run (semantics/binder §3.1, PP3). */
class EphemeralProtectionTest {
    private static final String POD_UID = "00000000-0000-4000-8000-0000000000aa";

    private static final VolumeSource EPHEMERAL =
            new VolumeSource("ephemeral", Document.of(Map.of("volumeClaimTemplate", Map.of("spec", Map.of()))));
    private static final VolumeSource ANOTHER_CLAIM =
            new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "another")));

    private static Pod pod() {
        return pod(EPHEMERAL);
    }

    private static Pod pod(VolumeSource source) {
        Pod pod = Pod.of(
                "default",
                "web",
                PodSpec.EMPTY.withNodeName("n1").withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
        return pod.withMetadata(pod.metadata().withUid(POD_UID).withFinalizer("example.com/held"));
    }

    private static boolean isHeldBy(Pod pod, String ownerUid) {
        PersistentVolumeClaim claim = BinderObjects.claim("web-v", "1Gi");
        OwnerReference owner = new OwnerReference("v1", "Pod", "web", ownerUid, true, true);
        Cluster cluster = new Cluster()
                .load(claim.withMetadata(claim.metadata().withOwnerReferences(List.of(owner))), pod)
                .settle();
        cluster.deleteClaim("web-v").settle();
        return cluster.findClaim("web-v").isPresent();
    }

    private static Pod deleting(long graceSeconds) {
        Pod pod = pod();
        return pod.withMetadata(pod.metadata()
                .withDeletionTimestamp(Optional.of(Instant.EPOCH))
                .withDeletionGracePeriodSeconds(Optional.of(graceSeconds)));
    }

    @Test
    void itsOwnPodHoldsIt() {
        assertThat(isHeldBy(pod(), POD_UID)).isTrue();
        assertThat(isHeldBy(deleting(30), POD_UID)).isTrue();
    }

    @Test
    void aPodThatIsNotItsOwnerDoesNot() {
        assertThat(isHeldBy(pod(), BinderObjects.OTHER_UID)).isFalse();
    }

    @Test
    void aPodThatIsNotItsOwnerDoesNotAlthoughItUsesAnotherClaim() {
        Pod pod = pod();
        List<PodVolume> volumes =
                List.of(new PodVolume("v", Optional.of(EPHEMERAL)), new PodVolume("other", Optional.of(ANOTHER_CLAIM)));
        assertThat(isHeldBy(pod.withSpec(pod.spec().withVolumes(volumes)), BinderObjects.OTHER_UID))
                .isFalse();
    }

    @Test
    void aPodThatOwnsItAndDoesNotUseItDoesNot() {
        assertThat(isHeldBy(pod(ANOTHER_CLAIM), POD_UID)).isFalse();
    }

    @Test
    void aPodThatIsShutDownDoesNot() {
        assertThat(isHeldBy(deleting(0), POD_UID)).isFalse();
    }
}
