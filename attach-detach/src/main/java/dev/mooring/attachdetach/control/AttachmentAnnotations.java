// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * What a VolumeAttachment says about itself in annotations of ours, so that a later process can undo it, without the
 * volume, the pod and the process that made it (semantics/attach-and-mount §7.2, H3, H6, H14).
 *
 * @param id whose storage it is, for a plugin of this process; empty where an external attacher acts
 * @param reportedName how the Node's status calls the volume
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param nodeUid which Node of that name
 * @param use what the node may do with it
 * @param detaching whether the intent is to detach, and nothing leads back
 * @param detachRequestedAt since when no pod wants it
 * @param evidence why it is detached by force
 */
record AttachmentAnnotations(
        Optional<VolumeId> id,
        String reportedName,
        String volume,
        String nodeUid,
        Sharing.Use use,
        boolean detaching,
        Optional<Instant> detachRequestedAt,
        ForceDetachEvidence evidence) {
    /** The intent; that it is fulfilled stands in {@code status.attached}, or in that the object has gone. */
    static final String PHASE = Annotations.ATTACHMENT_PHASE;

    static final String NODE_UID = "mooring.dev/node-uid";
    static final String PLUGIN = "mooring.dev/attachment-plugin";
    static final String BACKEND = "mooring.dev/attachment-backend";
    static final String REPORTED_NAME = "mooring.dev/reported-name";
    static final String VOLUME = "mooring.dev/attachment-volume";
    static final String SHARING = "mooring.dev/attachment-sharing";
    static final String READ_ONLY = "mooring.dev/attachment-read-only";
    static final String DETACH_REQUESTED_AT = Annotations.DETACH_REQUESTED_AT;
    static final String EVIDENCE = "mooring.dev/detach-evidence";

    /** Set by a person: detach although the node does not let go; the value says who and why. */
    static final String FORCE = Annotations.FORCE_DETACH;

    /** On attachments that a plugin of this process serves: no other program may remove its finalizer. */
    static final String FINALIZER = Finalizers.ATTACHMENT;

    static final String ATTACHING = "Attaching";
    static final String DETACHING = Annotations.DETACHING;

    /** The marks of an attachment; empty if it was not made, nor adopted, by this controller. */
    static Optional<AttachmentAnnotations> of(VolumeAttachment attachment) {
        ObjectMeta metadata = attachment.metadata();
        String reported = metadata.annotation(REPORTED_NAME).orElse("");
        if (reported.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AttachmentAnnotations(
                id(metadata),
                reported,
                metadata.annotation(VOLUME).orElse(""),
                metadata.annotation(NODE_UID).orElse(""),
                new Sharing.Use(
                        Sharing.parse(metadata.annotation(SHARING).orElse("")),
                        metadata.annotation(READ_ONLY).filter("true"::equals).isPresent()),
                metadata.annotation(PHASE).filter(DETACHING::equals).isPresent(),
                metadata.annotation(DETACH_REQUESTED_AT).flatMap(AttachmentAnnotations::instant),
                evidence(metadata)));
    }

    private static Optional<VolumeId> id(ObjectMeta metadata) {
        try {
            return metadata.annotation(PLUGIN)
                    .flatMap(plugin ->
                            metadata.annotation(BACKEND).map(backend -> new VolumeId(new PluginName(plugin), backend)));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty(); // edited by hand
        }
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    private static ForceDetachEvidence evidence(ObjectMeta metadata) {
        boolean forced =
                metadata.annotation(FORCE).filter(text -> !text.isBlank()).isPresent();
        return forced
                ? ForceDetachEvidence.OPERATOR
                : ForceDetachEvidence.parse(metadata.annotation(EVIDENCE).orElse(""));
    }

    /** Which attachments exclude each other: those with equal slots (the {@link VolumeId}, or the name of a driver's volume). */
    String slot() {
        return id.map(VolumeId::toString).orElse(reportedName);
    }

    /** Where an attachment stands. */
    Phase phase(VolumeAttachment attachment) {
        boolean outOfOurHands = id.isEmpty() && attachment.metadata().isDeleting();
        if (detaching || outOfOurHands) {
            return Phase.DETACHING;
        }
        return attachment.status().attached() ? Phase.ATTACHED : Phase.ATTACHING;
    }

    /** Whether the Node's status shall list it: confirmed, for this very Node, and no detach of it has begun (S6). */
    boolean listable(VolumeAttachment attachment, String uid) {
        return phase(attachment) == Phase.ATTACHED && detachRequestedAt.isEmpty() && nodeUid.equals(uid);
    }
}
