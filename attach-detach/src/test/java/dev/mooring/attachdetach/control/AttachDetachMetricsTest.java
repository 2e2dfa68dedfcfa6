// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.metrics.Sample;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The metrics of semantics/attach-and-mount §1.14. */
class AttachDetachMetricsTest {
    private final AttachDetachWorld world = new AttachDetachWorld();
    private final AttachDetachMetrics metrics = new AttachDetachMetrics(world.controllers());

    private List<String> values() {
        return metrics.collect().stream()
                .flatMap(metric -> metric.samples().stream())
                .filter(reading -> !reading.name().endsWith("_bucket"))
                .map(reading -> reading.name() + reading.labels().values() + " " + (long) reading.value())
                .toList();
    }

    @Test
    void countsWhatIsWantedAndWhatIs() {
        world.load(
                        AttachDetachObjects.node("n1"),
                        AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE),
                        AttachDetachObjects.claim("data", "disk"),
                        AttachDetachObjects.pod("a", "n1", "data"),
                        AttachDetachObjects.pod("b", "n1", "data"))
                .settle();
        assertThat(values())
                .containsExactly(
                        "storage_count_attachable_volumes_in_use[n1, disk.example.com] 1",
                        "attachdetach_controller_total_volumes[disk.example.com, actual_state_of_world] 1",
                        "attachdetach_controller_total_volumes[disk.example.com, desired_state_of_world] 1");
        world.deletePod("a").deletePod("b").settle();
        assertThat(values()).isEmpty();
    }

    @Test
    void countsCallsByTheirDurationAndForceByItsReason() {
        VolumeId id = new VolumeId(new PluginName(AttachDetachObjects.DRIVER), "disk");
        Effect detach = new Effect.Perform(
                AttachmentOperations.DETACH,
                new dev.mooring.attachdetach.calls.DetachCall("disk", id, new NodeRef("n1", ""), ""),
                Optional.empty(),
                Duration.ofMinutes(2));
        EffectResult done = new EffectResult.Performed(detach, Outcome.done());
        metrics.onFinished(dispatch(detach), done, Duration.ofMillis(300));
        VolumeAttachment attachment = AttachmentObjects.wanted(
                new DesiredAttachment(
                        "va",
                        "n1",
                        ObjectKey.of("default", "a"),
                        "uid",
                        "data",
                        AttachDetachObjects.attachable("disk"),
                        "disk",
                        false,
                        false,
                        false),
                AttachDetachObjects.node("n1"),
                new Sharing.Use(Sharing.SINGLE_NODE, false));
        VolumeAttachment begun = AttachmentObjects.annotated(attachment, AttachmentAnnotations.EVIDENCE, "timeout");
        Effect force = new Effect.Update<>(
                AttachmentOperations.BEGIN_DETACH, Kinds.VOLUME_ATTACHMENT, new Change<>(attachment, begun));
        metrics.onResult(dispatch(force), new EffectResult.Stored(force, StoreResult.ok(begun)));
        assertThat(values())
                .containsExactly(
                        "attach_detach_controller_attachdetach_controller_forced_detaches[timeout] 1",
                        "storage_operation_duration_seconds_sum[disk.example.com, volume_detach, success, false] 0",
                        "storage_operation_duration_seconds_count[disk.example.com, volume_detach, success, false] 1");
        assertThat(metrics.collect().stream()
                        .flatMap(metric -> metric.samples().stream())
                        .filter(reading -> reading.name().endsWith("_bucket"))
                        .filter(reading -> Map.of("le", "0.25").entrySet().stream()
                                .allMatch(e ->
                                        e.getValue().equals(reading.labels().get(e.getKey()))))
                        .map(Sample::value))
                .containsExactly(0.0);
    }

    private static Dispatch dispatch(Effect effect) {
        Key key = new Key(AttachDetachController.ATTACHMENT, ObjectKey.cluster("va"));
        return new Dispatch(1, AttachDetachController.NAME, key, effect, 1, "key", List.of(), 1);
    }
}
