// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.control.ActualAttachments.Reservation;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.PodFields;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Attaches the volumes that pods want where they are, and detaches those that no pod wants (semantics/attach-and-mount §1, §7).
 *
 * <p>Three types of keys: a pod's decision finds out what it wants; an attachment's, named like its VolumeAttachment, moves that along
 * {@link Step}; a node's writes which volumes are attached to it. A volume that only one node may have is kept to one by its slot:
 * every VolumeAttachment of it, in whatever phase, and every creation of one occupies it, and one call at a time is made for it in the
 * whole cluster. Attachments of a volume that many nodes may have know nothing of each other.
 */
public final class AttachDetachController implements Controller {
    /** The name of this controller. */
    public static final String NAME = "attach-detach";

    static final String POD = "pod";

    /** What is read of pods: also whether their containers have begun, and whether they have ended. */
    private static final FieldSelection POD_FIELDS = PodFields.STORAGE.and(FieldSelection.of(
            "status.containerStatuses.state.waiting.reason",
            "status.containerStatuses.state.terminated.reason",
            "status.initContainerStatuses.state.waiting.reason",
            "status.initContainerStatuses.state.terminated.reason",
            "status.ephemeralContainerStatuses.state.waiting.reason",
            "status.ephemeralContainerStatuses.state.terminated.reason"));

    static final String ATTACHMENT = "attachment";
    static final String NODE = "node";

    private static final int FIND_OUT_WHAT_IS_WANTED = 10;
    private static final int DETACH_FOR_WHO_WAITS = 20;
    private static final int REPORT = 25;
    private static final int ATTACH = 30;
    private static final int DETACH = 40;

    private final PodResolver resolver;
    private final PodIndex pods = new PodIndex();
    private final AttachmentCounts counts = new AttachmentCounts();
    private final DesiredAttachments wants = new DesiredAttachments(counts);
    private final ActualAttachments attachments = new ActualAttachments();
    private final NodeUse use = new NodeUse();
    private final Reports reports = new Reports();
    private final Routes routes = new Routes(pods, wants, attachments, use, reports);
    private final AttachmentDecider decider;
    private final NodeWriter writer;
    private final AttachmentAdoption adoption;

    /**
     * Makes the controller.
     *
     * @param options where it differs
     * @param plugins the plugins of this process
     */
    public AttachDetachController(AttachDetachOptions options, PluginRegistry plugins) {
        this.resolver = new PodResolver(plugins);
        AttachConflicts obstacles = new AttachConflicts(wants, attachments, use);
        this.decider = new AttachmentDecider(options, plugins, wants, attachments, obstacles, reports);
        this.writer = new NodeWriter(attachments, obstacles);
        this.adoption = new AttachmentAdoption(resolver);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(
                Kinds.POD,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.PERSISTENT_VOLUME,
                Kinds.NODE,
                Kinds.VOLUME_ATTACHMENT,
                Kinds.CSI_DRIVER,
                Kinds.CSI_NODE);
    }

    @Override
    public FieldSelection reads(Kind<?> kind) {
        return kind == Kinds.POD ? POD_FIELDS : FieldSelection.ALL;
    }

    /** One want of each attachment that is wanted; takes time for each. */
    List<DesiredAttachment> wanted() {
        return wants.firstOfEach();
    }

    /** What is wanted and attached. */
    AttachmentCounts counts() {
        return counts;
    }

    /** What is wanted is known before anything is taken away; then what holds up others comes first (§7.6). */
    @Override
    public Rank rank(Key key) {
        if (key.type().equals(POD)) {
            return Rank.tier(FIND_OUT_WHAT_IS_WANTED);
        } else if (key.type().equals(NODE)) {
            return Rank.tier(REPORT);
        }
        String name = key.object().name();
        if (wants.first(name).isPresent()) {
            return Rank.tier(ATTACH);
        }
        boolean awaited = attachments
                .get(name)
                .filter(known -> wants.anyOfSlot(known.marks().slot()))
                .isPresent();
        return Rank.tier(awaited ? DETACH_FOR_WHO_WAITS : DETACH);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            routes.pod(change.as(Kinds.POD), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            routes.claim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            routes.volume(change.as(Kinds.PERSISTENT_VOLUME), mailbox);
        } else if (change.concerns(Kinds.NODE)) {
            routes.node(change.as(Kinds.NODE), mailbox);
        } else if (change.concerns(Kinds.VOLUME_ATTACHMENT)) {
            ObjectChange<VolumeAttachment> attachment = change.as(Kinds.VOLUME_ATTACHMENT);
            counts.attached(attachment.before(), attachment.after());
            routes.attachment(attachment, mailbox);
        } else if (change.concerns(Kinds.CSI_NODE)) {
            routes.driversOfNode(change.as(Kinds.CSI_NODE), mailbox);
        } else {
            routes.driver(change.as(Kinds.CSI_DRIVER), mailbox);
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        String name = key.object().name();
        attachments.confirmed(situation);
        return switch (key.type()) {
            case POD -> decidePod(key.object(), state.map(DesiredByPod.class::cast), situation);
            case NODE -> writer.decide(name, state.map(ReportState.class::cast), situation);
            default ->
                attachments
                        .foreign(name)
                        .map(stranger -> adoption.decide(stranger, situation))
                        .orElseGet(() -> decider.decide(
                                name, state.map(AttachmentState.class::cast).orElse(AttachmentState.NONE), situation));
        };
    }

    @Override
    public List<Concern> concerns(Key key, Caches caches) {
        return key.type().equals(ATTACHMENT) ? decider.concerns(key.object().name()) : List.of();
    }

    private Decision decidePod(ObjectKey pod, Optional<DesiredByPod> before, Situation situation) {
        Optional<Pod> found = situation.caches().get(Kinds.POD, pod);
        Optional<DesiredByPod> now = found.flatMap(p -> resolver.resolve(p, before, situation.caches()));
        Decision decision = Decision.nothing().withState(now.map(wanted -> wanted));
        return found.flatMap(p -> resolver.leftToTheNode(p, situation.caches())
                        .map(why -> decision.concerning(AttachEvents.concern(p)).waitingFor(why)))
                .orElse(decision);
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        if (key.type().equals(POD)) {
            Optional<DesiredByPod> was = before.map(DesiredByPod.class::cast);
            Optional<DesiredByPod> is = after.map(DesiredByPod.class::cast);
            pods.updateDrivers(
                    key.object(),
                    was.map(DesiredByPod::drivers).orElse(Set.of()),
                    is.map(DesiredByPod::drivers).orElse(Set.of()));
            List<DesiredAttachment> gone = was.map(DesiredByPod::wants).orElse(List.of());
            List<DesiredAttachment> now = is.map(DesiredByPod::wants).orElse(List.of());
            wants.update(gone, now).forEach(attachment -> routes.wantsChanged(attachment, gone, mailbox));
        } else if (key.type().equals(NODE)) {
            String node = key.object().name();
            routes.settled(node, reports.learn(node, after.map(ReportState.class::cast)), mailbox);
        } else if (key.type().equals(ATTACHMENT)) {
            Optional<Reservation> was = reservation(before);
            Optional<Reservation> is = reservation(after);
            if (!was.equals(is)) {
                attachments.reserve(was, is);
                // Only what is freed can help others.
                was.ifPresent(freed -> routes.others(freed.slot(), freed.use().sharing(), freed.attachment(), mailbox));
            }
        }
    }

    private static Optional<Reservation> reservation(Optional<KeyState> state) {
        return state.map(AttachmentState.class::cast)
                .flatMap(known -> known.creation().reserved());
    }
}
