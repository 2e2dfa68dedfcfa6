// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.control.KeyState;
import java.util.Optional;
import java.util.Set;

/**
 * What is remembered about a bind that an embedding scheduler asked for.
 *
 * @param bind its number
 * @param progress how far it is
 * @param cues what it waits for
 * @param outcome what became of it; empty while it is under way
 */
record BindState(long bind, BindProgress progress, Set<QueueingHint> cues, Optional<BindOutcome> outcome)
        implements KeyState {
    BindState {
        cues = Set.copyOf(cues);
    }
}
