// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.checks.ClaimChecks;
import dev.mooring.binder.checks.ObjectChecks;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/** What to do about a claim (semantics/binder §1.2). */
final class ClaimDecider {
    private final UnboundClaim unbound;
    private final BoundClaim bound;
    private final AskedClaim asked;
    private final BinderContext context;
    private final ProvisionedStorage storage;
    private final ProvisioningIntent intent;

    ClaimDecider(BinderContext context) {
        this.context = context;
        this.storage = new ProvisionedStorage(context);
        this.intent = new ProvisioningIntent(context, storage);
        this.unbound = new UnboundClaim(context, storage, intent);
        this.bound = new BoundClaim(context);
        this.asked = new AskedClaim(context, storage, intent);
    }

    Decision decide(ObjectKey key, ClaimState state, Situation situation) {
        ClaimState current = Refusals.remembering(ProvisionedStorage.remembering(state, situation), situation);
        Decision decision = Refusals.telling(decideKnowing(key, current, situation), state, situation);
        return BinderContext.claim(situation.caches(), key)
                .map(claim -> (isSettling(claim, decision)
                                ? decision.waitingFor(
                                        "storage that may have been made for the claim is destroyed first")
                                : decision)
                        .concerning(BinderEvents.concern(claim)))
                .orElse(decision);
    }

    /** Whether a deleted claim stays for the storage that may be made for it, and nothing is under way now. */
    private static boolean isSettling(PersistentVolumeClaim claim, Decision decision) {
        return claim.metadata().isDeleting()
                && ProvisioningIntent.isOpen(claim)
                && decision.waitsFor().isEmpty()
                && decision.effects().stream().allMatch(Effect.Announce.class::isInstance);
    }

    private Decision decideKnowing(ObjectKey key, ClaimState current, Situation situation) {
        Optional<PersistentVolumeClaim> found = BinderContext.claim(situation.caches(), key);
        if (found.isEmpty() || ProvisionedStorage.isOrphaned(found.get(), current)) {
            // The claim has gone, or storage was made for a predecessor of its name, or it has got another
            // volume meanwhile. What was made still needs a volume object, so that it is reclaimed.
            return storage.createOrphan(key, current, situation);
        }
        PersistentVolumeClaim claim = found.get();
        if (context.isBesideAnother()) {
            return asked.decide(claim, current, situation);
        }
        PersistentVolumeClaim marked = context.migration().marked(claim);
        if (!marked.equals(claim)) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.MARK_MIGRATED, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, marked)))
                    .withState(current.kept()); // SC0
        }
        return decideMarked(claim, current, situation);
    }

    /** What would be decided about a claim after SC0. */
    Decision ruling(PersistentVolumeClaim claim, Situation situation) {
        return decideMarked(context.migration().marked(claim), ClaimState.NONE, situation);
    }

    private Decision decideMarked(PersistentVolumeClaim claim, ClaimState current, Situation situation) {
        if (claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()) {
            Decision decision = bound.decide(claim, current, situation);
            return decision.effects().isEmpty() && ProvisioningIntent.isNeedless(claim)
                    ? intent.settle(claim, current.idle(), situation)
                    : decision;
        }
        Optional<String> broken = claim.metadata().isDeleting() ? Optional.empty() : ClaimChecks.problem(claim);
        if (broken.isPresent()) {
            return leftAlone(claim, current, broken.get());
        }
        if (ProvisionedStorage.isWaitingForItsVolume(claim, current)) {
            return storage.createVolume(claim, current, situation);
        }
        Decision decision = unbound.decide(claim, current, situation);
        return decision.effects().isEmpty() && mayNeverBind(claim)
                ? intent.settle(claim, current.idle(), situation)
                : decision;
    }

    /** Whether the claim is on its way out, waits for the volume that it names, and only the intent would keep it then. */
    private static boolean mayNeverBind(PersistentVolumeClaim claim) {
        return claim.metadata().isDeleting()
                && !claim.spec().volumeName().isEmpty()
                && ProvisioningIntent.isOpen(claim);
    }

    private static Decision leftAlone(PersistentVolumeClaim claim, ClaimState state, String problem) {
        String news = ObjectChecks.news("PersistentVolumeClaim", claim, problem);
        Decision decision =
                Decision.remember(state.idle().by(BinderRule.INVALID).telling(news));
        return news.equals(state.told()) ? decision : decision.and(BinderEvents.warning(claim, "FailedBinding", news));
    }
}
