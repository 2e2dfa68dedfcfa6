// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a world begins with. Immutable.
 *
 * @param nodes how many simulated nodes; 0 or more
 * @param storageClasses the names of classes, or {@code NAME=PLUGIN}; the first is the default
 * @param drivers CSI drivers that volumes may name
 * @param scenario what is played first; it then chooses the controllers that take part
 * @param plugins whose volumes are real
 */
public record WorldParts(
        int nodes, List<String> storageClasses, List<String> drivers, Optional<Path> scenario, WantedPlugins plugins) {
    private static final int MOST_NODES = 200;

    /** Copies the lists, and checks the number and that a scenario begins with simulated storage. */
    public WorldParts {
        if (nodes < 0 || nodes > MOST_NODES) {
            throw new IllegalArgumentException("nodes = " + nodes + ": a world has 0 to " + MOST_NODES + " nodes");
        }
        if (scenario.isPresent() && !plugins.isEmpty()) {
            throw new IllegalArgumentException(
                    "the storage of a scenario is simulated: name either a scenario or plugins");
        }
        storageClasses = List.copyOf(storageClasses);
        drivers = List.copyOf(drivers);
    }
}
