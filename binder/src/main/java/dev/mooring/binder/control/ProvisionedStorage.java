// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.control.ClaimStorage.Certainty;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.Optional;

/** Storage that a plugin made, until a volume object stands for it (semantics/binder §1.10 PI). It is never forgotten on the way. */
final class ProvisionedStorage {
    private final BinderContext context;
    private final ProvisioningCleanup cleanup;
    private final NodeProvisioning onNode = new NodeProvisioning();

    ProvisionedStorage(BinderContext context) {
        this.context = context;
        this.cleanup = new ProvisioningCleanup(context);
    }

    /** Takes the answers that have just come into the state, whatever else is decided now. */
    static ClaimState remembering(ClaimState state, Situation situation) {
        ClaimStorage known = situation
                .resultOf(BinderOperations.PROVISION)
                .map(result -> afterCall(state.storage(), result))
                .orElse(state.storage());
        if (situation
                        .resultOf(BinderOperations.ASK_PROVISIONER)
                        .filter(result -> !result.succeeded())
                        .isPresent()
                && known.made().isEmpty()) {
            // The finalizer may turn out to be that of an earlier leader, who called the plugin.
            known = ClaimStorage.UNKNOWN;
        }
        if (situation
                .resultOf(BinderOperations.CREATE_VOLUME)
                .filter(ProvisionedStorage::surelyFailed)
                .isPresent()) {
            known = known.afterFailedCreate();
        }
        if (situation
                .resultOf(BinderOperations.CREATE_VOLUME)
                .flatMap(EffectResult::storeFailure)
                .filter(Failure.UNKNOWN::equals)
                .isPresent()) {
            known = known.afterUntoldCreate(situation.now());
        }
        boolean shown = known.made()
                .flatMap(made ->
                        BinderContext.volume(situation.caches(), made.request().volumeName()))
                .isPresent();
        return state.withStorage(shown ? ClaimStorage.UNKNOWN : known);
    }

    private static ClaimStorage afterCall(ClaimStorage before, EffectResult result) {
        Effect.Perform perform = (Effect.Perform) result.effect();
        ProvisionCall call = (ProvisionCall) perform.call();
        String provisioner = call.plugin().value();
        Outcome<?> outcome = result.outcome().orElseThrow();
        return outcome.match(
                done -> ClaimStorage.of(new ClaimStorage.Made(
                        provisioner, call.request(), (VolumeTemplate) done.value(), Certainty.MADE)),
                refused -> before.afterRefusal(refused.refusal(), provisioner, call.request(), call.plan()),
                uncertain -> ClaimStorage.of(
                        new ClaimStorage.Made(provisioner, call.request(), call.plan(), Certainty.UNTOLD)),
                deferred -> before,
                elsewhere -> before);
    }

    private static boolean surelyFailed(EffectResult result) {
        return result.storeFailure()
                .filter(failure ->
                        failure == Failure.INVALID || failure == Failure.FORBIDDEN || failure == Failure.UNAVAILABLE)
                .isPresent();
    }

    /** Whether the claim will never get what was made: it is another claim of that name, or has another volume. */
    static boolean isOrphaned(PersistentVolumeClaim claim, ClaimState state) {
        String volume = claim.spec().volumeName();
        return state.made()
                .filter(made ->
                        !made.request().claimUid().equals(claim.metadata().uid())
                                || (!volume.isEmpty()
                                        && !volume.equals(made.request().volumeName())))
                .isPresent();
    }

    /** Whether storage surely was made for the claim, and only its volume object is missing. */
    static boolean isWaitingForItsVolume(PersistentVolumeClaim claim, ClaimState state) {
        return state.made().filter(made -> made.is(Certainty.MADE)).isPresent()
                && !claim.metadata().isDeleting();
    }

