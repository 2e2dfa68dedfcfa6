// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.podVolume;
import static dev.mooring.binder.scheduling.SchedulingObjects.withVolumes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where pods are, or are going to be, and which claims they use. */
class PlacedPodsTest {
    private static final ObjectKey CLAIM = key("c");

    private final PlacedPods pods = new PlacedPods();

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    /** Shows a pod as it is now; whether it left a node. */
    private boolean show(Pod pod) {
        return pods.update(ObjectKey.of(pod), Optional.of(pod));
    }

    private List<String> on(String node) {
        return pods.on(node).stream().map(pod -> pod.metadata().name()).toList();
    }

    @Test
    void aPodCountsWhereItIsUntilItEnds() {
        assertThat(show(at(pod("p", "c"), "n1"))).isFalse();
        show(at(pod("q", "c"), "n1"));
        assertThat(on("n1")).containsExactly("p", "q");
        assertThat(pods.usersOf(CLAIM)).containsExactly(key("p"), key("q"));
        Pod p = at(pod("p", "c"), "n1");
        assertThat(show(p.withMetadata(p.metadata().withUid("next"))))
                .as("it is where it was")
                .isFalse();
        assertThat(show(p.withStatus(p.status().withPhase(PodPhase.SUCCEEDED)))).isTrue();
        assertThat(on("n1")).containsExactly("q");
        assertThat(pods.usersOf(CLAIM)).containsExactly(key("q"));
        assertThat(pods.update(key("q"), Optional.empty())).isTrue();
        assertThat(on("n1")).isEmpty();
        assertThat(pods.usersOf(CLAIM)).isEmpty();
    }

    @Test
    void aPodThatChangesItsClaimsUsesTheOldOnesNoMore() {
        show(pod("p", "c"));
        show(pod("p", "d"));
        assertThat(pods.usersOf(CLAIM)).isEmpty();
        assertThat(pods.usersOf(key("d"))).containsExactly(key("p"));
    }

    @Test
    void aPodOnItsWayCountsWhereItGoes() {
        show(pod("p", "c"));
        show(pod("q"));
        pods.assume(key("p"), "n1");
        pods.assume(key("q"), "n1");
        assertThat(on("n1")).containsExactly("p", "q");
        pods.assume(key("p"), "n2");
        assertThat(on("n1")).containsExactly("q");
        assertThat(on("n2")).containsExactly("p");
        pods.forgetAssumed(key("p"));
        assertThat(on("n2")).isEmpty();
        assertThat(pods.usersOf(CLAIM)).as("it lives").containsExactly(key("p"));
    }

    @Test
    void aPodThatIsNotKnownYetIsOnItsWayOnceItIs() {
        pods.assume(key("p"), "n1");
        assertThat(on("n1")).isEmpty();
        show(pod("p"));
        assertThat(on("n1")).containsExactly("p");
    }

    @Test
    void aPodThatArrivesCountsOnce() {
        show(pod("p"));
        pods.assume(key("p"), "n1");
        assertThat(show(at(pod("p"), "n1"))).isFalse();
        pods.forgetAssumed(key("p"));
        assertThat(on("n1")).containsExactly("p");
        assertThat(pods.get(key("p"))).isPresent();
        assertThat(pods.get(key("q"))).isEmpty();
    }

    @Test
    void onlyAnotherPodThatIsSomewhereAndNamesTheClaimUsesIt() {
        show(at(pod("p", "c"), "n1"));
        show(pod("waiting", "c"));
        show(at(pod("other", "d"), "n1"));
        assertThat(pods.isUsedByOther(CLAIM, key("p"))).isFalse();
        assertThat(pods.isUsedByOther(CLAIM, key("q"))).isTrue();
    }

    @Test
    void anEphemeralVolumeDoesNotNameItsClaim() {
        Pod pod =
                withVolumes("p", List.of(podVolume("v", new VolumeSource("ephemeral", Document.empty())), named("d")));
        show(at(pod, "n1"));
        assertThat(pods.usersOf(key("p-v"))).containsExactly(key("p"));
        assertThat(pods.isUsedByOther(key("p-v"), key("q"))).isFalse();
        assertThat(pods.isUsedByOther(key("d"), key("q"))).isTrue();
    }

    private static PodVolume named(String claim) {
        return podVolume("named", new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim))));
    }
}
