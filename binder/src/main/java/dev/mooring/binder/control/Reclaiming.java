// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.binder.checks.LiveClaim;
import dev.mooring.binder.control.VolumeState.Stage;
import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.binder.uses.FewNames;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A volume whose claim has gone: Retain, Recycle or Delete (semantics/binder §1.9).
 *
 * <p>Before a plugin may touch the storage (D6): a live read of the claim and of the volume; then the mark {@code
 * mooring.dev/reclaiming} is written with the volume's version as precondition; then the call. A marked volume is never free. The mark
 * goes when the call surely had no effect, or with its success. After a crash the mark is found and the checks are made again.
 */
final class Reclaiming {
    /** After this time an event says that a volume is still attached. */
    private static final Duration USUAL_DETACH = Duration.ofSeconds(30);

    private final BinderContext context;

    Reclaiming(BinderContext context) {
        this.context = context;
    }

    Decision decide(PersistentVolume volume, VolumeState state, Situation situation) {
        if (state.stage() == Stage.NOT_DONE) {
            return unmark(volume, state); // whatever the policy says now: no call is under way
        }
        ReclaimPolicy policy = volume.spec().persistentVolumeReclaimPolicy();
        if (volume.metadata().annotation(Annotations.MIGRATED_TO).isPresent() || policy == ReclaimPolicy.RETAIN) {
            return hasEnded(volume, situation)
                    ? unmark(volume, state)
                    : Decision.nothing().withState(state.kept()); // R0, R1
        }
        if (policy == ReclaimPolicy.RECYCLE) {
            return context.options().has(BinderSwitch.RECYCLE)
                    ? withExecutor(volume, state, situation, ReclaimExecutor.recycler(context.plugins(), volume)) // R2
                    : Decision.nothing().withState(state.kept());
        }
        if (policy == ReclaimPolicy.DELETE) {
            return withExecutor(volume, state, situation, ReclaimExecutor.deleter(context.plugins(), volume)); // R3
        }
        return failed(
                volume,
                state,
                "VolumeUnknownReclaimPolicy",
                "Volume has unrecognized PersistentVolumeReclaimPolicy"); // R4
    }

    /** Whether a call that was under way when the policy changed has ended, and not with an answer that was lost. */
    private static boolean hasEnded(PersistentVolume volume, Situation situation) {
        Optional<Outcome<?>> here = situation
                .resultOf(BinderOperations.RECYCLE)
                .or(() -> situation.resultOf(BinderOperations.DELETE))
                .flatMap(EffectResult::outcome);
        return here.or(() -> reportedByNode(volume))
                .filter(outcome -> !outcome.isUncertain())
                .isPresent();
    }

    private Decision withExecutor(
            PersistentVolume volume, VolumeState state, Situation situation, ReclaimExecutor executor) {
        if (executor.external()) {
            // the phase Released is the signal for that program
            return Decision.nothing()
                    .withState(state.kept())
                    .concerning(BinderEvents.waiting(volume, executor.postponedReason()))
                    .waitingFor("waiting for the volume to be deleted, either by the external provisioner that made it"
                            + " or manually by the system administrator");
        }
        if (!executor.problem().isEmpty()) {
            // As upstream: as long as pods use it, the event says so, and the volume stays Released.
            return usedByPods(volume, state, situation, executor)
                    .orElseGet(() -> failed(volume, state, executor.failureReason(), executor.problem()));
        }
        if (state.stage() == Stage.DONE) {
            return finish(volume, state, executor);
        }
        if (state.stage() == Stage.ASK_AGAIN) {
            return askAgain(volume, state, situation);
        }
        Optional<EffectResult> called = situation.resultOf(executor.operation());
        if (called.isPresent()) {
            return afterCall(volume, state, executor, called.get().outcome().orElseThrow());
        }
        Optional<Outcome<?>> reported = reportedByNode(volume);
        if (reported.isPresent()) {
            return afterCall(
                    volume, state.withRetry(state.retry().afterFailure(situation.now())), executor, reported.get());
        }
        Optional<Duration> wait =
                situation.backoff(executor.operation()).or(() -> state.retry().remaining(situation.now()));
        if (wait.isPresent()) {
            return Decision.remember(state).wakeAfter(wait.get());
        }
        return attempt(volume, state, situation, executor);
    }

    // ---- before the call ----

