// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A plugin in use.
 *
 * @param plugin the plugin
 * @param descriptor what it says of itself
 * @param directory where it was found; absent if it is one of Mooring's own
 */
public record InstalledPlugin(StoragePlugin plugin, PluginDescriptor descriptor, Optional<Path> directory) {
    /** Where it comes from, for people. */
    public String origin() {
        return directory.map(Path::toString).orElse("built in");
    }
}
