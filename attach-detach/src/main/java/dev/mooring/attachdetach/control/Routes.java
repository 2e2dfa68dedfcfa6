// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * From a change to the keys that it concerns, and to no others: the work per change does not grow with the cluster, and a node's
 * heartbeat that changes nothing relevant is no work at all (#101229, #100555). Confined to the decider.
 */
final class Routes {
    private final PodIndex pods;
    private final DesiredAttachments wants;
    private final ActualAttachments attachments;
    private final NodeUse use;
    private final Reports reports;

    Routes(PodIndex pods, DesiredAttachments wants, ActualAttachments attachments, NodeUse use, Reports reports) {
        this.pods = pods;
        this.wants = wants;
        this.attachments = attachments;
        this.use = use;
        this.reports = reports;
    }

    void pod(ObjectChange<Pod> change, Mailbox mailbox) {
        pods.update(change.before(), change.after());
        boolean same = same(change, pod -> pod.metadata().uid())
                && same(change, Pod::spec)
                && same(change, Pod::hasEnded)
                && same(change, pod -> pod.metadata().isDeleting());
        boolean scheduled = !change.latest().spec().nodeName().isEmpty();
        if (!same && scheduled) {
            mailbox.recheck(new Key(AttachDetachController.POD, change.key()));
        }
    }

    void claim(ObjectChange<PersistentVolumeClaim> change, Mailbox mailbox) {
        boolean same = same(change, claim -> claim.metadata().uid())
                && same(change, claim -> claim.spec().volumeName())
                && same(change, claim -> claim.status().phase());
        if (!same) {
            postPods(pods.naming(change.key()), mailbox);
        }
    }

    void volume(ObjectChange<PersistentVolume> change, Mailbox mailbox) {
        if (same(change, PersistentVolume::spec)
                && same(change, volume -> volume.metadata().annotations())) {
            return;
        }
        Set<ObjectKey> concerned = new TreeSet<>();
        change.before().flatMap(Routes::claimOf).map(pods::naming).ifPresent(concerned::addAll);
        change.after().flatMap(Routes::claimOf).map(pods::naming).ifPresent(concerned::addAll);
        postPods(concerned, mailbox);
        attachments
                .foreignOf(change.key().name())
                .forEach(stranger -> post(stranger.metadata().name(), mailbox));
    }

    private static Optional<ObjectKey> claimOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }

    void driver(ObjectChange<CSIDriver> change, Mailbox mailbox) {
        if (!same(change, driver -> driver.spec().attachRequired())) {
            postPods(pods.using(change.key().name()), mailbox);
        }
    }

    void attachment(ObjectChange<VolumeAttachment> change, Mailbox mailbox) {
        Optional<ActualAttachment> before = attachments.get(change.key().name());
        attachments.update(change.before(), change.after());
        attachments.seen(change.key().name(), change.after().isPresent() && change.origin() != Origin.WATCH);
        Optional<ActualAttachment> after = attachments.get(change.key().name());
        before.filter(known -> known.phase() != Phase.DETACHING
                        && after.filter(still -> still.phase() != Phase.DETACHING)
                                .isEmpty())
                .ifPresent(known -> use.beingTaken(known.marks().reportedName(), known.node()));
        post(change.key().name(), mailbox);
        mailbox.recheck(nodeKey(change.latest().spec().nodeName()));
        boolean same = before.map(ActualAttachment::marks).equals(after.map(ActualAttachment::marks))
                && before.map(ActualAttachment::phase).equals(after.map(ActualAttachment::phase));
        if (!same) {
            before.or(() -> after)
                    .map(ActualAttachment::marks)
                    .ifPresent(marks -> others(
                            marks.slot(), marks.use().sharing(), change.key().name(), mailbox));
        }
        if (after.isEmpty() && before.isEmpty()) {
            // Another program's: it is in the way of each pod that wants that volume.
            change.latest()
                    .spec()
                    .source()
                    .persistentVolumeName()
                    .map(wants::ofTitle)
                    .ifPresent(waiting -> waiting.forEach(name -> post(name, mailbox)));
        }
    }

    void node(ObjectChange<Node> change, Mailbox mailbox) {
        String node = change.key().name();
        Set<String> used = use.update(change.before(), change.after());
        if (reports.isUnderway(node)) {
            mailbox.recheck(nodeKey(node)); // any other version of the Node makes a lost write fail
        }
        boolean sameNode = same(change, n -> n.metadata().uid()) && same(change, PodResolver::manages);
        boolean sameHealth = same(change, Node::isReady) && same(change, Node::hasOutOfServiceTaint);
        boolean sameList = same(change, n -> n.status().volumesAttached());
        if (sameNode && sameHealth && sameList && used.isEmpty()) {
            return;
        }
        if (!sameNode) {
            postPods(pods.on(node), mailbox);
            attachments.foreignOn(node).forEach(stranger -> post(stranger, mailbox));
        }
        if (!sameNode || !sameList) {
            mailbox.recheck(nodeKey(node));
        }
        boolean back = change.after().filter(Node::isReady).isPresent() && change.origin() != Origin.OWN_WRITE;
        Set<String> listed = differences(change.before(), change.after());
        for (String name : onNode(node)) {
            if (!sameHealth && back) {
                mailbox.inputChanged(attachmentKey(name));
            } else if (!sameNode || !sameHealth || used.contains(reported(name)) || listed.contains(reported(name))) {
                post(name, mailbox);
            }
        }
        Set<String> concerned = new TreeSet<>(used);
        Set<String> unrecorded = unrecorded(node, listed);
        // What the node lists as in use when it goes from that list may have been begun with a moment before.
        Set<String> now = NodeUse.listed(change.after());
        unrecorded.stream().filter(volume -> !now.contains(volume)).forEach(volume -> use.beingTaken(volume, node));
        concerned.addAll(unrecorded);
        if (!sameNode || !sameHealth) {
            concerned.addAll(change.latest().status().volumesInUse());
            concerned.addAll(unrecorded(node, NodeUse.listed(Optional.of(change.latest()))));
        }
        concerned.forEach(volume -> wants.firstOfReportedName(volume)
                .ifPresent(want -> others(want.volume().slot(), want.volume().sharing(), "", mailbox)));
    }

    /** A driver that has come to a node attaches volumes there that waited for it. */
    void driversOfNode(ObjectChange<CSINode> change, Mailbox mailbox) {
        if (!same(change, CSINode::spec)) {
            onNode(change.key().name()).forEach(name -> mailbox.inputChanged(attachmentKey(name)));
        }
    }

    /** Those of these volumes of which there is no object: an earlier controller has listed them. */
    private Set<String> unrecorded(String node, Set<String> volumes) {
        Set<String> strange = new TreeSet<>(volumes);
        attachments.onNode(node).forEach(known -> strange.remove(known.marks().reportedName()));
        return strange;
    }

    /** The volumes that only one of two states lists as attached. */
    private static Set<String> differences(Optional<Node> before, Optional<Node> after) {
        Set<String> was = NodeUse.listed(before);
        Set<String> is = NodeUse.listed(after);
        Set<String> both = new TreeSet<>(was);
        both.retainAll(is);
        was.addAll(is);
        was.removeAll(both);
        return was;
    }

    /** No list on its way names these volumes any more, which those that are to be detached wait for. */
    void settled(String node, Set<String> volumes, Mailbox mailbox) {
        if (!volumes.isEmpty()) {
            attachments.onNode(node).stream()
                    .filter(known -> known.marks().detachRequestedAt().isPresent())
                    .filter(known -> volumes.contains(known.marks().reportedName()))
                    .forEach(known -> post(known.name(), mailbox));
        }
    }

    private String reported(String attachment) {
        return attachments
                .get(attachment)
                .map(known -> known.marks().reportedName())
                .or(() -> wants.first(attachment).map(want -> want.volume().reportedName()))
                .orElse("");
    }

    private Set<String> onNode(String node) {
        Set<String> names = new TreeSet<>(wants.onNode(node));
        attachments.onNode(node).forEach(known -> names.add(known.name()));
        return names;
    }

    /** Pods of a node now want an attachment, or no longer do. */
    void wantsChanged(String attachment, List<DesiredAttachment> before, Mailbox mailbox) {
        Optional<DesiredAttachment> now = wants.first(attachment);
        boolean anotherVolume = now.isPresent()
                && before.stream()
                        .filter(want -> want.attachment().equals(attachment))
                        .anyMatch(want -> !want.volume().equals(now.get().volume()));
        if (anotherVolume) {
            mailbox.inputChanged(attachmentKey(attachment));
        } else {
            post(attachment, mailbox);
        }
        Optional<ActualAttachment> known = attachments.get(attachment);
        known.ifPresent(k -> mailbox.recheck(nodeKey(k.node())));
        Optional<DesiredAttachment> any = now.or(() -> before.stream()
                .filter(want -> want.attachment().equals(attachment))
                .findFirst());
        any.ifPresent(want -> others(want.volume().slot(), want.volume().sharing(), attachment, mailbox));
    }

    /** The other attachments of a volume, unless they cannot be in each other's way. */
    void others(String slot, Sharing sharing, String but, Mailbox mailbox) {
        if (sharing == Sharing.ANY) {
            return;
        }
        Set<String> names = new TreeSet<>(wants.ofSlot(slot));
        attachments.ofSlot(slot).forEach(known -> names.add(known.name()));
        names.remove(but);
        names.forEach(name -> post(name, mailbox));
    }

    private static void postPods(Collection<ObjectKey> keys, Mailbox mailbox) {
        keys.forEach(pod -> mailbox.recheck(new Key(AttachDetachController.POD, pod)));
    }

    private static void post(String attachment, Mailbox mailbox) {
        mailbox.recheck(attachmentKey(attachment));
    }

    private static Key attachmentKey(String name) {
        return new Key(AttachDetachController.ATTACHMENT, ObjectKey.cluster(name));
    }

    private static Key nodeKey(String name) {
        return new Key(AttachDetachController.NODE, ObjectKey.cluster(name));
    }

    private static <T extends KubernetesObject> boolean same(ObjectChange<T> change, Function<T, ?> field) {
        return change.before().isPresent()
                && change.after().isPresent()
                && Objects.equals(
                        field.apply(change.before().get()),
                        field.apply(change.after().get()));
    }
}
