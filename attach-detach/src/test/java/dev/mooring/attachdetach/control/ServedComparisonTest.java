// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.calls.CompareCall.Compared;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A side-car of ours compares what it has attached with what its driver says (semantics/csi §9.4). */
class ServedComparisonTest {
    private static final String FINALIZER = ServedAttachment.finalizer(AttachDetachObjects.DRIVER);
    private static final Key KEY = new Key("attachment", ObjectKey.cluster("a"));
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Caches caches =
            new Caches(List.of(Kinds.VOLUME_ATTACHMENT, Kinds.PERSISTENT_VOLUME, Kinds.CSI_NODE), change -> {});
    private final AttachedDiskPlugin plugin = new AttachedDiskPlugin(false, false);
    private final AttacherController controller = new AttacherController(new PluginRegistry(List.of(plugin)));

    @BeforeEach
    void attached() {
        plugin.tells = true;
        PersistentVolume volume = AttachDetachObjects.volume("v", "c");
        ObjectMeta metadata =
                volume.metadata().withUid("v-uid").withResourceVersion("1").withFinalizer(FINALIZER);
        caches.of(Kinds.PERSISTENT_VOLUME).replace(List.of(volume.withMetadata(metadata)), Revision.parse("1"));
        know(ObjectMeta.named("a").withFinalizer(FINALIZER), "2");
    }

    private void know(ObjectMeta metadata, String revision) {
        VolumeAttachmentSpec spec = VolumeAttachmentSpec.EMPTY
                .withAttacher(AttachDetachObjects.DRIVER)
                .withNodeName("n1")
                .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("v")));
        caches.of(Kinds.VOLUME_ATTACHMENT)
                .replace(
                        List.of(new VolumeAttachment(
                                metadata.withUid("uid").withResourceVersion(revision),
                                spec,
                                VolumeAttachmentStatus.EMPTY.withAttached(true))),
                        Revision.parse(revision));
    }

    private Decision decide(Optional<KeyState> state, long nanos, List<EffectResult> results) {
        Time now = new Time(Instant.EPOCH.plusNanos(nanos), nanos);
        return controller.decide(KEY, state, new Situation(caches, now, Map.of(), results));
    }

    private static List<String> operations(Decision decision) {
        return decision.effects().stream().map(Effect::operation).toList();
    }

    @Test
    void whatTheStorageHasDetachedIsAttachedAgainAndShown() {
        Decision first = decide(Optional.empty(), 0, List.of());
        assertThat(first.effects()).isEmpty();
        assertThat(first.wakeAfter()).contains(Duration.ofMinutes(1));
        Decision due = decide(first.state(), MINUTE, List.of());
        assertThat(operations(due)).containsExactly(AttachmentOperations.COMPARE);
        List<EffectResult> again = List.of(new EffectResult.Performed(
                due.effects().get(0), Outcome.done(new Compared(true, Map.of("device", "/dev/x")))));
        Decision shown = decide(due.state(), MINUTE, again);
        assertThat(operations(shown)).contains(AttachmentOperations.SHOW_ATTACHED);
        assertThat(shown.wakeAfter()).contains(Duration.ofMinutes(1));
        assertThat(shown.effects())
                .filteredOn(Effect.Announce.class::isInstance)
                .singleElement()
                .satisfies(told -> assertThat(told.toString()).contains(AttachmentComparison.LOST));
    }

    @Test
    void withoutOurFinalizerNothingIsCompared() {
        know(ObjectMeta.named("a"), "3");
        Decision decision = decide(Optional.empty(), 2 * MINUTE, List.of());
        assertThat(decision.effects()).isEmpty();
        assertThat(decision.wakeAfter()).isEmpty();
    }
}
