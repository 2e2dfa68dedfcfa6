// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.spi.PluginDescriptor;
import java.nio.file.Path;
import java.util.List;

/**
 * An entry of the plugins' directory that is not used.
 *
 * @param directory the entry
 * @param rule what does not hold
 * @param why the same for people, naming what is at fault
 * @param claims what its plugins would serve; empty if it did not come to saying so
 */
public record UnusableDirectory(Path directory, PluginRule rule, String why, List<PluginDescriptor> claims) {
    /** Copies the list. */
    public UnusableDirectory {
        claims = List.copyOf(claims);
    }

    @Override
    public String toString() {
        return directory + " is not used, rule " + rule + ": " + why;
    }
}
