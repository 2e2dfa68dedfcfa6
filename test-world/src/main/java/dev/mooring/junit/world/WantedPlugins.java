// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.storage.spi.StoragePlugin;
import java.util.List;

/**
 * The plugins whose volumes are real. Immutable.
 *
 * @param found with their defaults, as they were found on the class path; the hostPath plugin makes its volumes below the world's directory
 * @param configured used as they are
 */
public record WantedPlugins(List<StoragePlugin> found, List<StoragePlugin> configured) {
    /** All is simulated. */
    public static final WantedPlugins NONE = new WantedPlugins(List.of(), List.of());

    /** Copies the lists. */
    public WantedPlugins {
        found = List.copyOf(found);
        configured = List.copyOf(configured);
    }

    /** Whether all is simulated. */
    public boolean isEmpty() {
        return found.isEmpty() && configured.isEmpty();
    }
}
