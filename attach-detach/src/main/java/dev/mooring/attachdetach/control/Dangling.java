// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * Attachments that the storage has and no object shows (semantics/attach-and-mount §1.12): each gets a VolumeAttachment, and then it goes
 * like any other that no pod wants: by the handshake with its node, or with evidence. Pure.
 */
final class Dangling {
    private final DesiredAttachment want;
    private final ActualAttachments attachments;

    Dangling(DesiredAttachment want, ActualAttachments attachments) {
        this.want = want;
        this.attachments = attachments;
    }

    /** Those that no object shows. */
    List<NodeRef> unknown(Outcome<?> outcome) {
        return outcome.nodes().stream()
                .filter(node -> !node.name().isEmpty() && !node.name().equals(want.node()))
                .filter(node -> {
                    String name = want.volume().attachmentTo(node.name());
                    return attachments.get(name).isEmpty()
                            && attachments.foreign(name).isEmpty();
                })
                .toList();
    }

    /** Writes one down. */
    Effect record(NodeRef node, Optional<Node> known) {
        DesiredAttachment there = new DesiredAttachment(
                want.volume().attachmentTo(node.name()),
                node.name(),
                want.pod(),
                want.podUid(),
                want.podVolume(),
                want.volume(),
                want.title(),
                false,
                true,
                false);
        String uid = node.uid().isEmpty()
                ? known.map(found -> found.metadata().uid()).orElse("")
                : node.uid();
        Node meant =
                Node.of(node.name()).withMetadata(ObjectMeta.named(node.name()).withUid(uid));
        return new Effect.Create<>(
                AttachmentOperations.RECORD_DANGLING,
                Kinds.VOLUME_ATTACHMENT,
                AttachmentObjects.wanted(
                        there, meant, new Sharing.Use(want.volume().sharing(), false)));
    }

    static ObjectKey key(NodeRef node) {
        return ObjectKey.cluster(node.name());
    }
}
