// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.Letters;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Key;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSchedulingGate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which pods the small scheduler decides about, in what order, and what ends their back-off. */
class SchedulerWakesTest {
    private static final Pod P = pod("p");

    private final Controller scheduler = VolumeScheduling.scheduler(SchedulingOptions.DEFAULT);

    private List<String> letters(Optional<Pod> before, Optional<Pod> after, Origin origin) {
        return Letters.of(scheduler, Kinds.POD, before, after, origin);
    }

    static Stream<Arguments> pods() {
        return Stream.of(
                row("without a scheduler's name", true, pod -> pod),
                row("of the default scheduler", true, pod -> ofScheduler(pod, "default-scheduler")),
                row("of another scheduler", false, pod -> ofScheduler(pod, "batch")),
                row("on a node", false, pod -> at(pod, "n1")),
                row("with a gate", false, SchedulerWakesTest::gated),
                row(
                        "being deleted",
                        false,
                        pod -> pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)))),
                row("that has failed", false, pod -> pod.withStatus(pod.status().withPhase(PodPhase.FAILED))));
    }

    private static Arguments row(String what, boolean ours, UnaryOperator<Pod> edit) {
        return Arguments.of(what, ours, edit.apply(P));
    }

    private static Pod ofScheduler(Pod pod, String name) {
        return pod.withSpec(pod.spec().withSchedulerName(name));
    }

    private static Pod gated(Pod pod) {
        return pod.withSpec(pod.spec().withSchedulingGates(List.of(new PodSchedulingGate("example.com/quota"))));
    }

    @ParameterizedTest(name = "a pod {0}: {1}")
    @MethodSource("pods")
    void decidesAboutPodsThatWaitForIt(String what, boolean ours, Pod pod) {
        assertThat(letters(Optional.empty(), Optional.of(pod), Origin.WATCH))
                .as(what)
                .isEqualTo(ours ? List.of("changed p") : List.of());
        assertThat(letters(Optional.of(P), Optional.of(pod), Origin.WATCH))
                .as("it was one that waits for it")
                .containsExactly("changed p");
        assertThat(letters(Optional.of(P), Optional.empty(), Origin.WATCH)).containsExactly("changed p");
    }

    @Test
    void anOwnWriteEndsNoBackOff() {
        assertThat(letters(Optional.of(P), Optional.of(gated(P)), Origin.OWN_WRITE))
                .containsExactly("recheck p");
        assertThat(letters(Optional.of(P), Optional.of(gated(P)), Origin.READ)).containsExactly("changed p");
    }

    private static Pod created(String name, long second) {
        Pod pod = pod(name);
        return pod.withMetadata(pod.metadata().withCreationTimestamp(Optional.of(Instant.ofEpochSecond(second))));
    }

    private static Key key(String pod) {
        return new Key(SchedulerController.POD, ObjectKey.of("default", pod));
    }

    @Test
    void whoCameFirstIsServedFirst() {
        for (Pod pod : List.of(created("a", 2), created("b", 1), created("c", 2))) {
            letters(Optional.empty(), Optional.of(pod), Origin.WATCH);
        }
        assertThat(Stream.of("c", "a", "b")
                        .sorted((one, other) -> scheduler.rank(key(one)).compareTo(scheduler.rank(key(other)))))
                .containsExactly("b", "a", "c");
    }

    @Test
    void theControllersAreCalledWhatTheDocumentationCallsThem() {
        assertThat(scheduler.name()).isEqualTo("scheduler");
        assertThat(new VolumeScheduling(SchedulingOptions.DEFAULT).controller().name())
                .isEqualTo("volume-binding");
    }
}
