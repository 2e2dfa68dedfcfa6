// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a VolumeAttachment looks at each step. */
final class AttachmentObjects {
    /** gRPC's RESOURCE_EXHAUSTED, by which a node learns that it has no room left (semantics/attach-and-mount §1.13). */
    private static final long RESOURCE_EXHAUSTED = 8;

    private AttachmentObjects() {}

    /** The intent to attach. */
    static VolumeAttachment wanted(DesiredAttachment want, Node node, Sharing.Use use) {
        Attachable volume = want.volume();
        ObjectMeta metadata = marked(
                ObjectMeta.named(want.attachment()),
                volume,
                want.title(),
                node.metadata().uid(),
                use);
        boolean inProcess = volume.id().isPresent();
        return new VolumeAttachment(
                inProcess ? metadata.withFinalizer(AttachmentAnnotations.FINALIZER) : metadata,
                new VolumeAttachmentSpec(volume.attacher(), want.node(), source(volume)),
                VolumeAttachmentStatus.EMPTY);
    }

    static ObjectMeta marked(ObjectMeta metadata, Attachable volume, String title, String nodeUid, Sharing.Use use) {
        ObjectMeta marked = metadata.withAnnotation(AttachmentAnnotations.PHASE, AttachmentAnnotations.ATTACHING)
                .withAnnotation(AttachmentAnnotations.REPORTED_NAME, volume.reportedName())
                .withAnnotation(AttachmentAnnotations.VOLUME, title)
                .withAnnotation(AttachmentAnnotations.NODE_UID, nodeUid)
                .withAnnotation(AttachmentAnnotations.SHARING, use.sharing().word())
                .withAnnotation(AttachmentAnnotations.READ_ONLY, Boolean.toString(use.readOnly()));
        return volume.id()
                .map(id -> marked.withAnnotation(
                                AttachmentAnnotations.PLUGIN, id.plugin().value())
                        .withAnnotation(AttachmentAnnotations.BACKEND, id.backend()))
                .orElse(marked);
    }

    /** The API takes nothing but a CSI source for a volume without an object; what serves no CSI driver is named as if one did. */
    private static VolumeAttachmentSource source(Attachable volume) {
        if (!volume.spec().uid().isEmpty()) {
            return VolumeAttachmentSource.EMPTY.withPersistentVolumeName(
                    Optional.of(volume.spec().name()));
        }
        CsiSource csi = CsiSource.of(volume.spec().source())
                .orElseGet(() -> new CsiSource(volume.attacher(), volume.handle(), "", false, Map.of()));
        List<AccessMode> modes = volume.spec().accessModes();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put(
                "accessModes",
                (modes.isEmpty() ? List.of(AccessMode.READ_WRITE_ONCE) : modes)
                        .stream().map(AccessMode::wireName).toList());
        spec.put("csi", csi.toSource().attributes().asMap());
        return VolumeAttachmentSource.EMPTY.withInlineVolumeSpec(Optional.of(Document.of(spec)));
    }

    /** It is attached. */
    static VolumeAttachment attached(VolumeAttachment attachment, Map<String, String> metadata) {
        return attachment.withStatus(new VolumeAttachmentStatus(true, metadata, Optional.empty(), Optional.empty()));
    }

    /** It is not known to be attached. */
    static VolumeAttachment unattached(VolumeAttachment attachment) {
        return attachment.withStatus(attachment.status().withAttached(false).withAttachmentMetadata(Map.of()));
    }

    /** An attempt to attach has failed; the same object if it says so already. */
    static VolumeAttachment attachFailed(VolumeAttachment attachment, Outcome<?> outcome, Instant now) {
        Optional<VolumeError> error = error(attachment.status().attachError(), outcome, now);
        return attachment.withStatus(attachment.status().withAttachError(error));
    }

    /** An attempt to detach has failed; the same object if it says so already. */
    static VolumeAttachment detachFailed(VolumeAttachment attachment, Outcome<?> outcome, Instant now) {
        Optional<VolumeError> error = error(attachment.status().detachError(), outcome, now);
        return attachment.withStatus(attachment.status().withDetachError(error));
    }

    private static Optional<VolumeError> error(Optional<VolumeError> before, Outcome<?> outcome, Instant now) {
        boolean exhausted = outcome.isRefused(Refusal.EXHAUSTED);
        VolumeError error = new VolumeError(
                Optional.of(now), outcome.message(), exhausted ? Optional.of(RESOURCE_EXHAUSTED) : Optional.empty());
        return before.filter(known -> known.withTime(error.time()).equals(error))
                .or(() -> Optional.of(error));
    }

    /** Asks the store itself what there is of an attachment: a list or a watch may tell what has been true. */
    static Effect confirmation(String attachment) {
        return new Effect.Read<>(AttachmentOperations.CONFIRM, Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(attachment));
    }

    static VolumeAttachment annotated(VolumeAttachment attachment, String key, String value) {
        return attachment.withMetadata(attachment.metadata().withAnnotation(key, value));
    }

    static VolumeAttachment without(VolumeAttachment attachment, String annotation) {
        return attachment.withMetadata(attachment.metadata().withoutAnnotation(annotation));
    }
}
