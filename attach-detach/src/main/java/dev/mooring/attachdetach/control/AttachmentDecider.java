// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.control.AttachConflicts.Holder;
import dev.mooring.attachdetach.control.Facts.NodeIs;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Decides about one attachment: gathers the facts, has {@link Step} choose, and has it put in effects. */
final class AttachmentDecider {
    private static final int MOST_TOLD = 5;

    private final AttachDetachOptions options;
    private final PluginRegistry plugins;
    private final DesiredAttachments wants;
    private final ActualAttachments attachments;
    private final AttachConflicts obstacles;
    private final Reports reports;

    AttachmentDecider(
            AttachDetachOptions options,
            PluginRegistry plugins,
            DesiredAttachments wants,
            ActualAttachments attachments,
            AttachConflicts obstacles,
            Reports reports) {
        this.options = options;
        this.plugins = plugins;
        this.wants = wants;
        this.attachments = attachments;
        this.obstacles = obstacles;
        this.reports = reports;
    }

    Decision decide(String name, AttachmentState before, Situation situation) {
        Optional<ActualAttachment> known = attachments.get(name);
        Collection<DesiredAttachment> all = wants.of(name);
        AttachmentState state = known.isEmpty()
                ? before.ofNoObject(situation)
                : learned(before.created(situation.now()), situation)
                        .in(known.get().phase());
        if (known.isEmpty() && state.creation().isToBeLookedFor(situation.now())) {
            // What a live read shows and no list does will be listed (kubernetes#48081): not read without end until
            // then.
            boolean hidden = situation
                    .resultOf(AttachmentOperations.CONFIRM)
                    .filter(EffectResult::succeeded)
                    .isPresent();
            Decision decision = hidden
                    ? Decision.nothing().wakeAfter(Defaults.BACKOFF_LONGEST)
                    : Decision.act(AttachmentObjects.confirmation(name));
            return decision.withState(state.orForget());
        }
        Decision decision =
                known.isEmpty() && all.isEmpty() ? Decision.nothing() : decide(name, state, known, all, situation);
        if (known.isPresent()) {
            decision = OtherNames.of(known.get(), all).told(decision, state);
        }
        return state.creation().lost().isPresent() ? remembering(state, decision, situation) : decision;
    }

    /** A creation that may still arrive is not forgotten, whatever else is decided, before its time is over. */
    private static Decision remembering(AttachmentState state, Decision decision, Situation situation) {
        Decision kept = decision.state().isPresent() ? decision : decision.withState(state.ofLoss());
        Duration left = state.creation().lost().orElseThrow().left(situation.now());
        return kept.wakeAfter().filter(earlier -> earlier.compareTo(left) <= 0).isPresent()
                ? kept
                : kept.wakeAfter(left);
    }

    private Decision decide(
            String name,
            AttachmentState state,
            Optional<ActualAttachment> known,
            Collection<DesiredAttachment> all,
            Situation situation) {
        String node = known.map(ActualAttachment::node)
                .orElseGet(() -> all.iterator().next().node());
        Optional<Node> nodeObject = situation.caches().get(Kinds.NODE, ObjectKey.cluster(node));
        ForceDetachEvidence evidence =
                evidence(known, nodeObject, situation.now().wall());
        // A pod that is being deleted on a node that does not answer will not begin to use anything.
        boolean released = evidence.releasesPods()
                || (known.isEmpty() && nodeObject.filter(n -> !n.isReady()).isPresent());
        // What is only remembered of a pod keeps what is there and begins nothing.
        List<DesiredAttachment> living = all.stream()
                .filter(want -> !(want.podDeleting() && released))
                .filter(want -> known.isPresent() ? known.get().serves(want) : !want.remembered())
                .toList();
        AttachmentSituation subject = new AttachmentSituation(
                name,
                known,
                living,
                nodeObject,
                evidence,
                state,
                situation,
                obstacles,
                canFence(known),
                compares(known));
        Optional<Decision> answered = new Failures(subject).answer();
        if (answered.isPresent()) {
            return answered.get().concerning(concerns(subject));
        }
        List<Holder> holders = holders(name, node, known, all, situation);
        boolean fences = known.isPresent() && mayFence(known.get(), all, nodeObject, evidence);
        Optional<Decision> fencing = fences ? new DetachEffects(subject).fence(isProven(situation)) : Optional.empty();
        if (fencing.isPresent()) {
            return fencing.get().concerning(concerns(subject));
        }
        Facts facts = facts(known, living, nodeObject, evidence, holders, state, situation);
        Step step = Step.of(facts);
        boolean kept = step == Step.KEEP && subject.object().metadata().isDeleting();
        Decision decision = decide(step, subject, holders)
                .concerning(
                        kept ? List.of(AttachEvents.concern(subject.object()).asNormal()) : concerns(subject));
        Optional<String> waitsFor = new Waiting(subject).reason(step);
        Decision waiting = waitsFor.map(decision::waitingFor).orElse(decision);
        return fences ? subject.after(AttachmentOperations.FENCE, waiting) : waiting;
    }

