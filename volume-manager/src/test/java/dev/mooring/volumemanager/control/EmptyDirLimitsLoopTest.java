// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.MeasureCall;
import dev.mooring.volumemanager.directory.EmptyDirVolumes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Empty directories on the disk that hold more than they may (semantics/attach-and-mount §3.2, §3.17). */
class EmptyDirLimitsLoopTest {
    private static final long LIMIT = 1024 * 1024;
    private static final String MESSAGE = "Usage of EmptyDir volume \"cache\" exceeds the limit \"1Mi\".";
    private static final ObjectKey POD = ObjectKey.of("ns", "web");

    private final NodeWorld world = new NodeWorld(new EmptyDirVolumes());
    private long used;
    private Duration took = Duration.ZERO;
    private Duration age = Duration.ZERO;

    private void running(Map<String, Object> emptyDir) {
        running(emptyDir, pod -> pod);
    }

    private void running(Map<String, Object> emptyDir, UnaryOperator<Pod> changed) {
        world.store.put(Kinds.NODE, SmallCluster.node());
        VolumeSource source = new VolumeSource("emptyDir", Document.of(emptyDir));
        world.store.put(Kinds.POD, changed.apply(SmallCluster.pod("web", new PodVolume("cache", Optional.of(source)))));
        world.faults = call -> call instanceof MeasureCall
                ? Optional.of(Outcome.done(
                        new MeasureCall.Answer(used, world.time().wall().minus(age), took)))
                : Optional.empty();
        world.run(1);
    }

    private PodStatus status() {
        return world.store.get(Kinds.POD, POD).orElseThrow().status();
    }

    private long measured() {
        return world.calls.stream().filter(call -> call.startsWith("measure")).count();
    }

    @Test
    void aPodWhoseDirectoryHoldsMoreThanItMayIsEvicted() {
        running(Map.of("sizeLimit", "1Mi"));
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
        used = LIMIT + 1;
        world.run(120);

        assertThat(status().phase()).isEqualTo(PodPhase.FAILED);
        assertThat(status().reason()).isEqualTo("Evicted");
        assertThat(status().message()).isEqualTo(MESSAGE);
        assertThat(Conditions.statusOf(status().conditions(), "DisruptionTarget"))
                .as("Kubernetes does not write it here")
                .isEmpty();
        assertThat(Conditions.statusOf(status().conditions(), "Ready")).contains(ConditionStatus.FALSE);
        assertThat(world.eventReasons()).containsOnlyOnce("Evicted: " + MESSAGE);
        assertThat(world.calls).anyMatch(call -> call.startsWith("unpublish"));

        long before = measured();
        world.run();
        assertThat(measured()).as("what has ended is not measured").isEqualTo(before);
    }

    @Test
    void aDirectoryThatIsJustFullIsMeasuredOnceAMinute() {
        running(Map.of("sizeLimit", "1Mi"));
        used = LIMIT;
        world.calls.clear();
        world.run(600);
        assertThat(measured()).isBetween(9L, 11L);
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
    }

    /** The kubelet that runs the containers ends them, and then gives the pod back; until then its volumes stay (S7). */
    @Test
    void aPodWhoseContainersMayRunIsDeletedAndKeepsItsVolumesUntilTheyHaveEnded() {
        ContainerStatus.State runs =
                new ContainerStatus.State(Optional.empty(), Optional.of(Document.empty()), Optional.empty());
        running(
                Map.of("sizeLimit", "1Mi"),
                pod -> pod.withStatus(pod.status().withContainerStatuses(List.of(new ContainerStatus("main", runs)))));
        used = LIMIT + 1;
        world.run(120);

        Pod pod = world.store.get(Kinds.POD, POD).orElseThrow();
        assertThat(pod.metadata().isDeleting()).isTrue();
        assertThat(pod.status().phase()).isEqualTo(PodPhase.RUNNING);
        assertThat(world.calls).noneMatch(call -> call.startsWith("unpublish"));
        assertThat(world.eventReasons()).containsOnlyOnce("Evicted: " + MESSAGE);
    }

    static Stream<UnaryOperator<Pod>> critical() {
        return Stream.of(
                pod -> pod.withSpec(pod.spec().withPriority(Optional.of(2_000_000_000L))),
                pod -> pod.withSpec(pod.spec().withPriorityClassName("system-cluster-critical")),
                pod -> pod.withSpec(pod.spec().withPriorityClassName("system-node-critical")),
                pod -> pod.withMetadata(pod.metadata().withAnnotation("kubernetes.io/config.mirror", "hash")),
                pod -> pod.withMetadata(pod.metadata().withAnnotation("kubernetes.io/config.source", "file")));
    }

    @ParameterizedTest
    @MethodSource("critical")
    void criticalPodsAreLeftAlone(UnaryOperator<Pod> changed) {
        used = LIMIT + 1;
        running(Map.of("sizeLimit", "1Mi"), changed);
        world.run(120);
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
        assertThat(world.eventReasons()).noneMatch(event -> event.startsWith("Evicted"));
    }

    @Test
    void anImportantPodThatIsNotCriticalIsEvicted() {
        used = LIMIT + 1;
        running(
                Map.of("sizeLimit", "1Mi"),
                pod -> pod.withSpec(
                        pod.spec().withPriority(Optional.of(1_999_999_999L)).withPriorityClassName("high")));
        world.run(120);
        assertThat(status().phase()).isEqualTo(PodPhase.FAILED);
    }

    @Test
    void whatTakesLongIsMeasuredSeldom() {
        took = Duration.ofSeconds(30);
        running(Map.of("sizeLimit", "1Mi"));
        world.calls.clear();
        world.run(3000);
        assertThat(measured()).as("600 s apart").isBetween(4L, 6L);
    }

    @Test
    void anAnswerThatHasWaitedEvictsNoPodAndPutsNothingOff() {
        age = Duration.ofSeconds(61);
        used = LIMIT + 1;
        running(Map.of("sizeLimit", "1Mi"));
        world.calls.clear();
        world.run(600);
        assertThat(measured()).isBetween(9L, 11L);
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
        age = Duration.ZERO;
        world.run(120);
        assertThat(status().phase()).isEqualTo(PodPhase.FAILED);
    }

    @Test
    void whatHasNoLimitOrIsInMemoryIsNeverMeasured() {
        used = Long.MAX_VALUE;
        running(Map.of());
        int decisions = world.decisions;
        world.run();
        assertThat(measured()).isZero();
        assertThat(world.decisions).as("nothing wakes the controller").isEqualTo(decisions);
    }

    @Test
    void theKernelBoundsWhatIsInMemory() {
        used = Long.MAX_VALUE;
        running(Map.of("sizeLimit", "1Mi", "medium", "Memory"));
        world.run();
        assertThat(measured()).isZero();
    }

    @Test
    void whatCannotBeMeasuredEvictsNoPod() {
        running(Map.of("sizeLimit", "1Mi"));
        world.faults = call ->
                call instanceof MeasureCall ? Optional.of(Outcome.deferred("too many files")) : Optional.empty();
        world.calls.clear();
        world.run(600);
        assertThat(measured()).isBetween(1L, 11L);
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
        assertThat(world.eventReasons())
                .filteredOn(event -> event.startsWith("EmptyDirNotMeasured"))
                .singleElement()
                .asString()
                .contains("cache", "1Mi", "too many files");
    }
}
