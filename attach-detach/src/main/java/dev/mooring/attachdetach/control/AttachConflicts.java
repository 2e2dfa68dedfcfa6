// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What keeps a volume from being attached to one more node: every attachment of it in whatever phase (S1, H1), the creation of one, and a
 * node of which its status says without an attachment that it may be using the volume, unless it has only begun to wait for it, or that
 * an earlier controller has attached it there. The latter ends when {@link NodeWriter} has taken the volume off the list: the Node as
 * that write leaves it says whether it is in use, which completes the handshake (§1.10).
 */
final class AttachConflicts {
    /** Why containers wait that a node has not begun with, as kubelets say it. */
    private static final Set<String> BEFORE_VOLUMES = Set.of("ContainerCreating", "PodInitializing");

    private final DesiredAttachments wants;
    private final ActualAttachments attachments;
    private final NodeUse use;

    AttachConflicts(DesiredAttachments wants, ActualAttachments attachments, NodeUse use) {
        this.wants = wants;
        this.attachments = attachments;
        this.use = use;
    }

    /**
     * A node that is in the way.
     *
     * @param node its name
     * @param since when the volume was attached to it, or began to be; empty if that is not known
     * @param goesFirst whether it keeps the volume, rather than the attachment that asks
     */
    record Holder(String node, Optional<Instant> since, boolean goesFirst) {}

    ActualAttachments attachments() {
        return attachments;
    }

    /** What a node does with the volume: its users' wishes, and what was written down. */
    Sharing.Use useOf(String attachment) {
        Optional<Sharing.Use> recorded =
                attachments.get(attachment).map(known -> known.marks().use());
        Sharing sharing = recorded.map(Sharing.Use::sharing).orElse(Sharing.ANY);
        boolean readOnly = recorded.map(Sharing.Use::readOnly).orElse(true);
        for (DesiredAttachment want : servedBy(attachment)) {
            sharing = sharing.strictest(want.volume().sharing());
            readOnly &= want.readOnly();
        }
        return new Sharing.Use(sharing, readOnly);
    }

    /** The pods that want an attachment under its name; as long as it has none, all that want it. */
    private List<DesiredAttachment> servedBy(String attachment) {
        Optional<ActualAttachment> known = attachments.get(attachment);
        return wants.of(attachment).stream()
                .filter(want -> known.isEmpty() || known.get().serves(want))
                .toList();
    }

    /** Whether none of those who want an attachment writes. */
    boolean wantedReadOnly(String attachment) {
        List<DesiredAttachment> all = servedBy(attachment);
        return !all.isEmpty() && all.stream().allMatch(DesiredAttachment::readOnly);
    }

    /** The nodes in the way of an attachment, in order of their names. */
    List<Holder> of(String attachment, String slot, String node, Caches caches) {
        Sharing.Use mine = useOf(attachment);
        Optional<ActualAttachment> self = attachments.get(attachment);
        Map<String, Holder> found = new LinkedHashMap<>();
        for (ActualAttachment other : attachments.ofSlot(slot)) {
            if (!other.node().equals(node) && mine.conflictsWith(useOf(other.name()))) {
                boolean first = self.isEmpty() || other.before(self.get());
                found.put(
                        other.node(),
                        new Holder(other.node(), other.object().metadata().creationTimestamp(), first));
            }
        }
        for (ActualAttachments.Reservation other : attachments.reserved(slot)) {
            if (!other.node().equals(node) && mine.conflictsWith(other.use())) {
                found.putIfAbsent(other.node(), new Holder(other.node(), Optional.empty(), self.isEmpty()));
            }
        }
        servedBy(attachment).stream().findFirst().ifPresent(want -> strangers(want, node, mine, caches, found));
        List<Holder> holders = new ArrayList<>(found.values());
        holders.sort(Comparator.comparing(Holder::node));
        return holders;
    }

    private void strangers(
            DesiredAttachment want, String node, Sharing.Use mine, Caches caches, Map<String, Holder> found) {
        Sharing.Use unknown = new Sharing.Use(want.volume().sharing(), false);
        if (!mine.conflictsWith(unknown)) {
            return;
        }
        for (VolumeAttachment other : attachments.foreignOf(want.title())) {
            if (!other.spec().nodeName().equals(node)) {
                found.putIfAbsent(
                        other.spec().nodeName(),
                        new Holder(other.spec().nodeName(), other.metadata().creationTimestamp(), true));
            }
        }
        String volume = want.volume().reportedName();
        Set<String> others = new TreeSet<>(use.usersOf(volume));
        if (want.volume().id().isPresent()) {
            others.addAll(use.listersOf(volume));
        }
        others.remove(node);
        for (String other : others) {
            String there = want.volume().attachmentTo(other);
            boolean recorded = attachments.get(there).isPresent();
            boolean listed = use.listersOf(volume).contains(other);
            if (!recorded && mayUse(want, other, caches) && (listed || !onlyWaits(there, other, want, caches))) {
                found.putIfAbsent(other, new Holder(other, Optional.empty(), true));
            }
        }
    }

    /**
     * A node that answers is believed: it may have come back after a volume was taken from it by force (S1′). So is one that does not
     * answer, if the volume is served in this process: an earlier controller may have attached it and kept no object of that (§1.3). But
     * what was taken from such a node on evidence is lost to it: that stands on the PersistentVolume. A source written in a pod has no
     * such memory; there the evidence has to last, as the taint does. A driver's volume without an object is detached (§1.12).
     */
    private static boolean mayUse(DesiredAttachment want, String user, Caches caches) {
        Optional<Node> node = caches.get(Kinds.NODE, ObjectKey.cluster(user));
        if (node.isEmpty() || node.get().isReady()) {
            return node.isPresent();
        }
        FenceOrders orders = new FenceOrders(
                caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(want.title())),
                node.get().metadata().uid());
        return want.volume().id().isPresent() && !node.get().hasOutOfServiceTaint() && !orders.nameThisNode();
    }

    /**
     * Whether a node lists the volume for pods only that wait for it, as nodes do from the moment on that they know of such a pod: if that
     * were in the way, two nodes that wait would do so for each other for ever.
     */
    private boolean onlyWaits(String attachment, String node, DesiredAttachment sought, Caches caches) {
        Collection<DesiredAttachment> there = wants.of(attachment);
        return !there.isEmpty()
                && !use.isLeftBehind(sought.volume().reportedName(), node)
                && there.stream()
                        .allMatch(want -> caches.get(Kinds.POD, want.pod())
                                .filter(AttachConflicts::hasNotBegun)
                                .isPresent());
    }

    /** Whether a pod's volumes are not all mounted yet: after that its init containers may write, and images are fetched. */
    private static boolean hasNotBegun(Pod pod) {
        PodStatus status = pod.status();
        return status.phase() == PodPhase.PENDING
                && Stream.of(
                                status.containerStatuses(),
                                status.initContainerStatuses(),
                                status.ephemeralContainerStatuses())
                        .flatMap(List::stream)
                        .allMatch(container -> container
                                .state()
                                .waiting()
                                .flatMap(waiting -> waiting.text("reason"))
                                .filter(BEFORE_VOLUMES::contains)
                                .isPresent());
    }
}