    private static List<Concern> concerns(AttachmentSituation subject) {
        return concerns(subject.wants(), subject.known());
    }

    /** The objects that wait for an attachment of this name. */
    List<Concern> concerns(String name) {
        return concerns(wants.of(name), attachments.get(name));
    }

    /** What waits: the pods that want the volume. The attachment waits too if no pod does, or if it is to be detached. */
    private static List<Concern> concerns(Collection<DesiredAttachment> wants, Optional<ActualAttachment> known) {
        List<Concern> pods = wants.stream()
                .filter(want -> !want.podDeleting())
                .limit(MOST_TOLD)
                .map(AttachEvents::concern)
                .toList();
        Optional<Concern> attachment = known.filter(attached -> pods.isEmpty()
                        || attached.object().metadata().isDeleting()
                        || attached.marks().detachRequestedAt().isPresent())
                .map(attached -> AttachEvents.concern(attached.object()));
        return Stream.concat(pods.stream(), attachment.stream()).toList();
    }

    private Decision decide(Step step, AttachmentSituation subject, List<Holder> holders) {
        AttachEffects attaching = new AttachEffects(subject);
        DetachEffects detaching = new DetachEffects(subject);
        Decision decision = switch (step) {
            case NOTHING, STAY, AWAIT_DELISTED, AWAIT_UNUSED -> subject.idle();
            case CREATE -> attaching.create();
            case AWAIT_SLOT -> attaching.awaitSlot(holders, usersAt(holders, subject.slot()));
            case CONFIRM -> detaching.confirm();
            case ATTACH -> attaching.attach();
            case SHOW_ATTACHED -> attaching.showAttached();
            case AWAIT_ATTACHER -> attaching.awaitAttacher();
            case KEEP -> attaching.keep(holders, usersAt(holders, subject.slot()));
            case WITHDRAW -> attaching.withdraw();
            case MOVE_TO_NEW_NODE -> attaching.moveToNewNode();
            case REQUEST_DETACH -> detaching.requestDetach();
            case PROVE -> detaching.prove();
            case BEGIN_DETACH -> detaching.beginDetach();
            case DETACH -> detaching.detach();
            case AWAIT_DETACHER -> detaching.awaitDetacher();
            case FORGET -> detaching.forget();
        };
        Optional<Duration> force = subject.known()
                .filter(k -> step == Step.AWAIT_UNUSED)
                .flatMap(k -> timeUntilForce(
                        k, subject.node(), subject.situation().now().wall()));
        return force.isPresent() ? decision.wakeAfter(force.get()) : decision;
    }

    private static AttachmentState learned(AttachmentState state, Situation situation) {
        Optional<Outcome<?>> attached =
                situation.resultOf(AttachmentOperations.ATTACH).flatMap(EffectResult::outcome);
        Optional<Outcome<?>> detached =
                situation.resultOf(AttachmentOperations.DETACH).flatMap(EffectResult::outcome);
        Optional<EffectResult> cleared = situation.resultOf(AttachmentOperations.CLEAR);
        AttachmentState now = cleared.map(result -> state.unshown().cleared(result.succeeded()))
                .map(state::with)
                .orElse(state);
        if (attached.filter(Outcome::isDone).isPresent()) {
            now = now.answered(metadata(attached.get()));
        }
        return detached.filter(Outcome::isDone).isPresent()
                ? now.with(now.unshown().detached())
                : now;
    }

    private static Map<String, String> metadata(Outcome<?> outcome) {
        Map<String, String> metadata = new TreeMap<>();
        Optional<?> result = outcome.result();
        if (result.isPresent() && result.get() instanceof Map<?, ?> answer) {
            answer.forEach((key, value) -> metadata.put(String.valueOf(key), String.valueOf(value)));
        }
        return metadata;
    }

    private List<Holder> holders(
            String name,
            String node,
            Optional<ActualAttachment> known,
            Collection<DesiredAttachment> all,
            Situation situation) {
        String slot = known.map(k -> k.marks().slot())
                .orElseGet(() -> all.iterator().next().volume().slot());
        return obstacles.of(name, slot, node, situation.caches());
    }

    private Facts facts(
            Optional<ActualAttachment> known,
            List<DesiredAttachment> living,
            Optional<Node> node,
            ForceDetachEvidence evidence,
            List<Holder> holders,
            AttachmentState state,
            Situation situation) {
        Optional<AttachmentAnnotations> marks = known.map(ActualAttachment::marks);
        String reportedName = marks.map(AttachmentAnnotations::reportedName)
                .orElseGet(() -> living.isEmpty() ? "" : living.get(0).volume().reportedName());
        Phase phase = known.map(ActualAttachment::phase).orElse(Phase.ABSENT);
        return new Facts(
                phase,
                known.filter(k -> attachments.isCertain(k.name())).isPresent(),
                !living.isEmpty(),
                marks.map(m -> m.id().isPresent()).orElse(false),
                known.map(k -> k.object().metadata().isDeleting()).orElse(false),
                marks.flatMap(AttachmentAnnotations::detachRequestedAt).isPresent(),
                holders.isEmpty(),
                phase == Phase.ATTACHING && holders.stream().anyMatch(Holder::goesFirst),
                nodeIs(marks, node),
                node.map(n -> lists(n, reportedName)
                                || reports.mayStillList(n.metadata().name(), reportedName))
                        .orElse(false),
                node.map(n -> n.status().volumesInUse().contains(reportedName)).orElse(false),
                isProven(situation),
                evidence,
                state.unshown().answer().isPresent(),
                state.unshown().undone());
    }

