// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/**
 * Takes over the VolumeAttachments that Kubernetes' own controller has left: what they are about is written down on them, and then they
 * are treated like those made here (semantics/attach-and-mount §1.3, §7.9). One whose volume is unknown is left alone.
 */
final class AttachmentAdoption {
    private final PodResolver resolver;

    AttachmentAdoption(PodResolver resolver) {
        this.resolver = resolver;
    }

    Decision decide(VolumeAttachment stranger, Situation situation) {
        String nodeName = stranger.spec().nodeName();
        Optional<Node> node = situation.caches().get(Kinds.NODE, ObjectKey.cluster(nodeName));
        if (node.filter(n -> !PodResolver.manages(n)).isPresent()) {
            return Decision.nothing();
        }
        return stranger.spec()
                .source()
                .persistentVolumeName()
                .flatMap(volume -> situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume)))
                .flatMap(resolver::specOf)
                .flatMap(resolver::everAttachable)
                .filter(volume ->
                        volume.attachmentTo(nodeName).equals(stranger.metadata().name()))
                .map(volume -> adopt(stranger, volume, node, situation))
                .orElse(Decision.nothing());
    }

    /** What a plugin of this process serves has no external attacher that would ever let go of it; now this controller does. */
    private static Decision adopt(
            VolumeAttachment stranger, Attachable volume, Optional<Node> node, Situation situation) {
        boolean takenOver = volume.id().isPresent() && !stranger.metadata().isDeleting();
        String finalizer = attachersFinalizer(stranger.spec().attacher());
        Optional<PersistentVolume> held = stranger.spec()
                .source()
                .persistentVolumeName()
                .flatMap(name -> situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)))
                .filter(found -> takenOver && found.metadata().hasFinalizer(finalizer));
        if (held.isPresent()) {
            PersistentVolume freed =
                    held.get().withMetadata(held.get().metadata().withoutFinalizer(finalizer));
            return Decision.act(new Effect.Update<>(
                    AttachmentOperations.ADOPT_VOLUME, Kinds.PERSISTENT_VOLUME, new Change<>(held.get(), freed)));
        }
        String uid = node.map(n -> n.metadata().uid()).orElse("");
        ObjectMeta marked = AttachmentObjects.marked(
                stranger.metadata(), volume, volume.spec().name(), uid, new Sharing.Use(volume.sharing(), false));
        VolumeAttachment ours = stranger.withMetadata(
                takenOver ? marked.withoutFinalizer(finalizer).withFinalizer(AttachmentAnnotations.FINALIZER) : marked);
        return Decision.act(
                new Effect.Update<>(AttachmentOperations.ADOPT, Kinds.VOLUME_ATTACHMENT, new Change<>(stranger, ours)));
    }

    /** As external attachers call their finalizer (§1.12). */
    private static String attachersFinalizer(String driver) {
        return Finalizers.EXTERNAL_ATTACHER + driver.replaceAll("[^A-Za-z0-9-]", "-");
    }
}
