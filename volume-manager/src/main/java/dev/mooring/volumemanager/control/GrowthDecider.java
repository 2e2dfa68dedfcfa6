// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The node's half of an expansion (semantics/attach-and-mount §3.16). Pure. The claim's status says that the node is at it before the
 * call, and the claim's capacity is raised only after it (S17); after a crash between any two of the steps the call is repeated. Never
 * together with a stage or unstage of the volume (S10).
 */
final class GrowthDecider {
    private static final String COMPONENT = "kubelet";
    private static final int MOST_EVENTS = 5;

    private final NodeConfig config;

    GrowthDecider(NodeConfig config) {
        this.config = config;
    }

    /**
     * A volume that the node uses.
     *
     * @param spec as the plugin sees it
     * @param id whose storage it is
     * @param path where it is prepared, or a pod sees it
     * @param readOnly whether it was prepared read-only
     * @param pods the pods that have it
     */
    record Used(VolumeSpec spec, VolumeId id, Path path, boolean readOnly, List<PodRef> pods) {
        /** Copies the list. */
        Used {
            pods = List.copyOf(pods);
        }
    }

    Decision decide(
            Optional<GrowthState> before,
            Used used,
            PersistentVolume volume,
            PersistentVolumeClaim claim,
            Situation situation) {
        GrowthState state = before.orElseGet(() -> GrowthState.found(GrowthMarks.capacity(claim)));
        Optional<GrowthGoal> goal = GrowthGoal.of(facts(state, volume, claim));
        if (goal.isEmpty()) {
            return Decision.remember(state);
        }
        Quantity target = goal.get().target();
        Optional<Outcome<?>> outcome =
                situation.resultOf(AgentOperations.EXPAND).flatMap(EffectResult::outcome);
        GrowthState known =
                outcome.map(answer -> learned(state, target, answer)).orElse(state);
        if (known.known().compareTo(target) >= 0 && goal.get().kind() != GrowthGoal.Kind.OWN_COPY) {
            return finish(known, claim, target).and(success(outcome, used, claim));
        }
        if (known.known().compareTo(target) >= 0) {
            return Decision.remember(known).and(success(outcome, used, claim));
        }
        if (used.readOnly()) {
            return blocked(known, used, claim, "the volume is read-only on this node and cannot be made larger");
        }
        if (known.failure().isPresent()) {
            return refused(known, goal.get(), known.failure().get(), used, claim, situation);
        }
        Decision next = act(known, goal.get(), used, claim, situation);
        return outcome.filter(answer -> !answer.isDone()).isPresent()
                ? next.and(events(
                        used, claim, true, "VolumeResizeFailed", outcome.get().message()))
                : next;
    }

    /** Whether this node still has to make the volume larger, and may get it done: a pod does not begin before (§3.5). */
    static boolean isOutstanding(
            Optional<GrowthState> before, Used used, PersistentVolume volume, PersistentVolumeClaim claim) {
        GrowthState state = before.orElseGet(() -> GrowthState.found(GrowthMarks.capacity(claim)));
        return !used.readOnly()
                && GrowthGoal.of(facts(state, volume, claim))
                        .map(GrowthGoal::target)
                        .filter(target -> state.known().compareTo(target) < 0)
                        .filter(target -> state.blocked().filter(target::equals).isEmpty())
                        .isPresent();
    }

    private static GrowthGoal.Facts facts(GrowthState state, PersistentVolume volume, PersistentVolumeClaim claim) {
        return new GrowthGoal.Facts(
                GrowthMarks.status(claim),
                GrowthMarks.allocated(claim),
                GrowthMarks.capacity(claim),
                volume.spec().storage(),
                GrowthMarks.fileSystemPending(claim),
                volume.spec().accessModes().contains(AccessMode.READ_WRITE_MANY),
                claim.metadata()
                        .annotation(Annotations.NODE_EXPANSION_NOT_REQUIRED)
                        .isPresent(),
                state.known());
    }

    private static GrowthState learned(GrowthState state, Quantity target, Outcome<?> outcome) {
        return outcome.match(
                done -> done.value() instanceof Quantity size && size.compareTo(target) >= 0
                        ? state.grown(size)
                        : state.refused(new GrowthState.Failure(
                                target, true, "the plugin answered with a smaller size than was asked for")),
                refused -> refused.refusal() == Refusal.IN_USE
                        ? state.blocked(target)
                        : state.refused(
                                new GrowthState.Failure(target, isInfeasible(refused.refusal()), refused.why())),
                uncertain -> state,
                deferred -> state,
                elsewhere -> state);
    }

