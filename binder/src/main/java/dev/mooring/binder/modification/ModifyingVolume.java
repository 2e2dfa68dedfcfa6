// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.binder.modification.ModificationState.Certainty;
import dev.mooring.binder.modification.ModificationState.Failure;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The modification of one volume by a plugin of this process (semantics/binder §3.5).
 *
 * <pre>
 *   claim.status: target, InProgress  →  call  →  volume.spec: class  →  claim.status: class
 * </pre>
 *
 * Upstream writes the last two the other way round, and forgets the volume if it dies in between; here whatever has been written, the
 * claim shows that there is something left to do until all is done.
 */
final class ModifyingVolume {
    private static final String MODIFY = "modify";
    private static final String MARK = "mark-modify";
    private static final String SHOW_CLASS = "show-class";
    private static final Duration SLOW_RETRY = Duration.ofMinutes(5);

    private final PersistentVolumeClaim claim;
    private final PersistentVolume volume;
    private final PluginName plugin;
    private final Situation situation;

    ModifyingVolume(BoundPair pair, PluginName plugin, Situation situation) {
        this.claim = pair.claim();
        this.volume = pair.volume();
        this.plugin = plugin;
        this.situation = situation;
    }

    Decision decide(ModificationState before) {
        return goOn(situation
                .resultOf(MODIFY)
                .flatMap(EffectResult::outcome)
                .map(outcome -> learned(before, outcome))
                .orElse(before));
    }

    private Decision goOn(ModificationState state) {
        if (state.done()) {
            return finish(state, state.asked().orElseThrow());
        }
        ModificationGoal goal = ModificationGoal.of(ModificationGoal.Facts.of(claim), state.lastCallHadNoEffect());
        return switch (goal.kind()) {
            case NOTHING -> Decision.nothing();
            case CANCEL ->
                ModifyMarks.isModifying(claim)
                        ? updateStatus(ModifyMarks.cancelled(claim)).and(ModificationEvents.cancelled(claim))
                        : Decision.nothing();
            case MODIFY -> pursue(state, goal.target().orElseThrow());
        };
    }

    // ---- before the call ----

    private Decision pursue(ModificationState state, String target) {
        Outcome<VolumeAttributesClass> found = AttributesClasses.find(target, plugin, situation.caches());
        return found.result()
                .map(attributes -> pursue(state, target, attributes))
                .orElseGet(() -> without(state, target, found.message()));
    }

    private Decision pursue(ModificationState state, String target, VolumeAttributesClass attributes) {
        boolean again = state.asked().filter(target::equals).isPresent();
        Optional<Duration> wait = again ? wait(state) : Optional.empty();
        if (wait.isPresent()) {
            return showFailure(state, target).wakeAfter(wait.get());
        }
        PersistentVolumeClaimStatus marked = ModifyMarks.inProgress(claim, target, now());
        if (marked.equals(claim.status())) {
            return call(attributes).withState(state.calling(target, isNothingInDoubt(state)));
        }
        Decision mark = updateStatus(marked).withState(state.marking(target, isNothingInDoubt(state)));
        return state.announced().filter(target::equals).isPresent()
                ? mark
                : mark.and(ModificationEvents.modifying(claim, target, plugin.value()));
    }

    /** Whether it is known what attributes the volume has: no call is in progress, or only one that this process is about to make. */
    private boolean isNothingInDoubt(ModificationState state) {
        boolean begun = ModificationGoal.Facts.of(claim).inProgress();
        boolean onlyMarked = state.settled() && state.asked().isEmpty();
        return !begun || onlyMarked || state.lastCallHadNoEffect();
    }

    /** The class is of no use. What was begun and may have had an effect stays in progress; the class may come back. */
    private Decision without(ModificationState state, String target, String why) {
        boolean begun = ModificationGoal.Facts.of(claim).inProgress() && !state.lastCallHadNoEffect();
        PersistentVolumeClaimStatus shown = begun ? claim.status() : ModifyMarks.pending(claim, target);
        Decision decision = shown.equals(claim.status()) ? Decision.nothing() : updateStatus(shown);
        return why.equals(state.told())
                ? decision.withState(state)
                : decision.and(ModificationEvents.failed(claim, why)).withState(state.telling(why));
    }