    private Decision attempt(
            PersistentVolume volume, VolumeState state, Situation situation, ReclaimExecutor executor) {
        Optional<Decision> busy =
                usedByPods(volume, state, situation, executor).or(() -> attached(volume, state, executor));
        if (busy.isPresent()) {
            return busy.get();
        }
        Optional<String> other = overlapping(volume, executor);
        if (other.isPresent()) {
            return overlapped(volume, state, executor, other.get());
        }
        boolean marked = volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
        if (marked && volume.metadata().annotation(NodeIntent.RECLAIM_ON).isPresent()) {
            return onNode(volume, state.at(Stage.AWAITS_NODE), situation, executor);
        }
        if (marked && state.stage() == Stage.MARKED) {
            return Decision.act(call(volume, executor)).withState(state);
        }
        if (situation
                .resultOf(BinderOperations.CONFIRM_CLAIM)
                .filter(read -> LiveClaim.holds(read, volume))
                .isPresent()) {
            // A live read contradicts the cache. Try again after the next relist.
            return Decision.remember(state.at(Stage.NONE)).wakeAfter(Defaults.BACKOFF_LONGEST);
        }
        if (!checked(volume, situation)) {
            return Decision.act(confirmClaim(volume), confirmVolume(volume)).withState(state.at(Stage.NONE));
        }
        return marked
                ? Decision.act(call(volume, executor)).withState(state.at(Stage.MARKED))
                : mark(volume, state, situation, executor);
    }

    private Decision onNode(PersistentVolume volume, VolumeState state, Situation situation, ReclaimExecutor executor) {
        Optional<Effect> label = AskedNode.label(volume, BinderOperations.MARK_RECLAIMING);
        if (label.isPresent()) {
            return Decision.act(label.get()).withState(state);
        }
        AskedNode node = AskedNode.of(volume, NodeIntent.RECLAIM_ON);
        String task = executor.recycles() ? "empty" : "destroy";
        return node.await(
                state,
                situation,
                BinderEvents.waiting(volume, executor.postponedReason()),
                node.unanswered(volume, task),
                () -> failed(
                        volume, state, executor.failureReason(), executor.failureText(node.news(volume, task, ""))));
    }

    /** Whether both live reads have just been answered; that they left the volume released is why we are here at all. */
    private static boolean checked(PersistentVolume volume, Situation situation) {
        return situation
                        .resultOf(BinderOperations.CONFIRM_CLAIM)
                        .filter(read -> LiveClaim.hasLeft(read, volume))
                        .isPresent()
                && situation
                        .resultOf(BinderOperations.CONFIRM_VOLUME)
                        .filter(EffectResult::succeeded)
                        .isPresent();
    }

    private static Effect confirmClaim(PersistentVolume volume) {
        ObjectKey claim = BoundPair.claimOf(volume).orElse(ObjectKey.of("default", "none"));
        return new Effect.Read<>(BinderOperations.CONFIRM_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, claim);
    }