    private static boolean isInfeasible(Refusal refusal) {
        return switch (refusal) {
            case INVALID, NOT_FOUND, EXHAUSTED, UNSUPPORTED, INCOMPATIBLE -> true;
            case DENIED, IN_USE, CORRUPT -> false;
        };
    }

    private Decision act(
            GrowthState state, GrowthGoal goal, Used used, PersistentVolumeClaim claim, Situation situation) {
        if (state.blocked().filter(goal.target()::equals).isPresent()) {
            // It cannot be done while pods use it; it is with the next stage.
            return Decision.remember(state)
                    .waitingFor("the file system cannot be made larger while pods use it on node "
                            + config.node().name() + "; it grows when the volume is mounted there again");
        }
        if (goal.kind() == GrowthGoal.Kind.RECOVERABLE
                && GrowthMarks.status(claim).equals(GrowthMarks.PENDING)) {
            return update(claim, GrowthMarks.inProgress(claim)).withState(state);
        }
        Effect call = new Effect.Perform(
                AgentOperations.EXPAND,
                new ExpandOnNodeCall(config.node(), used.id(), used.spec(), used.path(), goal.target()),
                Optional.of(StageDecider.targetOf(used.id())),
                Defaults.RECLAIM_TIME_LIMIT);
        return RecordLife.held(state, List.of(call), situation);
    }

    private Decision finish(GrowthState state, PersistentVolumeClaim claim, Quantity target) {
        PersistentVolumeClaimStatus finished = GrowthMarks.finished(claim, target);
        return finished.equals(claim.status())
                ? Decision.remember(state)
                : update(claim, finished).withState(state);
    }

    private Decision refused(
            GrowthState state,
            GrowthGoal goal,
            GrowthState.Failure failure,
            Used used,
            PersistentVolumeClaim claim,
            Situation situation) {
        boolean changed = claim.spec().requestedStorage().compareTo(failure.target()) != 0;
        boolean infeasible = failure.infeasible() || changed;
        List<Effect> news = events(used, claim, true, "VolumeResizeFailed", failure.why());
        if (goal.kind() != GrowthGoal.Kind.RECOVERABLE) {
            return Decision.remember(state.blocked(failure.target())).and(news);
        }
        PersistentVolumeClaimStatus shown = GrowthMarks.failed(
                claim, infeasible, failure.why(), situation.now().wall());
        Optional<Effect> write = shown.equals(claim.status())
                ? Optional.empty()
                : Optional.of(new Effect.UpdateStatus<>(
                        AgentOperations.MARK_GROWTH,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, claim.withStatus(shown))));
        List<Effect> effects = new ArrayList<>(news);
        write.ifPresent(effects::add);
        Decision decision = Decision.remember(state.shown()).and(effects);
        return infeasible || write.isPresent()
                ? decision
                // A change may have ended the back-off before this decision, and wakes the key no more.
                : decision.wakeAfter(situation.backoff(AgentOperations.EXPAND).orElse(Defaults.BACKOFF_FIRST));
    }

    private static Decision update(PersistentVolumeClaim claim, PersistentVolumeClaimStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                AgentOperations.MARK_GROWTH,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                new Change<>(claim, claim.withStatus(status))));
    }

    private static Decision blocked(GrowthState state, Used used, PersistentVolumeClaim claim, String message) {
        return state.told().equals(message)
                ? Decision.remember(state)
                : Decision.remember(state.telling(message))
                        .and(events(used, claim, true, "FileSystemResizeFailed", message));
    }

    private static List<Effect> success(Optional<Outcome<?>> outcome, Used used, PersistentVolumeClaim claim) {
        return outcome.filter(Outcome::isDone).isPresent()
                ? events(
                        used,
                        claim,
                        false,
                        "FileSystemResizeSuccessful",
                        "the file system was made larger on this node")
                : List.of();
    }

    /** News about the claim and about the pods that have the volume. */
    private static List<Effect> events(
            Used used, PersistentVolumeClaim claim, boolean warning, String reason, String message) {
        List<Effect> events = new ArrayList<>();
        events.add(new Effect.Announce(new Announcement(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of(claim),
                claim.metadata().uid(),
                warning,
                reason,
                message,
                COMPONENT)));
        used.pods().stream()
                .limit(MOST_EVENTS)
                .map(pod -> new Announcement(
                        Kinds.POD,
                        ObjectKey.of(pod.namespace(), pod.name()),
                        pod.uid(),
                        warning,
                        reason,
                        message,
                        COMPONENT))
                .map(Effect.Announce::new)
                .forEach(events::add);
        return events;
    }
}
