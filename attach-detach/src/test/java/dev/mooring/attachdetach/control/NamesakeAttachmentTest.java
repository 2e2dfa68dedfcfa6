// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An attachment that takes the name of one that was removed by hand, finalizers and all, while the driver was called for it. */
class NamesakeAttachmentTest {
    private static final String FINALIZER = ServedAttachment.finalizer(AttachDetachObjects.DRIVER);
    private static final Key KEY = new Key("attachment", ObjectKey.cluster("a"));

    private final Caches caches =
            new Caches(List.of(Kinds.VOLUME_ATTACHMENT, Kinds.PERSISTENT_VOLUME, Kinds.CSI_NODE), change -> {});
    private final AttacherController controller =
            new AttacherController(new PluginRegistry(List.of(new AttachedDiskPlugin(true, false))));

    private void knowVolume() {
        PersistentVolume volume = AttachDetachObjects.volume("v", "c");
        ObjectMeta metadata =
                volume.metadata().withUid("v-uid").withResourceVersion("1").withFinalizer(FINALIZER);
        caches.of(Kinds.PERSISTENT_VOLUME).replace(List.of(volume.withMetadata(metadata)), Revision.parse("1"));
    }

    private void knowAttachment(String uid, String revision) {
        VolumeAttachmentSpec spec = VolumeAttachmentSpec.EMPTY
                .withAttacher(AttachDetachObjects.DRIVER)
                .withNodeName("n1")
                .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("v")));
        ObjectMeta metadata =
                ObjectMeta.named("a").withUid(uid).withResourceVersion(revision).withFinalizer(FINALIZER);
        caches.of(Kinds.VOLUME_ATTACHMENT)
                .replace(
                        List.of(new VolumeAttachment(metadata, spec, VolumeAttachmentStatus.EMPTY)),
                        Revision.parse(revision));
    }

    private Decision decide(Optional<KeyState> state, List<EffectResult> results) {
        return controller.decide(KEY, state, new Situation(caches, new Time(Instant.EPOCH, 0), Map.of(), results));
    }

    @Test
    void isNotShownAsAttachedByTheAnswerForTheFormer() {
        knowVolume();
        knowAttachment("old", "2");
        Decision first = decide(Optional.empty(), List.of());
        assertThat(first.effects()).extracting(Effect::operation).containsExactly(AttachmentOperations.ATTACH);
        List<EffectResult> answer =
                List.of(new EffectResult.Performed(first.effects().get(0), Outcome.done(Map.of())));
        assertThat(decide(first.state(), answer).effects())
                .extracting(Effect::operation)
                .containsExactly(AttachmentOperations.SHOW_ATTACHED);

        knowAttachment("new", "3");
        assertThat(decide(first.state(), answer).effects())
                .extracting(Effect::operation)
                .containsExactly(AttachmentOperations.ATTACH);
    }
}
