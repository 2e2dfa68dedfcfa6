// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.attachdetach.calls.FenceCall;
import dev.mooring.attachdetach.calls.UnfenceCall;
import dev.mooring.attachdetach.control.Attachments.Reservation;
import dev.mooring.attachdetach.control.Obstacles.Holder;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Revision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the steps of one attachment are in effects. Made for one decision. */
final class Actions {
    private static final String ATTACH_ERROR = "attach error";
    private static final String DETACH_ERROR = "detach error";

    private final String name;
    private final Optional<Known> known;
    private final List<Want> wants;
    private final Optional<Node> node;
    private final Evidence evidence;
    private final AttachmentState state;
    private final Situation situation;
    private final Obstacles obstacles;
    private final boolean fences;

    Actions(
            String name,
            Optional<Known> known,
            List<Want> wants,
            Optional<Node> node,
            Evidence evidence,
            AttachmentState state,
            Situation situation,
            Obstacles obstacles,
            boolean fences) {
        this.name = name;
        this.known = known;
        this.wants = wants;
        this.node = node;
        this.evidence = evidence;
        this.state = state;
        this.situation = situation;
        this.obstacles = obstacles;
        this.fences = fences;
    }

    /** Which volume. */
    String slot() {
        return known.map(k -> k.marks().slot())
                .orElseGet(() -> wants.isEmpty() ? "" : wants.get(0).volume().slot());
    }

    // ---- attaching ----

    Decision create() {
        Want want = wants.get(0);
        Sharing.Use use = obstacles.useOf(name);
        Effect create = new Effect.Create<>(
                Operations.CREATE, Kinds.VOLUME_ATTACHMENT, AttachmentObjects.wanted(want, node.orElseThrow(), use));
        return Decision.act(create)
                .withState(quiet().creating(new Reservation(want.volume().slot(), name, want.node(), use)));
    }