    private static Effect confirmVolume(PersistentVolume volume) {
        return new Effect.Read<>(BinderOperations.CONFIRM_VOLUME, Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume));
    }

    /** What a node empties is judged when the node is chosen. What was provisioned, the plugin itself tells from others. */
    private Optional<String> overlapping(PersistentVolume volume, ReclaimExecutor executor) {
        return executor.recycles() && !executor.onNode()
                ? context.indexes().overlaps().of(volume)
                : Optional.empty();
    }

    private Optional<Decision> usedByPods(
            PersistentVolume volume, VolumeState state, Situation situation, ReclaimExecutor executor) {
        Optional<ObjectKey> claim = BoundPair.claimOf(volume);
        if (!executor.recycles() || claim.isEmpty()) {
            return Optional.empty();
        }
        Optional<PersistentVolumeClaim> successor = BinderContext.claim(situation.caches(), claim.get());
        FewNames pods = context.indexes().pods().unfinishedUsing(claim.get());
        if (successor.isPresent() || pods.isEmpty()) {
            return Optional.empty();
        }
        String used = "Volume is used by pods: ";
        String known = used + pods.uncounted(); // a changed counter causes no event (D13)
        Decision decision = Decision.remember(state.telling(known));
        return Optional.of(
                known.equals(state.told())
                        ? decision
                        : decision.and(BinderEvents.normal(volume, executor.failureReason(), used + pods.counted())));
    }

    /**
     * Storage is not taken from below a node, which would be left with a device that cannot be detached any more (semantics/binder
     * §1.10 X7). A detach is mostly under way, so an event names only one that takes long.
     */
    private Optional<Decision> attached(PersistentVolume volume, VolumeState state, ReclaimExecutor executor) {
        List<String> nodes =
                context.indexes().attached().nodesOf(volume.metadata().name());
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        String message = "persistentvolume " + volume.metadata().name() + " is still attached to node "
                + String.join(", ", nodes);
        if (message.equals(state.told())) {
            return Optional.of(Decision.remember(state));
        }
        return Optional.of(
                state.stage() == Stage.AWAITS_DETACH
                        ? Decision.remember(state.at(Stage.NONE).telling(message))
                                .and(BinderEvents.normal(volume, executor.postponedReason(), message))
                        : Decision.remember(state.at(Stage.AWAITS_DETACH)).wakeAfter(USUAL_DETACH));
    }

    /** No change shows when the other one goes. */
    private Decision overlapped(PersistentVolume volume, VolumeState state, ReclaimExecutor executor, String other) {
        return failed(
                        volume,
                        state,
                        executor.failureReason(),
                        executor.failureText("its storage overlaps that of " + other))
                .wakeAfter(Defaults.BACKOFF_LONGEST);
    }

    private Decision mark(PersistentVolume volume, VolumeState state, Situation situation, ReclaimExecutor executor) {
        String claimUid = volume.spec().claimRef().map(ref -> ref.uid()).orElse("");
        PersistentVolume marked = Transitions.reclaiming(volume, claimUid);
        if (executor.onNode() && NodeChoice.hasNodes(situation.caches())) {
            Optional<NodeRef> node = NodeChoice.holding(situation.caches(), volume);
            if (node.isEmpty()) {
                return failed(
                        volume,
                        state.at(Stage.AWAITS_NODE),
                        executor.failureReason(),
                        NodeChoice.isNowhere(situation.caches(), volume)
                                ? "no node matches the volume's node affinity (" + wanted(volume)
                                        + "): the node that holds its data was deleted or has other labels. "
                                        + AskedNode.remedy(volume, "")
                                : "the volume's node affinity does not name exactly one node, so the node that holds its data is unknown");
            }
            Optional<String> other = context.indexes()
                    .overlaps()
                    .volumeOn(volume, NodeChoice.labelsOf(situation.caches(), node), situation.caches());
            if (other.isPresent()) {
                return overlapped(volume, state, executor, other.get());
            }
            marked = NodeIntent.labelled(marked.withMetadata(marked.metadata()
                    .withAnnotation(NodeIntent.RECLAIM_ON, node.get().name())));
        }
        return Decision.act(new Effect.Update<>(
                        BinderOperations.MARK_RECLAIMING, Kinds.PERSISTENT_VOLUME, new Change<>(volume, marked)))
                .withState(state.at(Stage.MARKED));
    }

    private static String wanted(PersistentVolume volume) {
        return volume.spec()
                .nodeAffinity()
                .flatMap(affinity -> affinity.required())
                .map(selector -> selector.nodeSelectorTerms().stream()
                        .flatMap(term -> term.matchExpressions().stream())
                        .map(one -> one.key() + " " + one.operator() + " " + one.values())
                        .collect(Collectors.joining(", ")))
                .orElse("");
    }

    private static Effect call(PersistentVolume volume, ReclaimExecutor executor) {
        Call call = executor.recycles()
                ? new RecycleCall(executor.plugin(), VolumeSpec.of(volume).orElseThrow())
                : new DeleteCall(executor.plugin(), VolumeSpec.of(volume).orElseThrow());
        Target target = new Target(executor.plugin().value(), volume.metadata().uid());
        return new Effect.Perform(executor.operation(), call, Optional.of(target), Defaults.RECLAIM_TIME_LIMIT);
    }

    private static Optional<Outcome<?>> reportedByNode(PersistentVolume volume) {
        return volume.metadata()
                .annotation(NodeIntent.RECLAIM_RESULT)
                .flatMap(text -> NodeIntent.parse(
                        text,
                        volume.metadata().annotation(Annotations.RECLAIMING).orElse("")));
    }

    // ---- after the call ----

    private Decision afterCall(
            PersistentVolume volume, VolumeState state, ReclaimExecutor executor, Outcome<?> outcome) {
        boolean byNode = volume.metadata().annotation(NodeIntent.RECLAIM_ON).isPresent();
        Decision decision = outcome.match(
                done -> finish(volume, state.at(Stage.DONE).withRetry(Retry.NONE), executor),
                refused -> failed(
                        volume,
                        state.at(Stage.NOT_DONE),
                        executor.failureReason(),
                        executor.failureText(refused.why())),
                uncertain -> failed(
                        volume,
                        // The effect may exist: the mark stays.
                        state.at(byNode ? Stage.ASK_AGAIN : Stage.NONE),
                        executor.failureReason(),
                        executor.failureText(uncertain.why())),
                deferred -> notNow(volume, state.at(Stage.NOT_DONE), executor, deferred.why()),
                elsewhere -> notNow(volume, state.at(Stage.NOT_DONE), executor, elsewhere.why()));
        // A failure that changes nothing that is shown makes no write, and so nothing else would bring us back.
        return outcome.isDone() ? decision : decision.wakeAfter(Defaults.BACKOFF_FIRST);
    }

    private Decision finish(PersistentVolume volume, VolumeState state, ReclaimExecutor executor) {
        if (executor.recycles()) {
            PersistentVolume unbound = Transitions.unbound(volume);
            Decision unbind = Decision.act(new Effect.Update<>(
                            BinderOperations.UNBIND, Kinds.PERSISTENT_VOLUME, new Change<>(volume, unbound)))
                    .withState(state.at(Stage.DONE).telling("recycled"));
            return state.told().equals("recycled")
                    ? unbind
                    : unbind.and(BinderEvents.normal(volume, "VolumeRecycled", "Volume recycled"));
        }
        if (!volume.metadata().isDeleting()) {
            // The object first: as long as it is not being deleted, its finalizer would be put back (SV0).
            DeleteOptions exactly = DeleteOptions.ofUid(volume.metadata().uid());
            return Decision.act(new Effect.Delete<>(
                            BinderOperations.DELETE_VOLUME, Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume), exactly))
                    .withState(state.at(Stage.DONE));
        }
        PersistentVolume freed = Transitions.destroyed(Transitions.notReclaiming(volume), context.deletionFinalizer());
        return freed.equals(volume)
                ? Decision.remember(state.at(Stage.DONE)) // the owner of the last finalizer removes it
                        .waitingFor("the storage is destroyed; the finalizers "
                                + String.join(", ", volume.metadata().finalizers()) + " are still on the volume")
                : Decision.act(new Effect.Update<>(
                                BinderOperations.FINISH_DELETE, Kinds.PERSISTENT_VOLUME, new Change<>(volume, freed)))
                        .withState(state.at(Stage.DONE));
    }

    /** Takes the mark away, so that the volume shows that nothing is going on. */
    private static Decision unmark(PersistentVolume volume, VolumeState state) {
        PersistentVolume unmarked = Transitions.notReclaiming(volume);
        return unmarked.equals(volume)
                ? Decision.remember(state.at(Stage.NONE)).wakeAfter(Defaults.BACKOFF_FIRST)
                : Decision.act(new Effect.Update<>(
                                BinderOperations.UNMARK_RECLAIMING,
                                Kinds.PERSISTENT_VOLUME,
                                new Change<>(volume, unmarked)))
                        .withState(state.at(Stage.NONE));
    }

    /** A node is asked again by taking its answer away, once the time has come. */
    private static Decision askAgain(PersistentVolume volume, VolumeState state, Situation situation) {
        Optional<Duration> wait = state.retry().remaining(situation.now());
        if (wait.isPresent()) {
            return Decision.remember(state).wakeAfter(wait.get());
        }
        PersistentVolume again = volume.withMetadata(volume.metadata().withoutAnnotation(NodeIntent.RECLAIM_RESULT));
        return Decision.act(new Effect.Update<>(
                        BinderOperations.MARK_RECLAIMING,
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(volume, NodeIntent.labelled(again))))
                .withState(state.at(Stage.NONE));
    }

    private static Decision notNow(PersistentVolume volume, VolumeState state, ReclaimExecutor executor, String why) {
        Decision unmark = unmark(volume, state.telling(why));
        return why.equals(state.told())
                ? unmark
                : unmark.and(BinderEvents.normal(volume, executor.postponedReason(), why));
    }

    private Decision failed(PersistentVolume volume, VolumeState state, String reason, String message) {
        PersistentVolume edited = context.isBesideAnother()
                ? volume // its phase is for the other program to write
                : Transitions.inPhase(volume, PersistentVolumePhase.FAILED, message);
        Decision decision = edited.equals(volume)
                ? Decision.nothing()
                : Decision.act(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_VOLUME_PHASE, Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited)));
        if (edited.equals(volume) && state.stage() == Stage.NOT_DONE) {
            decision = unmark(volume, state.telling(message));
            return message.equals(state.told())
                    ? decision
                    : decision.and(BinderEvents.warning(volume, reason, message));
        }
        Decision remembering = decision.withState(state.telling(message).kept());
        return message.equals(state.told())
                ? remembering
                : remembering.and(BinderEvents.warning(volume, reason, message));
    }
}
