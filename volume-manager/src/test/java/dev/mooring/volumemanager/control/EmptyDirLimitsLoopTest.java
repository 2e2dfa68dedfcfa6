// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.MeasureCall;
import dev.mooring.volumemanager.directory.EmptyDirVolumes;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Empty directories on the disk that hold more than they may (semantics/attach-and-mount §3.2, §3.17). */
class EmptyDirLimitsLoopTest {
    private static final long LIMIT = 1024 * 1024;
    private static final ObjectKey POD = ObjectKey.of("ns", "web");

    private final World world = new World(new EmptyDirVolumes());
    private long used;

    private void running(Map<String, Object> emptyDir) {
        world.store.put(Kinds.NODE, Objects.node());
        VolumeSource source = new VolumeSource("emptyDir", Document.of(emptyDir));
        world.store.put(Kinds.POD, Objects.pod("web", new PodVolume("cache", Optional.of(source))));
        world.faults = call -> call instanceof MeasureCall ? Optional.of(Outcome.done(used)) : Optional.empty();
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

        String message = "Usage of EmptyDir volume \"cache\" exceeds the limit \"1Mi\".";
        assertThat(status().phase()).isEqualTo(PodPhase.FAILED);
        assertThat(status().reason()).isEqualTo("Evicted");
        assertThat(status().message()).isEqualTo(message);
        assertThat(Conditions.statusOf(status().conditions(), "DisruptionTarget"))
                .contains(ConditionStatus.TRUE);
        assertThat(Conditions.statusOf(status().conditions(), "Ready")).contains(ConditionStatus.FALSE);
        assertThat(world.eventReasons()).containsOnlyOnce("Evicted: " + message);
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

    @Test
    void whatHasNoLimitOrIsInMemoryIsNeverMeasured() {
        used = Long.MAX_VALUE;
        running(Map.of());
        int decisions = world.decisions;
        world.run();
        assertThat(measured()).isZero();
        assertThat(world.decisions).as("nothing wakes anybody").isEqualTo(decisions);
    }

    @Test
    void theKernelBoundsWhatIsInMemory() {
        used = Long.MAX_VALUE;
        running(Map.of("sizeLimit", "1Mi", "medium", "Memory"));
        world.run();
        assertThat(measured()).isZero();
    }

    @Test
    void whatCannotBeMeasuredEvictsNobody() {
        running(Map.of("sizeLimit", "1Mi"));
        world.faults = call ->
                call instanceof MeasureCall ? Optional.of(Outcome.deferred("too many files")) : Optional.empty();
        world.calls.clear();
        world.run(600);
        assertThat(measured()).isBetween(1L, 11L);
        assertThat(status().phase()).isEqualTo(PodPhase.RUNNING);
    }
}
