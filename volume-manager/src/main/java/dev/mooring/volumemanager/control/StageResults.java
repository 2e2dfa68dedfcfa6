// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.PluginState;
import java.util.Optional;

/** What the results of effects say about a volume of the node. Pure. */
final class StageResults {
    private StageResults() {}

    /** The state after everything that has come back since the last decision. */
    static StageState learn(StageState state, Situation situation) {
        StageState known = state;
        for (EffectResult result : situation.results()) {
            switch (result.effect().operation()) {
                case AgentOperations.RECORD -> known = recorded(known, result);
                case AgentOperations.STAGE, AgentOperations.COMPLETE -> known = staged(known, result);
                case AgentOperations.UNSTAGE -> known = result.succeeded() ? known.unstaged() : known;
                default -> {}
            }
        }
        return known;
    }

    /** Why the last call or the append before it did not succeed; empty if nothing failed since the last decision. */
    static Optional<String> failure(Situation situation) {
        return PodVolumeResults.failure(situation, AgentOperations.STAGE, AgentOperations.UNSTAGE);
    }

    private static StageState recorded(StageState state, EffectResult result) {
        // An append that failed may still be durable; it stays in `appending`, which is counted as
        // standing. What the handshake said before is too old by the time it is tried again.
        return result.succeeded() ? entryOf(result).map(state::appended).orElse(state) : state.uncleared();
    }

    private static Optional<Stage> entryOf(EffectResult result) {
        return result.effect() instanceof Effect.Perform perform && perform.call() instanceof RecordCall append
                ? append.entry().match(publish -> Optional.empty(), Optional::of)
                : Optional.empty();
    }

    private static StageState staged(StageState state, EffectResult result) {
        Optional<?> answer = result.outcome().orElseThrow().result();
        return answer.isPresent()
                ? state.staged(answer.get() instanceof PluginState kept ? kept : PluginState.NONE)
                : state.uncleared();
    }
}
