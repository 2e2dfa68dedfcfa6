// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.VerifyCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The life of what is recorded before it is done: a volume of one pod, or a volume of the node (semantics/attach-and-mount §7.3). Pure.
 *
 * <pre>
 *             needed, proofs read live        call: done
 *   (nothing) ────────────────────────► INTENT ──────────► DONE
 *       ▲                                 │                  │
 *       │    undoing call: done           │ not needed, or another boot
 *       └── GONE ◄──────────────── UNDO ◄─┴──────────────────┘
 * </pre>
 *
 * <p>Each arrow into a phase is an append that is durable before the next call, so after a crash anywhere the log says at least what may
 * be there (S13). In no phase is the opposite of an uncertain call assumed: it is repeated or undone. What has begun to be undone is
 * undone, whatever is needed now (S11).
 *
 * @param <E> what is recorded
 * @param <S> what is known
 * @param <W> what is wanted
 */
abstract class RecordLife<E extends RecordEntry, S extends RecordedState<E, S>, W> {
    private final NodeConfig config;

    RecordLife(NodeConfig config) {
        this.config = config;
    }

    /** Nothing is recorded: what to do if it is needed; empty if it is not. */
    abstract Optional<Decision> begin(S state, W want, Situation situation);

    /** What has to come before anything is done about a record; empty if nothing has to. */
    abstract Optional<Decision> waits(S state, E record, W want);

    /** Whether what is recorded has ended with its boot. */
    abstract boolean hasEnded(E record);

    /** What is done instead of keeping what is recorded: it is not needed, or of another boot; empty if it is kept. */
    abstract Optional<Decision> notKept(S state, E record, W want, Situation situation);

    /** It is recorded as not done, and needed: the call, when nothing is in the way. */
    abstract Decision proceed(S state, E record, W want, Situation situation);

    /** It is recorded as done, and there. */
    abstract Decision settled(S state, E record, W want, Situation situation);

    /** It is recorded as done by an earlier process, and not there. */
    abstract Decision missing(S state, E record, W want, Situation situation);

    /** The call that undoes it. */
    abstract Effect undoing(E record, Situation situation);

    /** The phase that comes when it is not needed any more: GONE if there is no call that would undo it. */
    abstract RecordPhase ending(E record);

    /** The same record, with what a plugin answered, in another phase. */
    abstract E next(E record, PluginState answer, RecordPhase phase);

    /** Decides; what the results in the situation say is in the state already. */
    final Decision live(S state, W want, Situation situation) {
        Optional<E> record = state.record();
        return record.isPresent()
                ? recorded(state, record.get(), want, situation)
                : begin(state, want, situation).orElseGet(() -> withdraw(state, situation));
    }

    private Decision withdraw(S state, Situation situation) {
        // No call was made. An INTENT whose append failed may be durable all the same: a replay shall not
        // find it.
        return state.appending().isPresent()
                ? append(state, in(state.appending().get(), RecordPhase.GONE), situation)
                : Decision.nothing();
    }

    private Decision recorded(S state, E record, W want, Situation situation) {
        Optional<Decision> waits = waits(state, record, want);
        if (waits.isPresent()) {
            return waits.get();
        }
        if (record.phase() == RecordPhase.UNDO) {
            return state.progress().undone()
                    ? append(state, in(record, RecordPhase.GONE), situation)
                    : held(state, List.of(undoing(record, situation)), situation);
        }
        if (state.progress().mayEnd() || hasEnded(record)) {
            // The log may say already that it ends; after a crash it would be undone, so nothing else is
            // done before.
            return undo(state, record, situation);
        }
        return notKept(state, record, want, situation).orElseGet(() -> keep(state, record, want, situation));
    }

    private Decision keep(S state, E record, W want, Situation situation) {
        if (record.phase() == RecordPhase.DONE) {
            return state.progress().trusted()
                    ? settled(state, record, want, situation)
                    : verified(state, record, want, situation);
        }
        return state.answer().isPresent()
                ? append(state, next(record, state.answer().get(), RecordPhase.DONE), situation)
                : proceed(state, record, want, situation);
    }

    /** What an earlier process of this boot did is looked for once: it may have been unmounted (semantics/plugins §2.7, #51982). */
    private Decision verified(S state, E record, W want, Situation situation) {
        Optional<Boolean> found = PodVolumeResults.found(situation);
        if (found.isEmpty()) {
            Effect verify = new Effect.Perform(
                    AgentOperations.VERIFY,
                    new VerifyCall(config.node(), record),
                    Optional.empty(),
                    Defaults.MOUNT_TIME_LIMIT);
            return held(state, List.of(verify), situation);
        }
        return found.get() ? settled(state.trust(), record, want, situation) : missing(state, record, want, situation);
    }

    final Decision undo(S state, E record, Situation situation) {
        return append(state, next(record, state.answer().orElse(record.state()), ending(record)), situation);
    }

    final E in(E record, RecordPhase phase) {
        return next(record, record.state(), phase);
    }

    final Decision append(S state, E entry, Situation situation) {
        Effect append = new Effect.Perform(
                AgentOperations.RECORD,
                new RecordCall(config.node().name(), entry),
                Optional.empty(),
                Defaults.MOUNT_TIME_LIMIT);
        return held(state.appending(entry), List.of(append), situation);
    }

    final boolean isOfThisBoot(E record) {
        return record.bootId().equals(config.bootId());
    }

    /** Effects now, or when the longest of their back-offs is over. */
    static Decision held(KeyState state, List<Effect> effects, Situation situation) {
        Optional<Duration> wait = effects.stream()
                .flatMap(effect -> situation.backoff(effect.operation()).stream())
                .max(Duration::compareTo);
        return wait.isPresent()
                ? Decision.remember(state).wakeAfter(wait.get())
                : new Decision(Optional.of(state), effects, Optional.empty());
    }
}