    /** Tells each pod what is new for it (H16: once per situation, and again when the situation changes). */
    Decision awaitSlot(List<Holder> holders, Collection<Want> users) {
        Map<String, String> told = new TreeMap<>();
        List<Effect> news = new ArrayList<>();
        for (Want want : wants) {
            String situation = AttachEvents.situation(want, holders, users);
            told.put(want.key(), situation);
            if (!situation.equals(state.told().get(want.key()))) {
                String message = AttachEvents.multiAttach(want, holders, users);
                news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, message));
            }
        }
        return remember(state.telling(told)).and(news);
    }

    Decision attach() {
        FenceOrders orders = fenceOrders();
        if (orders.nameThisNode()) {
            return letIn(orders);
        }
        Want want = wants.get(0);
        Call call = new AttachCall(
                id().plugin(), known().marks().volume(), want.volume().spec(), nodeRef());
        return perform(Operations.ATTACH, call, quiet().toAnnounce());
    }

    /** This node had lost the volume by force; it has come back and gets it again. */
    private Decision letIn(FenceOrders orders) {
        boolean done = situation
                .resultOf(Operations.UNFENCE)
                .filter(EffectResult::succeeded)
                .isPresent();
        return done || !fences
                ? Decision.act(orders.lift(Operations.LIFT_FENCE)).withState(quiet().orForget())
                : perform(
                        Operations.UNFENCE,
                        new UnfenceCall(known().marks().volume(), id(), nodeRef()),
                        quiet().toAnnounce());
    }

    Decision showAttached() {
        Map<String, String> metadata =
                fenceOrders().addedTo(state.unshown().answer().orElseThrow());
        return status(Operations.SHOW_ATTACHED, AttachmentObjects.attached(object(), metadata), quiet());
    }

    private FenceOrders fenceOrders() {
        Optional<PersistentVolume> volume = object().spec()
                .source()
                .persistentVolumeName()
                .flatMap(named -> situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(named)));
        return new FenceOrders(volume, known().marks().nodeUid());
    }

    /** An error of an earlier attempt is news for people and no more than that (H17). */
    Decision awaitAttacher() {
        Optional<VolumeError> error = object().status().attachError();
        String now = error.map(VolumeError::toString).orElse("");
        if (now.equals(state.told().getOrDefault(ATTACH_ERROR, ""))) {
            return remember(state.toAnnounce());
        }
        Map<String, String> told = error.isPresent() ? Map.of(ATTACH_ERROR, now) : Map.of();
        List<Effect> news = new ArrayList<>();
        error.ifPresent(e -> wants.forEach(want ->
                news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, AttachEvents.failed(want, e.message())))));
        return remember(state.toAnnounce().telling(told)).and(news);
    }

    Decision keep(List<Holder> holders, Collection<Want> users) {
        Sharing.Use recorded = known().marks().use();
        boolean writesAnew = recorded.readOnly() && !obstacles.wantedReadOnly(name);
        if (writesAnew && recorded.sharing() == Sharing.READERS && !holders.isEmpty()) {
            return awaitSlot(holders, users);
        } else if (writesAnew) {
            return update(Operations.MARK, AttachmentObjects.annotated(object(), Marks.READ_ONLY, "false"), quiet());
        }
        List<Effect> news = new ArrayList<>();
        if (state.unannounced()) {
            wants.forEach(want ->
                    news.add(AttachEvents.toPod(want, false, AttachEvents.SUCCESSFUL, AttachEvents.attached(want))));
        }
        return Decision.nothing().and(news);
    }

    Decision withdraw() {
        return update(Operations.WITHDRAW, AttachmentObjects.without(object(), Marks.DETACH_REQUESTED_AT), quiet());
    }

    /**
     * First it is said that nothing is known to be attached, then where. An attacher that attaches it between the two does so to the Node
     * that is there now: to take that back too would go on for as long as it is that quick (L5).
     */
    Decision moveToNewNode() {
        String uid = node.orElseThrow().metadata().uid();
        if (object().status().attached() && !state.unshown().isClearedFor(uid)) {
            AttachmentState clearing = quiet().with(state.unshown().clearing(uid));
            return status(Operations.CLEAR, AttachmentObjects.unattached(object()), clearing);
        }
        VolumeAttachment moved = AttachmentObjects.annotated(
                AttachmentObjects.without(object(), Marks.DETACH_REQUESTED_AT), Marks.NODE_UID, uid);
        return update(Operations.MOVE, moved, quiet().withoutAnswer());
    }

    // ---- detaching ----

    Decision requestDetach() {
        String now = situation.now().wall().toString();
        return update(
                Operations.REQUEST_DETACH,
                AttachmentObjects.annotated(object(), Marks.DETACH_REQUESTED_AT, now),
                quiet());
    }

    Decision confirm() {
        return Decision.act(new Effect.Read<>(
                        Operations.CONFIRM, Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(known().name())))
                .withState(state.orForget());
    }

    Decision prove() {
        return Decision.act(new Effect.Read<>(Operations.PROVE_UNUSED, Kinds.NODE, ObjectKey.cluster(known().node())))
                .withState(quiet().orForget());
    }

    Decision beginDetach() {
        if (known().marks().id().isEmpty()) {
            return delete(Operations.BEGIN_DETACH);
        }
        VolumeAttachment begun = AttachmentObjects.annotated(object(), Marks.PHASE, Marks.DETACHING);
        return update(
                Operations.BEGIN_DETACH,
                evidence == Evidence.NONE ? begun : AttachmentObjects.annotated(begun, Marks.EVIDENCE, evidence.word()),
                quiet().withoutAnswer());
    }

    Decision detach() {
        return perform(Operations.DETACH, new DetachCall(known().marks().volume(), id(), nodeRef()), quiet());
    }

    Decision awaitDetacher() {
        Optional<VolumeError> error = object().status().detachError();
        String now = error.map(VolumeError::toString).orElse("");
        if (now.equals(state.told().getOrDefault(DETACH_ERROR, ""))) {
            return remember(state);
        }
        List<Effect> news = new ArrayList<>();
        error.ifPresent(e -> news.add(detachNews(e.message())));
        return remember(state.telling(error.isPresent() ? Map.of(DETACH_ERROR, now) : Map.of()))
                .and(news);
    }

    Decision forget() {
        Optional<Effect> order = known().marks().evidence() == Evidence.NONE
                ? Optional.empty()
                : fenceOrders().order(Operations.ORDER_FENCE);
        if (order.isPresent()) {
            return Decision.act(order.get()).withState(quiet().orForget());
        }
        if (object().metadata().hasFinalizer(Marks.FINALIZER)) {
            VolumeAttachment released =
                    object().withMetadata(object().metadata().withoutFinalizer(Marks.FINALIZER));
            return update(Operations.RELEASE, released, quiet());
        }
        // Somebody else's finalizer may still hold an object that is being deleted.
        return object().metadata().isDeleting() ? remember(quiet()) : delete(Operations.FORGET);
    }

    /**
     * Has a lost node cut off; empty if it has to wait with that, and whatever else is to be done is to be done.
     *
     * @param proven whether it has just been read live that the node is lost
     */
    Optional<Decision> fence(boolean proven) {
        boolean fenced = situation
                .resultOf(Operations.FENCE)
                .filter(EffectResult::succeeded)
                .isPresent();
        if (fenced) {
            VolumeAttachment marked = AttachmentObjects.annotated(object(), Marks.EVIDENCE, Evidence.FENCED.word());
            return Optional.of(update(Operations.MARK, marked, quiet()));
        }
        Call call = new FenceCall(known().marks().volume(), id(), nodeRef());
        if (situation.backoff(Operations.FENCE).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(proven ? perform(Operations.FENCE, call, quiet()) : prove());
    }

    // ---- failures ----

    /** Tells of a call that has just failed; what comes next is decided when that is written. */
    Optional<Decision> answerToFailure() {
        Optional<EffectResult> create = failed(Operations.CREATE).filter(result -> known.isEmpty());
        if (create.isPresent()
                && !wants.isEmpty()
                && situation.backoff(Operations.CREATE).isPresent()) {
            return Optional.of(failedToAttach(Operations.CREATE, create.get().message(), Decision.nothing()));
        } else if (known.isEmpty()) {
            return Optional.empty();
        }
        return failed(Operations.ATTACH)
                .or(() -> failed(Operations.UNFENCE))
                .filter(result -> !wants.isEmpty())
                .map(result -> attachFailed(
                        result.effect().operation(), result.outcome().orElseThrow()))
                .or(() -> failed(Operations.DETACH)
                        .map(result -> detachFailed(result.outcome().orElseThrow())))
                .or(() -> failed(Operations.FENCE)
                        .map(result -> after(
                                Operations.FENCE,
                                remember(state)
                                        .and(AttachEvents.aboutAttachment(
                                                object(),
                                                AttachEvents.FAILED_DETACH,
                                                "node " + known().node() + " could not be cut off from volume \""
                                                        + known().marks().volume() + "\": " + result.message())))));
    }

    private Optional<EffectResult> failed(String operation) {
        return situation.resultOf(operation).filter(result -> !result.succeeded());
    }

    private Decision attachFailed(String operation, Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.attachFailed(
                object(), outcome, situation.now().wall());
        Decision write = shown.equals(object()) ? Decision.nothing() : status(Operations.SHOW_ERROR, shown, state);
        Dangling dangling = new Dangling(wants.get(0), obstacles.attachments());
        List<NodeRef> unknown = dangling.unknown(outcome);
        List<Effect> recorded = new ArrayList<>();
        unknown.forEach(there ->
                recorded.add(dangling.record(there, situation.caches().get(Kinds.NODE, Dangling.key(there)))));
        String why = unknown.isEmpty()
                ? outcome.message()
                : outcome.message() + "; it is detached first from "
                        + unknown.stream().map(there -> "node " + there.name()).collect(Collectors.joining(", "))
                        + " unless it is in use there";
        return failedToAttach(operation, why, write.and(recorded));
    }

    private Decision failedToAttach(String operation, String why, Decision write) {
        List<Effect> news = new ArrayList<>();
        wants.forEach(
                want -> news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, AttachEvents.failed(want, why))));
        return after(
                operation, write.and(news).withState(quiet().withoutAnswer().orForget()));
    }

    private Decision detachFailed(Outcome<?> outcome) {
        VolumeAttachment shown = AttachmentObjects.detachFailed(
                object(), outcome, situation.now().wall());
        Decision write = shown.equals(object()) ? Decision.nothing() : status(Operations.SHOW_ERROR, shown, state);
        return after(Operations.DETACH, write.and(detachNews(outcome.message())).withState(quiet().orForget()));
    }

    private Effect detachNews(String why) {
        return AttachEvents.aboutAttachment(
                object(),
                AttachEvents.FAILED_DETACH,
                AttachEvents.detachFailed(known().marks().volume(), known().node(), why));
    }

    /** Decides again when the operation may be repeated. */
    Decision after(String operation, Decision decision) {
        return situation.backoff(operation).map(decision::wakeAfter).orElse(decision);
    }

    // ---- common ----

    Decision idle() {
        return remember(quiet());
    }

    private AttachmentState quiet() {
        return state.told().isEmpty() ? state : state.telling(Map.of());
    }

    private static Decision remember(AttachmentState remembered) {
        return Decision.nothing().withState(remembered.orForget());
    }

    private Known known() {
        return known.orElseThrow();
    }

    private VolumeAttachment object() {
        return known().object();
    }

    private VolumeId id() {
        return known().marks().id().orElseThrow();
    }

    /** The node as it was when the intent was written down. */
    private NodeRef nodeRef() {
        return new NodeRef(known().node(), known().marks().nodeUid());
    }

    private Decision perform(String operation, Call call, AttachmentState then) {
        // One call at a time for a volume that only one node may have, whichever node it is about (S1, S10, S11).
        boolean single = known().marks().use().sharing() != Sharing.ANY;
        String volume = single ? slot() : slot() + " " + known().node();
        Target target = new Target(id().plugin().value(), volume);
        return Decision.act(new Effect.Perform(operation, call, Optional.of(target), Defaults.MOUNT_TIME_LIMIT))
                .withState(then.orForget());
    }

    private Decision update(String operation, VolumeAttachment edited, AttachmentState then) {
        return Decision.act(new Effect.Update<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(object(), edited)))
                .withState(then.orForget());
    }

    private Decision status(String operation, VolumeAttachment edited, AttachmentState then) {
        return Decision.act(
                        new Effect.UpdateStatus<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(object(), edited)))
                .withState(then.orForget());
    }

    /**
     * Deletes the object as it is known. A deletion whose answer is lost may arrive when the volume is wanted again, and no longer: before
     * anything is listed or mounted anew, another write takes the request to detach back.
     */
    private Decision delete(String operation) {
        DeleteOptions exactly = DeleteOptions.exactly(
                object().metadata().uid(), Revision.parse(object().metadata().resourceVersion()));
        return Decision.act(new Effect.Delete<>(operation, Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name), exactly))
                .withState(quiet().orForget());
    }
}
