// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.binder.expansion.ExpansionState.Certainty;
import dev.mooring.binder.expansion.ExpansionState.Failure;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The expansion of one volume by a plugin of this process (semantics/binder §3.5, X6). Writes come in this order, and after a crash
 * between any two of them the same end is reached:
 *
 * <pre>
 *   claim.status: target, ControllerResizeInProgress  →  call  →  volume.capacity  →  claim: annotation  →  claim.status: result
 * </pre>
 *
 * As long as the status says ControllerResizeInProgress the call is repeated with the same target, unless this process knows that the
 * last one had no effect. So the back-end is never asked for less than it may already have been made.
 *
 * <p>Kubernetes before 1.32 leaves the target and ControllerResizeInProgress out of what it stores, and only the condition Resizing is
 * left. Nor may a user ask for less than before, so that the request is never less than what the back-end was asked for.
 */
final class Expanding {
    private static final String EXPAND = "expand";
    private static final String MARK = "mark-resize";
    private static final String SHOW_SIZE = "show-size";
    private static final String TELL_NODE = "tell-node";
    private static final String FORGET_OLD_SIZE = "forget-old-size";
    private static final Duration SLOW_RETRY = Duration.ofMinutes(5);

    private final PersistentVolumeClaim claim;
    private final PersistentVolume volume;
    private final PluginName plugin;
    private final boolean asksBackEnd;
    private final boolean allowed;
    private final Situation situation;

    /**
     * Makes the expansion of one volume.
     *
     * @param plugin who serves the volume
     * @param asksBackEnd whether the plugin makes storage larger; else it only lets nodes see that another program did
     */
    Expanding(BoundPair pair, PluginName plugin, boolean asksBackEnd, Situation situation) {
        this.allowed = ExpansionPermission.allows(pair.claim(), situation.caches());
        this.claim = pair.claim();
        this.volume = pair.volume();
        this.plugin = plugin;
        this.asksBackEnd = asksBackEnd;
        this.situation = situation;
    }

    Decision decide(ExpansionState remembered) {
        String uid = volume.metadata().uid();
        boolean sameVolume = remembered.volumeUid().equals(uid);
        ExpansionState before = remembered.about(uid);
        ExpansionState known =
                situation.resultOf(MARK).filter(Expanding::leavesMarksOut).isPresent() ? before.withoutMarks() : before;
        return goOn(situation
                .resultOf(EXPAND)
                .filter(answered -> sameVolume)
                .flatMap(EffectResult::outcome)
                .map(outcome -> learned(known, outcome))
                .orElse(known));
    }

    private static boolean leavesMarksOut(EffectResult result) {
        return result.effect() instanceof Effect.UpdateStatus<?> write
                && write.change().edited() instanceof PersistentVolumeClaim asked
                && result.match(stored -> stored.result().value(), performed -> Optional.empty())
                        .filter(PersistentVolumeClaim.class::isInstance)
                        .map(PersistentVolumeClaim.class::cast)
                        .filter(answered -> ResizeMarks.areLeftOut(asked.status(), answered.status()))
                        .isPresent();
    }

    private Decision goOn(ExpansionState state) {
        if (state.done().isPresent()) {
            return finish(state, state.done().get());
        }
        Optional<Quantity> capacity = ResizeMarks.capacity(claim);
        if (capacity.isEmpty()) {
            return Decision.nothing(); // the binder has still to show what was bound
        }
        if (nodeStepIsComplete(capacity.get())) {
            return updateVolume(
                    FORGET_OLD_SIZE,
                    volume.withMetadata(volume.metadata().withoutAnnotation(Annotations.PRE_RESIZE_CAPACITY))); // X5b
        }
        ExpansionGoal goal = ExpansionGoal.of(facts(capacity.get()), state.lastCallHadNoEffect());
        return switch (goal.kind()) {
            case NOTHING ->
                ResizeMarks.fileSystemPending(claim)
                                && capacity.get().compareTo(claim.spec().requestedStorage()) < 0
                        ? Decision.nothing()
                                .concerning(ExpansionEvents.waitingForNode(claim))
                                .waitingFor("to have " + claim.spec().requestedStorage()
                                        + " the file system is made larger on the node of a pod that uses the claim;"
                                        + " none has done it yet")
                        : Decision.nothing();
            case WITHDRAW -> updateStatus(MARK, ResizeMarks.withdrawn(claim));
            case NOT_ALLOWED -> tellOnce(state, ExpansionEvents.notAllowed(claim, volume), true);
            case GROWN_BY_OTHERS -> tellOnce(state, ExpansionEvents.grownByOthers(claim, volume), false);
            case EXPAND -> pursue(state, goal.target().orElseThrow());
        };
    }