    private static boolean lists(Node node, String reportedName) {
        return node.status().volumesAttached().stream()
                .anyMatch(volume -> volume.name().equals(reportedName));
    }

    private static NodeIs nodeIs(Optional<AttachmentAnnotations> marks, Optional<Node> node) {
        if (node.isEmpty()) {
            return NodeIs.GONE;
        }
        boolean same = marks.map(AttachmentAnnotations::nodeUid)
                .filter(uid ->
                        !uid.isEmpty() && !uid.equals(node.get().metadata().uid()))
                .isEmpty();
        return same ? NodeIs.THERE : NodeIs.ANOTHER;
    }

    /** The Node was read live just now; what was read is in the cache. That there is none is an answer too. */
    private static boolean isProven(Situation situation) {
        return situation
                .resultOf(AttachmentOperations.PROVE_UNUSED)
                .filter(result -> result.succeeded() || result.storeFailure().equals(Optional.of(Failure.NOT_FOUND)))
                .isPresent();
    }

    private ForceDetachEvidence evidence(Optional<ActualAttachment> known, Optional<Node> node, Instant now) {
        ForceDetachEvidence recorded = known.map(k -> k.marks().evidence()).orElse(ForceDetachEvidence.NONE);
        if (recorded != ForceDetachEvidence.NONE) {
            return recorded;
        }
        NodeIs is = nodeIs(known.map(ActualAttachment::marks), node);
        if (is != NodeIs.THERE && !options.detachFromDeletedNodes()) {
            return ForceDetachEvidence.NONE;
        } else if (node.filter(AttachmentDecider::isOutOfService).isPresent()) {
            return ForceDetachEvidence
                    .OUT_OF_SERVICE; // also of another Node of the name, which would not let go any more
        } else if (is != NodeIs.THERE) {
            return ForceDetachEvidence.NODE_GONE;
        }
        boolean timeIsOut = known.flatMap(k -> timeUntilForce(k, node, now))
                .filter(left -> left.isNegative() || left.isZero())
                .isPresent();
        return timeIsOut ? ForceDetachEvidence.TIME_OUT : ForceDetachEvidence.NONE;
    }

    /** Whether a person states that a node, which does not answer, is off (semantics/attach-and-mount §1.11, H5). */
    private static boolean isOutOfService(Node node) {
        return !node.isReady() && node.hasOutOfServiceTaint();
    }

    /** How long until a detachment from a node that is not ready is forced; empty if it never is. */
    private Optional<Duration> timeUntilForce(ActualAttachment known, Optional<Node> node, Instant now) {
        return options.forceAfter()
                .filter(after -> node.filter(n -> !n.isReady()).isPresent())
                .flatMap(after ->
                        known.marks().detachRequestedAt().map(since -> Duration.between(now, since.plus(after))));
    }

    private boolean compares(Optional<ActualAttachment> known) {
        return known.flatMap(k -> k.marks().id())
                .flatMap(id -> plugins.capability(id.plugin(), Attaching.class))
                .filter(Attaching::tellsAttachments)
                .isPresent();
    }

    private boolean canFence(Optional<ActualAttachment> known) {
        return known.flatMap(k -> k.marks().id())
                .flatMap(id -> plugins.capability(id.plugin(), Fencing.class))
                .isPresent();
    }

    /** A lost node is cut off only if another node waits for the volume, and no pod of the lost one will use it again. */
    private boolean mayFence(
            ActualAttachment known,
            Collection<DesiredAttachment> all,
            Optional<Node> node,
            ForceDetachEvidence evidence) {
        return options.fenceLostNodes()
                && canFence(Optional.of(known))
                && evidence == ForceDetachEvidence.NONE
                && known.phase() != Phase.DETACHING
                && node.filter(n -> !n.isReady()).isPresent()
                && all.stream().allMatch(DesiredAttachment::podDeleting)
                && wants.ofSlot(known.marks().slot()).stream().anyMatch(other -> !other.equals(known.name()));
    }

    /** The pods that use a volume on the nodes that hold it. */
    private Collection<DesiredAttachment> usersAt(List<Holder> holders, String slot) {
        Map<String, DesiredAttachment> users = new TreeMap<>();
        for (String attachment : wants.ofSlot(slot)) {
            for (DesiredAttachment want : wants.of(attachment)) {
                if (holders.stream().anyMatch(holder -> holder.node().equals(want.node()))) {
                    users.put(want.key(), want);
                }
            }
        }
        return users.values();
    }
}
