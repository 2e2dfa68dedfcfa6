// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Acts that belong together: scenes one after the other, and others are thought of once the last of them is over. */
abstract class ScenesInARow implements ActSource {
    private final Deque<ActSource> scenes = new ArrayDeque<>();

    /** Thinks of the next scenes; at least one. */
    abstract List<ActSource> scenes(Chance chance);

    /** Whether some of them have been and others are still to come. */
    final boolean isUnderWay() {
        return !scenes.isEmpty();
    }

    @Override
    public final Optional<Act> next(Chance chance, WorldView world) {
        if (scenes.isEmpty()) {
            scenes.addAll(scenes(chance));
        }
        return scenes.remove().next(chance, world);
    }
}
