// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;

/** Shows what is open at a second place, as a whole and restricted from the first instant. Thread-safe. */
@FunctionalInterface
interface Cloning {
    /**
     * Attaches a copy of a mount.
     *
     * @param source what is shown
     * @param place the mount point, of the same kind
     * @param directory whether it is a directory
     * @return the number of the new mount
     */
    Outcome<Integer> attach(Descriptor source, Descriptor place, boolean directory, BindOptions options);
}
