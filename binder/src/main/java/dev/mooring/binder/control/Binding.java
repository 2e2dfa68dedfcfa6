// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The four writes that tie a volume and a claim together (semantics/binder §1.7).
 *
 * <p>The volume is what claims compete for, so it is written first: its resourceVersion is the lock, and once it names the claim no
 * other claim can match it. Then the claim names the volume. The two status writes show what the first two made true, so they may be
 * under way together (D5). There is no memory of the steps done: each decision looks at the objects and asks for the next write that
 * is missing. So a crash between any two writes needs no recovery of its own.
 */
final class Binding {
    private final BinderContext context;

    Binding(BinderContext context) {
        this.context = context;
    }

    /** The writes that are missing next; none if the pair is complete. */
    Decision next(PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        Decision step = step(volume, claim, state);
        if (step.effects().isEmpty()) {
            return step;
        }
        ClaimState holding = state.reserving(volume.metadata().name()).backingOff();
        if (claim.metadata().resourceVersion().equals(state.refused().get(Refusals.THE_CLAIM))) {
            return step.withState(holding); // the same write is not made again
        }
        Optional<Duration> wait = step.effects().stream()
                .flatMap(effect -> situation.backoff(effect.operation()).stream())
                .max(Comparator.naturalOrder());
        if (wait.isPresent()) {
            return Decision.remember(holding).wakeAfter(wait.get()); // meanwhile another one may have its place
        }
        return context.indexes().mayBind(ObjectKey.of(claim))
                ? step
                : Decision.remember(state.by(BinderRule.D4).queueing()) // D4; the end of another bind wakes it
                        .waitingFor("the maximum number of claims is being bound already");
    }

    private Decision step(PersistentVolume volume, PersistentVolumeClaim claim, ClaimState state) {
        String name = volume.metadata().name();
        PersistentVolume claimed = Transitions.claimed(volume, claim);
        if (!claimed.equals(volume)) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.CLAIM_VOLUME, Kinds.PERSISTENT_VOLUME, new Change<>(volume, claimed)))
                    .withState(state.reserving(name));
        }
        boolean ordered = context.options().has(BinderSwitch.ORDERED_STATUS_WRITES);
        Optional<Effect> volumeStatus = volumeStatus(volume);
        if (ordered && volumeStatus.isPresent()) {
            return Decision.act(volumeStatus.get()).withState(state.reserving(name)); // D5
        }
        PersistentVolumeClaim naming = Transitions.naming(claim, volume);
        if (!naming.equals(claim)) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.NAME_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, naming)))
                    .withState(state.reserving(name));
        }
        List<Effect> statuses = Stream.concat(volumeStatus.stream(), claimStatus(claim, volume).stream())
                .toList();
        return statuses.isEmpty()
                ? Decision.nothing().withState(state.idle().telling("").kept())
                : Decision.nothing().and(statuses).withState(state.reserving(name));
    }

    private static Optional<Effect> volumeStatus(PersistentVolume volume) {
        PersistentVolume bound = Transitions.inPhase(volume, PersistentVolumePhase.BOUND, "");
        return bound.equals(volume)
                ? Optional.empty()
                : Optional.of(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_VOLUME_PHASE, Kinds.PERSISTENT_VOLUME, new Change<>(volume, bound)));
    }

    private static Optional<Effect> claimStatus(PersistentVolumeClaim claim, PersistentVolume volume) {
        PersistentVolumeClaim showing = Transitions.showing(claim, volume);
        return showing.equals(claim)
                ? Optional.empty()
                : Optional.of(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_CLAIM_PHASE,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, showing)));
    }
}