    private Optional<Duration> wait(ModificationState state) {
        long slow = state.notBeforeNanos() - situation.now().monotonicNanos();
        boolean infeasible = state.failure()
                .filter(failure -> failure.certainty() == Certainty.INFEASIBLE)
                .isPresent();
        return infeasible && slow > 0 ? Optional.of(Duration.ofNanos(slow)) : situation.backoff(MODIFY);
    }

    private Decision call(VolumeAttributesClass attributes) {
        Target backend = new Target(plugin.value(), volume.metadata().uid());
        return Decision.act(new Effect.Perform(
                MODIFY,
                new ModifyCall(plugin, VolumeSpec.of(volume).orElseThrow(), attributes.parameters()),
                Optional.of(backend),
                Defaults.RECLAIM_TIME_LIMIT));
    }

    // ---- after the call ----

    private ModificationState learned(ModificationState state, Outcome<?> outcome) {
        return outcome.match(
                done -> state.succeeded(),
                refused -> state.failed(
                        new Failure(Certainty.INFEASIBLE, code(refused.refusal()), refused.why()),
                        situation.now().monotonicNanosAfter(SLOW_RETRY)),
                uncertain -> state.failed(new Failure(Certainty.UNCERTAIN, "Unknown", uncertain.why()), 0),
                deferred -> state.failed(new Failure(state.notStarted(), "Unavailable", deferred.why()), 0),
                elsewhere -> state.failed(new Failure(state.notStarted(), "FailedPrecondition", elsewhere.why()), 0));
    }

    private static String code(Refusal refusal) {
        return switch (refusal) {
            case INVALID -> "InvalidArgument";
            case NOT_FOUND -> "NotFound";
            case EXHAUSTED -> "ResourceExhausted";
            case DENIED -> "PermissionDenied";
            case UNSUPPORTED -> "Unimplemented";
            case INCOMPATIBLE, IN_USE -> "FailedPrecondition";
            case CORRUPT -> "DataLoss";
        };
    }

    private Decision showFailure(ModificationState state, String target) {
        if (state.failure().isEmpty()) {
            return Decision.remember(state);
        }
        Failure failure = state.failure().get();
        PersistentVolumeClaimStatus shown = ModifyMarks.failed(
                claim, target, failure.certainty() == Certainty.INFEASIBLE, failure.code(), failure.why(), now());
        Decision decision = shown.equals(claim.status()) ? Decision.nothing() : updateStatus(shown);
        String message = "modify volume \"" + volume.metadata().name() + "\" by \"" + plugin + "\" with vac " + target
                + " failed: " + failure.why();
        return message.equals(state.told())
                ? decision.withState(state)
                : decision.and(ModificationEvents.failed(claim, message)).withState(state.telling(message));
    }

    private Decision finish(ModificationState state, String target) {
        if (!volume.spec().volumeAttributesClassName().equals(Optional.of(target))) {
            PersistentVolume shown = volume.withSpec(volume.spec().withVolumeAttributesClassName(Optional.of(target)));
            return Decision.act(new Effect.Update<>(SHOW_CLASS, Kinds.PERSISTENT_VOLUME, new Change<>(volume, shown)))
                    .withState(state);
        }
        PersistentVolumeClaimStatus finished = ModifyMarks.finished(claim, target);
        if (!finished.equals(claim.status())) {
            return updateStatus(finished).withState(state);
        }
        // Another class may have been asked for meanwhile.
        return goOn(ModificationState.NONE).and(ModificationEvents.succeeded(claim, target, plugin.value()));
    }

    private Instant now() {
        return situation.now().wall();
    }

    private Decision updateStatus(PersistentVolumeClaimStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                MARK, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, claim.withStatus(status))));
    }
}
