// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins on the module path, and those of the directory that the launcher names in {@value #DIRECTORY}. */
public final class Plugins {
    private static final Logger LOG = LoggerFactory.getLogger("plugins");
    private static final String DIRECTORY = "mooring.plugins";

    private Plugins() {}

    /** All that can be used, in order of their names; what cannot be is logged. */
    public static List<StoragePlugin> installed() {
        return logged().plugins();
    }

    /** All of them; those that were added and those that cannot be used are logged. */
    public static InstalledPlugins logged() {
        InstalledPlugins all = found();
        all.loaded()
                .forEach(each -> each.directory()
                        .ifPresent(from ->
                                LOG.info("plugin {} from {}", each.descriptor().name(), from)));
        all.unusable().forEach(each -> LOG.warn("plugin directory {}", each));
        return all;
    }

    /** The directory with plugins of others; absent if there is none. */
    public static Optional<Path> directory() {
        String directory = System.getProperty(DIRECTORY, "");
        return directory.isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(directory).toAbsolutePath());
    }

    /** All of them. */
    public static InstalledPlugins found() {
        List<StoragePlugin> own = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(plugin -> plugin.describe().name()))
                .toList();
        InstalledPlugins all = InstalledPlugins.of(own);
        return directory().map(all::with).orElse(all);
    }
}