    /** The volume object of the claim that the storage was made for. */
    Decision createVolume(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        if (ProvisioningCleanup.isDue(state)) {
            return cleanup.decide(claim, state, situation);
        }
        PersistentVolume volume =
                ProvisionedVolume.of(context.options(), claim, state.made().orElseThrow());
        Optional<String> failure = refusedCreation(claim, situation);
        Decision create = Decision.act(
                        new Effect.Create<>(BinderOperations.CREATE_VOLUME, Kinds.PERSISTENT_VOLUME, volume))
                .withState(state.telling(failure.orElse(state.told())));
        return failure.filter(message -> !message.equals(state.told())).isPresent()
                ? create.and(BinderEvents.warning(claim, "ProvisioningFailed", failure.get()))
                : create;
    }

    /** Why the store has just refused the volume object, if another try will not help by itself. */
    static Optional<String> refusedCreation(PersistentVolumeClaim claim, Situation situation) {
        return situation
                .resultOf(BinderOperations.CREATE_VOLUME)
                .filter(ProvisionedStorage::needsPeople)
                .map(result -> creationFailed(ObjectKey.of(claim), result.message()));
    }

    static String creationFailed(ObjectKey claim, String why) {
        return "Error creating provisioned PV object for claim " + claim + ": " + why;
    }

    /** Whether another try will not help by itself, so that people have to know of it. */
    private static boolean needsPeople(EffectResult result) {
        return result.storeFailure()
                .filter(failure -> failure == Failure.INVALID || failure == Failure.FORBIDDEN)
                .isPresent();
    }

    /** Storage that no claim will get: it gets a volume object all the same, to be destroyed through it. */
    Decision createOrphan(ObjectKey claim, ClaimState state, Situation situation) {
        if (state.made().isEmpty()) {
            return Decision.nothing();
        }
        if (ProvisioningCleanup.isDue(state)) {
            return cleanup.decideOrphan(claim, state, situation);
        }
        ClaimStorage.Made made = state.made().get();
        if (!made.template().namesStorage()) {
            return askAgain(made, state, situation);
        }
        return Decision.act(new Effect.Create<>(
                        BinderOperations.CREATE_VOLUME,
                        Kinds.PERSISTENT_VOLUME,
                        ProvisionedVolume.orphan(context.options(), claim, made)))
                .withState(ClaimState.NONE.withStorage(state.storage()));
    }

    /** Only the plugin can say which storage it may have made: making it once more gives the same. */
    private Decision askAgain(ClaimStorage.Made made, ClaimState state, Situation situation) {
        Optional<Duration> wait = situation.backoff(BinderOperations.PROVISION);
        if (wait.isPresent()) {
            return Decision.remember(state).wakeAfter(wait.get());
        }
        return context.plugins()
                .named(made.provisioner())
                .map(plugin ->
                        Decision.act(PluginProvisioning.call(plugin, made)).withState(state))
                .orElseGet(() -> Decision.remember(state).wakeAfter(Defaults.BACKOFF_LONGEST));
    }

    /** A volume made for the claim is there: say so once. */
    static Decision withNews(
            PersistentVolumeClaim claim, PersistentVolume volume, Decision decision, Situation situation) {
        // The answer may have been lost, or have said that it exists: what counts is that it is there now.
        boolean created = situation.resultOf(BinderOperations.CREATE_VOLUME).isPresent();
        return created && !NodeProvisioning.isMarked(volume) ? decision.and(succeeded(claim, volume)) : decision;
    }

    static Effect succeeded(PersistentVolumeClaim claim, PersistentVolume volume) {
        return BinderEvents.normal(
                claim,
                "ProvisioningSucceeded",
                "Successfully provisioned volume " + volume.metadata().name() + " using "
                        + volume.metadata()
                                .annotation(Annotations.PROVISIONED_BY)
                                .orElse(""));
    }

    /** The volume is being made on a node. */
    Decision onNode(PersistentVolumeClaim claim, PersistentVolume volume, ClaimState state, Situation situation) {
        return onNode.decide(claim, volume, state, situation);
    }
}
