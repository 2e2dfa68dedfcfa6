// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;

/** A claim whose binding was completed once (semantics/binder §1.5; the rows are named in the branches). */
final class BoundClaim {
    private final BinderContext context;
    private final Binding binding;

    BoundClaim(BinderContext context) {
        this.context = context;
        this.binding = new Binding(context);
    }

    Decision decide(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        String volumeName = claim.spec().volumeName();
        if (volumeName.isEmpty()) {
            return lost(
                    claim,
                    state.idle().by(BinderRule.B1),
                    "ClaimLost",
                    "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!"); // B1
        }
        Optional<PersistentVolume> volume = BinderContext.volume(situation.caches(), volumeName);
        if (volume.isEmpty()) {
            return goneOrConfirm(claim, state.idle().by(BinderRule.B2), situation)
                    .orElseGet(() -> lost(
                            claim,
                            state.idle().by(BinderRule.B2),
                            "ClaimLost",
                            "Bound claim has lost its PersistentVolume. Data on the volume is lost!")); // B2
        }
        if (context.indexes().reservedForOther(volume.get(), claim) || mustWait(volume.get(), claim)) {
            // Another claim is being bound to it, or its storage is being reclaimed. The end of either
            // wakes us.
            return Decision.remember(state.by(BinderRule.D6))
                    .waitingFor("volume \"" + volumeName
                            + "\" is being bound to another claim, is being reclaimed, or is not valid");
        }
        if (mayBind(volume.get(), claim)) {
            BinderRule rule = Transitions.isBoundTo(volume.get(), claim) ? BinderRule.B4 : BinderRule.B3;
            return binding.next(
                    volume.get(), claim, state.by(rule), situation); // B3, B4, and B5 with an empty uid (D7)
        }
        return seenOrConfirm(claim, state.idle().by(BinderRule.B5), situation)
                .orElseGet(() -> lost(
                        claim,
                        state.idle().by(BinderRule.B5),
                        "ClaimMisbound",
                        "Two claims are bound to the same volume, this one is bound incorrectly")); // B5
    }

    private static boolean mustWait(PersistentVolume volume, PersistentVolumeClaim claim) {
        boolean wouldBeOurs = volume.spec().claimRef().isEmpty() || Transitions.isFor(volume, claim);
        boolean barred = PrebindCheck.isBeingReclaimed(volume)
                || VolumeChecks.problem(volume).isPresent();
        return barred && wouldBeOurs && !Transitions.isBoundTo(volume, claim);
    }

    private boolean mayBind(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec().claimRef().isEmpty()
                || Transitions.isBoundTo(volume, claim)
                || (!context.options().has(BinderSwitch.UPSTREAM_LOST_SEMANTICS) && Transitions.isFor(volume, claim));
    }

    /**
     * Lost is shown only after a live read of the volume (D7): a watch may lag behind.
     *
     * @return what to do first: a read, or nothing for a while if it has shown the volume all the same;
     *     empty if it is proven that there is no volume, or no proof is needed
     */
    private Optional<Decision> goneOrConfirm(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        Optional<EffectResult> answer = situation.resultOf(BinderOperations.CONFIRM_VOLUME);
        if (needsNoProof(claim) || answer.flatMap(EffectResult::storeFailure).equals(Optional.of(Failure.NOT_FOUND))) {
            return Optional.empty();
        }
        // A live read contradicts the cache. Try again after the next relist.
        return Optional.of(
                answer.filter(EffectResult::succeeded).isPresent()
                        ? Decision.nothing().withState(state.kept()).wakeAfter(Defaults.BACKOFF_LONGEST)
                        : confirm(claim, state));
    }

    /**
     * The same where the volume exists and belongs to another claim.
     *
     * @return a read; empty if the volume has just been read, which the cache has learnt, or no proof is needed
     */
    private Optional<Decision> seenOrConfirm(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        boolean read = situation
                .resultOf(BinderOperations.CONFIRM_VOLUME)
                .filter(EffectResult::succeeded)
                .isPresent();
        return needsNoProof(claim) || read ? Optional.empty() : Optional.of(confirm(claim, state));
    }

    private boolean needsNoProof(PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.LOST || context.options().has(BinderSwitch.UPSTREAM_LOST_SEMANTICS);
    }

    private static Decision confirm(PersistentVolumeClaim claim, ClaimState state) {
        return Decision.act(new Effect.Read<>(
                        BinderOperations.CONFIRM_VOLUME,
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.cluster(claim.spec().volumeName())))
                .withState(state.kept());
    }

    private static Decision lost(PersistentVolumeClaim claim, ClaimState state, String reason, String message) {
        Decision decision = Decision.nothing().withState(state.telling(reason).kept());
        PersistentVolumeClaim lost = Transitions.without(claim, ClaimPhase.LOST);
        if (claim.status().phase() == ClaimPhase.LOST || lost.equals(claim)) {
            return decision;
        }
        return decision.and(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_CLAIM_PHASE, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, lost)))
                .and(BinderEvents.warning(claim, reason, message));
    }
}
