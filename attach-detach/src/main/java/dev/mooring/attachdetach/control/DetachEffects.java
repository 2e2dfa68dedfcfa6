// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.attachdetach.calls.FenceCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the steps of an attachment on its way from a node are in effects. */
final class DetachEffects {
    private static final String DETACH_ERROR = "detach error";

    private final AttachmentSituation it;

    DetachEffects(AttachmentSituation subject) {
        this.it = subject;
    }

    Decision requestDetach() {
        String now = it.situation().now().wall().toString();
        return it.update(
                AttachmentOperations.REQUEST_DETACH,
                AttachmentObjects.annotated(it.object(), AttachmentAnnotations.DETACH_REQUESTED_AT, now),
                it.quiet());
    }

    Decision confirm() {
        return Decision.act(AttachmentObjects.confirmation(it.existing().name()))
                .withState(it.state().orForget());
    }

    Decision prove() {
        return Decision.act(new Effect.Read<>(
                        AttachmentOperations.PROVE_UNUSED,
                        Kinds.NODE,
                        ObjectKey.cluster(it.existing().node())))
                .withState(it.quiet().orForget());
    }

    Decision beginDetach() {
        if (it.existing().marks().id().isEmpty()) {
            return it.delete(
                    it.evidence() == ForceDetachEvidence.NONE
                            ? AttachmentOperations.BEGIN_DETACH
                            : AttachmentOperations.FORCE_DETACH + it.evidence().word());
        }
        VolumeAttachment begun =
                AttachmentObjects.annotated(it.object(), AttachmentAnnotations.PHASE, AttachmentAnnotations.DETACHING);
        VolumeAttachment grounded = it.evidence() == ForceDetachEvidence.NONE
                ? begun
                : AttachmentObjects.annotated(
                        begun, AttachmentAnnotations.EVIDENCE, it.evidence().word());
        return it.update(AttachmentOperations.BEGIN_DETACH, grounded, it.quiet().withoutAnswer());
    }

    Decision detach() {
        Call call = new DetachCall(it.existing().marks().volume(), it.id(), it.nodeRef(), it.uid());
        return it.perform(AttachmentOperations.DETACH, call, it.quiet());
    }

    Decision awaitDetacher() {
        Optional<VolumeError> error = it.object().status().detachError();
        String now = error.map(VolumeError::toString).orElse("");
        if (now.equals(it.state().told().getOrDefault(DETACH_ERROR, ""))) {
            return AttachmentSituation.remember(it.state());
        }
        List<Effect> news = new ArrayList<>();
        error.ifPresent(e -> news.add(it.detachNews(e.message())));
        return AttachmentSituation.remember(
                        it.state().telling(error.isPresent() ? Map.of(DETACH_ERROR, now) : Map.of()))
                .and(news);
    }

    Decision forget() {
        Optional<Effect> order = it.existing().marks().evidence() == ForceDetachEvidence.NONE
                ? Optional.empty()
                : it.fenceOrders().order(AttachmentOperations.ORDER_FENCE);
        if (order.isPresent()) {
            return Decision.act(order.get()).withState(it.quiet().orForget());
        }
        if (it.object().metadata().hasFinalizer(AttachmentAnnotations.FINALIZER)) {
            VolumeAttachment released =
                    it.object().withMetadata(it.object().metadata().withoutFinalizer(AttachmentAnnotations.FINALIZER));
            return it.update(AttachmentOperations.RELEASE, released, it.quiet());
        }
        // Another program's finalizer may still hold an object that is being deleted.
        return it.object().metadata().isDeleting()
                ? AttachmentSituation.remember(it.quiet())
                : it.delete(AttachmentOperations.FORGET);
    }

    /**
     * Has a lost node cut off; empty if it has to wait with that, and whatever else is to be done is to be done.
     *
     * @param proven whether it has just been read live that the node is lost
     */
    Optional<Decision> fence(boolean proven) {
        boolean fenced = it.situation()
                .resultOf(AttachmentOperations.FENCE)
                .filter(EffectResult::succeeded)
                .isPresent();
        if (fenced) {
            VolumeAttachment marked = AttachmentObjects.annotated(
                    it.object(), AttachmentAnnotations.EVIDENCE, ForceDetachEvidence.FENCED.word());
            return Optional.of(it.update(AttachmentOperations.MARK, marked, it.quiet()));
        }
        Call call = new FenceCall(it.existing().marks().volume(), it.id(), it.nodeRef(), it.uid());
        if (it.situation().backoff(AttachmentOperations.FENCE).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(proven ? it.perform(AttachmentOperations.FENCE, call, it.quiet()) : prove());
    }
}
