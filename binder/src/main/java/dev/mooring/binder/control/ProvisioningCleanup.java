// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;

/**
 * Storage was made, but the store does not take its volume object: after five tries the storage is destroyed again (semantics/binder
 * §1.10 PI). Or it may have been made, and the plugin refuses since then: what can be destroyed by its name then is. Only when a live read
 * has shown that no such volume exists, and none may arrive any more: an answer that was lost looks like a failure (#44372).
 */
final class ProvisioningCleanup {
    private static final int TRIES = 5;

    private final BinderContext context;

    ProvisioningCleanup(BinderContext context) {
        this.context = context;
    }

    static boolean isDue(ClaimState state) {
        return state.storage().failedCreates() >= TRIES;
    }

    Decision decide(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        PersistentVolume volume =
                ProvisionedVolume.of(context.options(), claim, state.made().orElseThrow());
        return decide(
                new Subject(ObjectKey.of(claim), Optional.of(claim), volume, ClaimStorage.UNKNOWN), state, situation);
    }

    /** The same for storage that no claim will get. Once an event has said so nothing else is waited for. */
    Decision decideOrphan(ObjectKey key, ClaimState state, Situation situation) {
        ClaimStorage.Made made = state.made().orElseThrow();
        Optional<PersistentVolumeClaim> claim = BinderContext.claim(situation.caches(), key)
                .filter(namesake ->
                        namesake.metadata().uid().equals(made.request().claimUid()));
        PersistentVolume volume = ProvisionedVolume.orphan(context.options(), key, made);
        return decide(new Subject(key, claim, volume, ClaimStorage.NOTHING), state, situation);
    }

    /**
     * What is to be cleaned up.
     *
     * @param key the claim that the storage was made for
     * @param claim the claim of that name, whose news it is; empty if there is none
     * @param volume the volume object that was refused
     * @param inTheEnd what is known of the storage after people were asked to delete it
     */
    private record Subject(
            ObjectKey key, Optional<PersistentVolumeClaim> claim, PersistentVolume volume, ClaimStorage inTheEnd) {
        Subject endingIn(ClaimStorage known) {
            return new Subject(key, claim, volume, known);
        }

        Decision tell(Decision decision, String reason, String message) {
            return claim.isEmpty() ? decision : decision.and(BinderEvents.warning(claim.get(), reason, message));
        }
    }

    private Decision decide(Subject subject, ClaimState state, Situation situation) {
        ClaimStorage.Made made = state.made().orElseThrow();
        Optional<StoragePlugin> plugin = context.plugins()
                .named(made.provisioner())
                .filter(candidate -> candidate.capability(Deleting.class).isPresent());
        if (plugin.isEmpty()) {
            // A doubt that no call can settle is left to people once an event has named it: no claim stays on a full
            // node for it.
            Subject told = state.storage().isDoubtful() ? subject.endingIn(ClaimStorage.NOTHING) : subject;
            return givenUp(told, state, made.provisioner() + " cannot delete");
        }
        Optional<EffectResult> called = situation.resultOf(BinderOperations.DELETE_MADE);
        if (called.isPresent()) {
            return afterCall(subject, state, called.get().outcome().orElseThrow());
        }
        Optional<Duration> wait = situation.backoff(BinderOperations.DELETE_MADE);
        if (wait.isPresent()) {
            return Decision.remember(state).wakeAfter(wait.get());
        }
        boolean surelyUnused = situation
                .resultOf(BinderOperations.FIND_PROVISIONED)
                .flatMap(EffectResult::storeFailure)
                .equals(Optional.of(Failure.NOT_FOUND));
        return surelyUnused ? destroy(subject, made, plugin.get(), state) : look(subject, made, state, situation);
    }

    private static Decision look(Subject subject, ClaimStorage.Made made, ClaimState state, Situation situation) {
        Optional<Duration> mayArrive = state.storage().creationMayArriveFor(situation.now());
        String next = mayArrive.isPresent() ? " unless an earlier try arrives." : ".";
        String news = situation
                .resultOf(BinderOperations.CREATE_VOLUME)
                .map(result -> ProvisionedStorage.creationFailed(subject.key(), result.message())
                        + ". Deleting the volume" + next)
                .orElse(state.told());
        ClaimState telling = state.telling(news);
        Decision look = mayArrive
                .map(left -> Decision.remember(telling).wakeAfter(left))
                .orElseGet(() -> Decision.act(new Effect.Read<>(
                                BinderOperations.FIND_PROVISIONED,
                                Kinds.PERSISTENT_VOLUME,
                                ObjectKey.cluster(made.request().volumeName())))
                        .withState(telling));
        return news.equals(state.told()) ? look : subject.tell(look, "ProvisioningFailed", news);
    }

    private static Decision destroy(Subject subject, ClaimStorage.Made made, StoragePlugin plugin, ClaimState state) {
        return Decision.act(new Effect.Perform(
                        BinderOperations.DELETE_MADE,
                        new DeleteCall(
                                plugin.describe().name(),
                                VolumeSpec.of(subject.volume()).orElseThrow()),
                        Optional.of(
                                new Target(made.provisioner(), made.request().volumeName())),
                        Defaults.RECLAIM_TIME_LIMIT))
                .withState(state);
    }

    private static Decision afterCall(Subject subject, ClaimState state, Outcome<?> outcome) {
        if (outcome.isDone()) {
            return Decision.remember(state.withStorage(ClaimStorage.NOTHING)).wakeAfter(Defaults.BACKOFF_FIRST);
        }
        ClaimState failed = state.withStorage(state.storage().afterFailedCleanup());
        return failed.storage().failedCleanups() >= TRIES
                ? givenUp(subject, failed, outcome.message())
                : Decision.remember(failed).wakeAfter(Defaults.BACKOFF_FIRST);
    }

    private static Decision givenUp(Subject subject, ClaimState state, String why) {
        String message = "Error cleaning provisioned volume for claim " + subject.key() + ": " + why
                + ". Please delete manually.";
        Decision decision = Decision.remember(state.telling(message).withStorage(subject.inTheEnd()))
                .wakeAfter(Defaults.BACKOFF_FIRST);
        return subject.tell(decision, "ProvisioningCleanupFailed", message);
    }
}
