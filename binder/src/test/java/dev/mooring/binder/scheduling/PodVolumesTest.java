// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.labelled;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.podVolume;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static dev.mooring.binder.scheduling.SchedulingObjects.withVolumes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a pod's volumes are, before any node is looked at: which pod owns an ephemeral claim, and claims that cannot have a name. */
class PodVolumesTest {
    private static final Node N1 = labelled(node("n1"), SchedulingObjects.ZONE, "a");

    private static List<String> against(Pod pod, KubernetesObject... world) {
        PodFilters filters = new PodFilters(pod, Known.of(world).put(N1, pod).view());
        return filters.fit(N1, filters.plan(N1)).reasons();
    }

    private static OwnerReference owner(String uid, boolean controller) {
        return new OwnerReference("v1", "Pod", "p", uid, controller, true);
    }

    static Stream<Arguments> owners() {
        return Stream.of(
                Arguments.of(List.of(owner("uid-p", true)), true),
                Arguments.of(List.of(owner("other", false), owner("uid-p", true)), true),
                Arguments.of(List.of(owner("uid-p", false)), false),
                Arguments.of(List.of(owner("other", true)), false),
                Arguments.of(List.of(), false));
    }

    @ParameterizedTest
    @MethodSource("owners")
    void anEphemeralClaimIsThePodsThatControlsIt(List<OwnerReference> owners, boolean fits) {
        PersistentVolumeClaim claim = claim("p-scratch", "1Gi");
        VolumeSource ephemeral = new VolumeSource("ephemeral", Document.empty());
        Pod pod = withVolumes("p", List.of(podVolume("scratch", ephemeral)));
        assertThat(against(
                        pod,
                        claim.withMetadata(claim.metadata().withOwnerReferences(owners)),
                        local(),
                        volume("v", "1Gi")))
                .isEqualTo(
                        fits
                                ? List.of()
                                : List.of(
                                        "PVC default/p-scratch was not created for pod default/p (pod is not owner)"));
    }

    @Test
    void aVolumeThatNamesNoClaimFitsNowhere() {
        assertThat(against(pod("p", "")))
                .containsExactly("persistentvolumeclaim \"\" not found", "PersistentVolumeClaim had no name");
    }

    @Test
    void aClaimWithAnEmptyClassIsOfNone() {
        assertThat(against(pod("p", "c"), ofClass(claim("c", "1Gi"), "")))
                .containsExactly(
                        "pod has unbound immediate PersistentVolumeClaims",
                        "PersistentVolumeClaim had no pv name and storageClass name");
    }

    @Test
    void onlyZonesAndRegionsOfAVolumeAreCompared() {
        PersistentVolumeClaim c = bound(claim("c", "1Gi"), "v");
        assertThat(against(pod("p", "c"), c, labelled(volume("v", "1Gi"), "disk", "ssd")))
                .isEmpty();
    }

    @Test
    void aClaimThatAPodNamesTwiceIsOneClaim() {
        assertThat(against(pod("p", "c", "c"), claim("c", "1Gi"), local(), volume("v", "1Gi")))
                .isEmpty();
    }
}
