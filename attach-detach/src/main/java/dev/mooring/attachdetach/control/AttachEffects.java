// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.CompareCall;
import dev.mooring.attachdetach.calls.CompareCall.Compared;
import dev.mooring.attachdetach.calls.UnfenceCall;
import dev.mooring.attachdetach.control.ActualAttachments.Reservation;
import dev.mooring.attachdetach.control.AttachConflicts.Holder;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the steps of an attachment on its way to a node, and there, are in effects. */
final class AttachEffects {
    private static final String ATTACH_ERROR = "attach error";

    private final AttachmentSituation it;

    AttachEffects(AttachmentSituation subject) {
        this.it = subject;
    }

    Decision create() {
        DesiredAttachment want = it.wants().get(0);
        Sharing.Use use = it.obstacles().useOf(it.name());
        VolumeAttachment wanted = AttachmentObjects.wanted(want, it.node().orElseThrow(), use);
        return Decision.act(new Effect.Create<>(AttachmentOperations.CREATE, Kinds.VOLUME_ATTACHMENT, wanted))
                .withState(it.quiet().creating(new Reservation(want.volume().slot(), it.name(), want.node(), use)));
    }

    /** Tells each pod what is new for it (H16: once per situation, and again when the situation changes). */
    Decision awaitSlot(List<Holder> holders, Collection<DesiredAttachment> users) {
        return awaitSlot(it.wants(), holders, users);
    }

    private Decision awaitSlot(
            List<DesiredAttachment> waiting, List<Holder> holders, Collection<DesiredAttachment> users) {
        Map<String, String> told = new TreeMap<>();
        List<Effect> news = new ArrayList<>();
        for (DesiredAttachment want : waiting) {
            String now = AttachEvents.situation(want, holders, users);
            told.put(want.key(), now);
            if (!now.equals(it.state().told().get(want.key()))) {
                String message = AttachEvents.multiAttach(want, holders, users);
                news.add(AttachEvents.toPod(want, true, AttachEvents.FAILED, message));
            }
        }
        return AttachmentSituation.remember(it.state().telling(told)).and(news);
    }

    Decision attach() {
        FenceOrders orders = it.fenceOrders();
        if (orders.nameThisNode()) {
            return letIn(orders);
        }
        DesiredAttachment want = it.wants().get(0);
        Call call = new AttachCall(
                it.id().plugin(), it.existing().marks().volume(), want.volume().spec(), it.nodeRef(), it.uid());
        return it.perform(AttachmentOperations.ATTACH, call, it.quiet().toAnnounce());
    }

    /** This node had lost the volume by force; it has come back and gets it again. */
    private Decision letIn(FenceOrders orders) {
        boolean done = it.situation()
                .resultOf(AttachmentOperations.UNFENCE)
                .filter(EffectResult::succeeded)
                .isPresent();
        return done || !it.fences()
                ? Decision.act(orders.lift(AttachmentOperations.LIFT_FENCE))
                        .withState(it.quiet().orForget())
                : it.perform(
                        AttachmentOperations.UNFENCE,
                        new UnfenceCall(it.existing().marks().volume(), it.id(), it.nodeRef(), it.uid()),
                        it.quiet().toAnnounce());
    }

    Decision showAttached() {
        Map<String, String> metadata =
                it.fenceOrders().addedTo(it.state().unshown().answer().orElseThrow());
        return it.status(
                AttachmentOperations.SHOW_ATTACHED, AttachmentObjects.attached(it.object(), metadata), it.quiet());
    }

    /** An error of an earlier attempt is news for people and no more than that (H17). */
    Decision awaitAttacher() {
        Optional<VolumeError> error = it.object().status().attachError();
        String now = error.map(VolumeError::toString).orElse("");
        if (now.equals(it.state().told().getOrDefault(ATTACH_ERROR, ""))) {
            return AttachmentSituation.remember(it.state().toAnnounce());
        }
        Map<String, String> told = error.isPresent() ? Map.of(ATTACH_ERROR, now) : Map.of();
        List<Effect> news = new ArrayList<>();
        error.ifPresent(e -> it.wants()
                .forEach(want -> news.add(
                        AttachEvents.toPod(want, true, AttachEvents.FAILED, AttachEvents.failed(want, e.message())))));
        return AttachmentSituation.remember(it.state().toAnnounce().telling(told))
                .and(news);
    }

