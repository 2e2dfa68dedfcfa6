// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;

/**
 * Nothing is begun in another's term (semantics/attach-and-mount §7.7, S14): a leader that was stopped, and goes on after another has
 * begun to lead, neither calls a plugin nor writes.
 */
final class TermRules implements Invariant {
    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (world.actsOutOfTerm()) {
            findings.violated(
                    "S14",
                    "a leader of before calls " + call.operation() + " of " + call.volume() + " in another's term");
        }
    }

    @Override
    public void writing(WorldView world, Kind<?> kind, ObjectKey key, Findings findings) {
        if (world.actsOutOfTerm()) {
            findings.violated("S14", "a leader of before writes " + kind.name() + " " + key + " in another's term");
        }
    }
}
