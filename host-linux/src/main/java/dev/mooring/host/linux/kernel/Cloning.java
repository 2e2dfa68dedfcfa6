// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import java.util.OptionalLong;

/** Shows what is open at a second place, as a whole and restricted from the first instant. Thread-safe. */
@FunctionalInterface
public interface Cloning {
    /**
     * A mount that was attached.
     *
     * @param id its number in the table
     * @param lasting its number for {@link SingleMounts}; empty if the kernel tells none
     */
    record Attached(int id, OptionalLong lasting) {}

    /**
     * Attaches a copy of a mount.
     *
     * @param source what is shown
     * @param place the mount point, of the same kind
     * @param directory whether it is a directory
     * @return the new mount
     */
    Outcome<Attached> attach(Descriptor source, Descriptor place, boolean directory, BindOptions options);
}