    private Decision tellOnce(ExpansionState state, String message, boolean warning) {
        Decision remember = Decision.remember(state.telling(message));
        return message.equals(state.told())
                ? remember
                : remember.and(
                        warning
                                ? ExpansionEvents.failed(claim, message)
                                : ExpansionEvents.external(claim, false, message));
    }

    private ExpansionGoal.Facts facts(Quantity capacity) {
        return new ExpansionGoal.Facts(
                volume.spec().storage(),
                claim.spec().requestedStorage(),
                capacity,
                ResizeMarks.allocated(claim),
                ResizeMarks.status(claim),
                ResizeMarks.fileSystemPending(claim),
                asksBackEnd,
                allowed,
                ResizeMarks.underWay(claim));
    }

    private boolean nodeStepIsComplete(Quantity capacity) {
        return volume.metadata().annotation(Annotations.PRE_RESIZE_CAPACITY).isPresent()
                && capacity.compareTo(claim.spec().requestedStorage()) >= 0
                && capacity.compareTo(volume.spec().storage()) >= 0;
    }

    // ---- before the call ----

    private Decision pursue(ExpansionState state, Quantity target) {
        Optional<Failure> failure = state.failure()
                .filter(known -> state.asked().filter(target::equals).isPresent());
        Optional<Duration> wait = failure.flatMap(known -> wait(state, known));
        if (wait.isPresent()) {
            return showFailure(state, failure.get()).wakeAfter(wait.get());
        }
        PersistentVolumeClaimStatus marked = ResizeMarks.inProgress(claim, target, now());
        boolean announced = state.announced().filter(target::equals).isPresent();
        boolean isMarked = marked.equals(claim.status()) || (state.unmarked() && announced);
        if (isMarked && !asksBackEnd) {
            return finish(state, new Expansion(target, true));
        }
        if (isMarked) {
            return call(target).withState(state.calling(target, isNothingInDoubt(state)));
        }
        Decision mark = updateStatus(MARK, marked).withState(state.marking(target, isNothingInDoubt(state)));
        return announced ? mark : mark.and(ExpansionEvents.resizing(claim, volume, plugin));
    }

    /** Whether it is known how large the back-end is: no call is in progress, or only one that this process is about to make. */
    private boolean isNothingInDoubt(ExpansionState state) {
        boolean begun = ResizeMarks.status(claim) == ResizeStatus.CONTROLLER_RESIZE_IN_PROGRESS;
        boolean onlyMarked = state.settled() && state.asked().isEmpty();
        return !begun || onlyMarked || state.lastCallHadNoEffect();
    }

    /** A refused size is asked for again after minutes, unless something else is asked for; everything else backs off. */
    private Optional<Duration> wait(ExpansionState state, Failure failure) {
        long slow = state.notBeforeNanos() - situation.now().monotonicNanos();
        return failure.certainty() == Certainty.INFEASIBLE && slow > 0
                ? Optional.of(Duration.ofNanos(slow))
                : situation.backoff(EXPAND);
    }

    private Decision call(Quantity target) {
        Target backend = new Target(plugin.value(), volume.metadata().uid());
        return Decision.act(new Effect.Perform(
                EXPAND,
                new ExpandCall(plugin, VolumeSpec.of(volume).orElseThrow(), target),
                Optional.of(backend),
                Defaults.RECLAIM_TIME_LIMIT));
    }

    // ---- after the call ----

    private ExpansionState learned(ExpansionState state, Outcome<?> outcome) {
        return outcome.match(
                done -> answered(state, done.value()),
                refused -> infeasible(state, refused.why()),
                uncertain -> state.failed(new Failure(Certainty.UNCERTAIN, uncertain.why()), 0),
                deferred -> state.failed(new Failure(state.notStarted(), deferred.why()), 0),
                elsewhere -> state.failed(new Failure(state.notStarted(), elsewhere.why()), 0));
    }

