// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes which volumes are attached to a node into the Node's status, and is the only one who does: one write for all that has changed,
 * one write at a time. What is listed follows from the attachments alone, so that a list that a user has emptied, or that belongs to
 * an earlier Node of the name, is put right (semantics/attach-and-mount §1.10, #37586, S6).
 */
final class NodeWriter {
    private static final String DEVICE_PATH = "devicePath";

    private final ActualAttachments attachments;
    private final AttachConflicts obstacles;

    NodeWriter(ActualAttachments attachments, AttachConflicts obstacles) {
        this.attachments = attachments;
        this.obstacles = obstacles;
    }

    Decision decide(String name, Optional<ReportState> before, Situation situation) {
        Optional<Node> node = situation.caches().get(Kinds.NODE, ObjectKey.cluster(name));
        if (node.isEmpty()
                || !(PodResolver.manages(node.get())
                        || !attachments.onNode(name).isEmpty())) {
            return Decision.nothing();
        }
        Optional<ReportState> lost = ReportState.learn(
                before, situation.resultOf(AttachmentOperations.REPORT_ATTACHED), node.get(), situation.now());
        List<AttachedVolume> wanted = wanted(node.get(), situation);
        if (wanted.equals(node.get().status().volumesAttached())) {
            return lost.map(sent -> Decision.remember(sent).wakeAfter(sent.waitFrom(situation.now())))
                    .orElse(Decision.nothing());
        }
        List<Effect> proofs = proofs(node.get(), wanted);
        if (!proofs.isEmpty()) {
            return Decision.nothing().and(proofs).withState(lost.map(KeyState.class::cast));
        }
        Set<String> names = new TreeSet<>();
        wanted.forEach(volume -> names.add(volume.name()));
        Node edited = node.get().withStatus(node.get().status().withVolumesAttached(wanted));
        return Decision.act(new Effect.UpdateStatus<>(
                        AttachmentOperations.REPORT_ATTACHED, Kinds.NODE, new Change<>(node.get(), edited)))
                .withState(ReportState.sent(lost, names, node.get(), situation.now()));
    }

    /**
     * Reads of the attachments that are to be listed again and are known only from a list or a watch: after a restart that may be an old
     * one, of a volume that has been detached since, and what is listed is what a node mounts (S6).
     */
    private List<Effect> proofs(Node node, List<AttachedVolume> wanted) {
        Set<String> added = new TreeSet<>();
        wanted.forEach(volume -> added.add(volume.name()));
        node.status().volumesAttached().forEach(volume -> added.remove(volume.name()));
        List<Effect> proofs = new ArrayList<>();
        for (ActualAttachment known : attachments.onNode(node.metadata().name())) {
            if (added.contains(known.marks().reportedName()) && !attachments.isCertain(known.name())) {
                proofs.add(AttachmentObjects.confirmation(known.name()));
            }
        }
        return proofs;
    }

    /** The volumes to be listed: those that stand there keep their places, new ones follow in order of their names. */
    private List<AttachedVolume> wanted(Node node, Situation situation) {
        Map<String, AttachedVolume> listed = new TreeMap<>();
        for (ActualAttachment known : attachments.onNode(node.metadata().name())) {
            if (known.marks().listable(known.object(), node.metadata().uid()) && mayBeUsed(known, situation)) {
                String device = known.object().status().attachmentMetadata().getOrDefault(DEVICE_PATH, "");
                String volume = known.marks().reportedName();
                listed.put(volume, new AttachedVolume(volume, device));
            }
        }
        List<AttachedVolume> inOrder = new ArrayList<>();
        for (AttachedVolume there : node.status().volumesAttached()) {
            Optional.ofNullable(listed.remove(there.name())).ifPresent(inOrder::add);
        }
        inOrder.addAll(listed.values());
        return inOrder;
    }

    /** A node that has a volume for reading beside others may not begin to write. */
    private boolean mayBeUsed(ActualAttachment known, Situation situation) {
        Sharing.Use use = obstacles.useOf(known.name());
        return use.sharing() != Sharing.READERS
                || use.readOnly()
                || !known.marks().use().readOnly()
                || obstacles
                        .of(known.name(), known.marks().slot(), known.node(), situation.caches())
                        .isEmpty();
    }
}