    Decision keep(List<Holder> holders, Collection<DesiredAttachment> users) {
        if (it.evidence() == ForceDetachEvidence.OPERATOR
                && it.node().filter(Node::isReady).isPresent()) {
            return takeBackTheWord();
        }
        String uid = it.node().map(node -> node.metadata().uid()).orElse("");
        if (it.existing().marks().nodeUid().isEmpty() && !uid.isEmpty()) {
            // It was written down before its Node was known; as long as it speaks of none, it is not listed.
            return it.update(
                    AttachmentOperations.MARK,
                    AttachmentObjects.annotated(it.object(), AttachmentAnnotations.NODE_UID, uid),
                    it.state());
        }
        Sharing.Use recorded = it.existing().marks().use();
        boolean writesAnew = recorded.readOnly() && !it.obstacles().wantedReadOnly(it.name());
        if (writesAnew && recorded.sharing() == Sharing.READERS && !holders.isEmpty()) {
            return awaitSlot(
                    it.wants().stream().filter(want -> !want.readOnly()).toList(), holders, users);
        } else if (writesAnew) {
            VolumeAttachment written =
                    AttachmentObjects.annotated(it.object(), AttachmentAnnotations.READ_ONLY, "false");
            return it.update(AttachmentOperations.MARK, written, it.quiet());
        }
        List<Effect> news = new ArrayList<>();
        if (it.state().unannounced()) {
            it.wants()
                    .forEach(want -> news.add(
                            AttachEvents.toPod(want, false, AttachEvents.SUCCESSFUL, AttachEvents.attached(want))));
        }
        return it.compares() && it.node().filter(Node::isReady).isPresent()
                ? compare().and(news)
                : Decision.nothing().and(news);
    }

    /** What was detached behind the back of its attachment is attached again, and people are told. */
    private Decision compare() {
        AttachmentComparison comparison = AttachmentComparison.next(it.state().compared(), it.situation());
        AttachmentState then = it.state().staying(comparison);
        Optional<Compared> again = AttachmentComparison.attachedAgain(it.situation());
        if (again.isPresent()) {
            VolumeAttachment shown = AttachmentObjects.attached(
                    it.object(), it.fenceOrders().addedTo(again.get().metadata()));
            Decision decision = shown.equals(it.object())
                    ? AttachmentSituation.remember(then)
                    : it.status(AttachmentOperations.SHOW_ATTACHED, shown, then);
            return decision.wakeAfter(comparison.left(it.situation().now()))
                    .and(AttachEvents.aboutAttachment(
                            it.object(),
                            AttachmentComparison.LOST,
                            AttachmentComparison.told(
                                    it.existing().marks().volume(),
                                    it.existing().node())));
        }
        Duration left = it.situation()
                .backoff(AttachmentOperations.COMPARE)
                .orElseGet(() -> comparison.left(it.situation().now()));
        if (!left.isNegative() && !left.isZero()) {
            return AttachmentSituation.remember(then).wakeAfter(left);
        }
        Call call = new CompareCall(
                it.id().plugin(),
                it.existing().marks().volume(),
                it.wants().get(0).volume().spec(),
                it.nodeRef(),
                it.uid());
        return it.perform(AttachmentOperations.COMPARE, call, then);
    }

    /** What a person said of a node that did not let go holds for that time, and not for when it lets go by itself years later (S2). */
    private Decision takeBackTheWord() {
        VolumeAttachment unforced = AttachmentObjects.without(it.object(), AttachmentAnnotations.FORCE);
        return it.update(AttachmentOperations.MARK, unforced, it.state())
                .and(AttachEvents.aboutAttachment(
                        it.object(),
                        AttachEvents.FORCE_IGNORED,
                        "node " + it.object().spec().nodeName() + " is ready and a pod there needs the volume, so "
                                + AttachmentAnnotations.FORCE + " is taken away; set it when the pod is deleted"));
    }

    Decision withdraw() {
        VolumeAttachment wanted = AttachmentObjects.without(it.object(), AttachmentAnnotations.DETACH_REQUESTED_AT);
        return it.update(AttachmentOperations.WITHDRAW, wanted, it.quiet());
    }

    /**
     * First it is said that nothing is known to be attached, then where. An attacher that attaches it between the two does so to the Node
     * that is there now: to take that back too would go on for as long as it is that quick (L5).
     */
    Decision moveToNewNode() {
        String uid = it.node().orElseThrow().metadata().uid();
        if (it.object().status().attached() && !it.state().unshown().isClearedFor(uid)) {
            AttachmentState clearing = it.quiet().with(it.state().unshown().clearing(uid));
            return it.status(AttachmentOperations.CLEAR, AttachmentObjects.unattached(it.object()), clearing);
        }
        VolumeAttachment cleared = AttachmentObjects.without(
                AttachmentObjects.without(it.object(), AttachmentAnnotations.DETACH_REQUESTED_AT),
                AttachmentAnnotations.FORCE);
        VolumeAttachment moved = AttachmentObjects.annotated(cleared, AttachmentAnnotations.NODE_UID, uid);
        return it.update(AttachmentOperations.MOVE, moved, it.quiet().withoutAnswer());
    }
}