    private ExpansionState answered(ExpansionState state, Object answer) {
        if (!(answer instanceof Expansion expansion)) {
            return infeasible(state, "the plugin answered without a size");
        }
        boolean enough = state.asked()
                .filter(wanted -> expansion.size().compareTo(wanted) < 0)
                .isEmpty();
        return enough
                ? state.succeeded(expansion)
                : infeasible(state, "the plugin answered with a size of only " + expansion.size());
    }

    private ExpansionState infeasible(ExpansionState state, String why) {
        return state.failed(
                new Failure(Certainty.INFEASIBLE, why), situation.now().monotonicNanosAfter(SLOW_RETRY));
    }

    private Decision showFailure(ExpansionState state, Failure failure) {
        PersistentVolumeClaimStatus shown = failure.certainty() == Certainty.UNCERTAIN
                ? claim.status()
                : ResizeMarks.failed(
                        claim, failure.certainty() == Certainty.INFEASIBLE && !state.unmarked(), failure.why(), now());
        Decision decision = shown.equals(claim.status()) ? Decision.nothing() : updateStatus(MARK, shown);
        String message = ExpansionEvents.failure(volume, plugin, failure.why());
        return message.equals(state.told())
                ? decision.withState(state)
                : decision.and(ExpansionEvents.failed(claim, message)).withState(state.telling(message));
    }

    private Decision finish(ExpansionState before, Expansion expansion) {
        ExpansionState state = before.succeeded(expansion);
        PersistentVolume grown = grown(expansion);
        if (!grown.equals(volume)) {
            return updateVolume(SHOW_SIZE, grown).withState(state);
        }
        ObjectMeta metadata = expansion.nodeExpansionRequired()
                ? claim.metadata().withoutAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED)
                : claim.metadata().withAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED, "true");
        if (!metadata.equals(claim.metadata())) {
            return Decision.act(new Effect.Update<>(
                            TELL_NODE,
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            new Change<>(claim, claim.withMetadata(metadata))))
                    .withState(state);
        }
        if (isShown(state, expansion)) {
            Effect news = expansion.nodeExpansionRequired()
                    ? ExpansionEvents.nodeRequired(claim)
                    : ExpansionEvents.succeeded(claim);
            return goOn(ExpansionState.NONE.about(volume.metadata().uid()))
                    .and(news); // more may have been asked for meanwhile
        }
        return updateStatus(
                        SHOW_SIZE,
                        expansion.nodeExpansionRequired()
                                ? ResizeMarks.awaitingNode(claim, now())
                                : ResizeMarks.finished(claim, expansion.size()))
                .withState(state);
    }

    /** Whether the claim shows the result; a node may already have gone on from there. */
    private boolean isShown(ExpansionState state, Expansion expansion) {
        if (state.unmarked() && expansion.nodeExpansionRequired()) {
            return ResizeMarks.fileSystemPending(claim)
                    || ResizeMarks.capacity(claim)
                            .filter(has -> has.compareTo(expansion.size()) >= 0)
                            .isPresent();
        }
        return expansion.nodeExpansionRequired()
                ? ResizeMarks.status(claim) != ResizeStatus.CONTROLLER_RESIZE_IN_PROGRESS
                : ResizeMarks.finished(claim, expansion.size()).equals(claim.status());
    }

    /** The volume in its new size. One that waits for a node tells what the file system still is, so that a new claim shows that. */
    private PersistentVolume grown(Expansion expansion) {
        PersistentVolume result = volume;
        if (asksBackEnd && volume.spec().storage().compareTo(expansion.size()) < 0) {
            result = result.withSpec(volume.spec().withStorage(expansion.size()));
        }
        Optional<Quantity> had = ResizeMarks.capacity(claim).filter(has -> has.compareTo(expansion.size()) < 0);
        boolean tells =
                volume.metadata().annotation(Annotations.PRE_RESIZE_CAPACITY).isPresent();
        return expansion.nodeExpansionRequired() && had.isPresent() && !tells
                ? result.withMetadata(result.metadata()
                        .withAnnotation(
                                Annotations.PRE_RESIZE_CAPACITY, had.get().toString()))
                : result;
    }

    private Instant now() {
        return situation.now().wall();
    }

    private Decision updateVolume(String operation, PersistentVolume edited) {
        return Decision.act(new Effect.Update<>(operation, Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited)));
    }

    private Decision updateStatus(String operation, PersistentVolumeClaimStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                operation, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, claim.withStatus(status))));
    }
}
