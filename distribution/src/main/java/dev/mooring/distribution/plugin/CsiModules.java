// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.runtime.plugin.PluginServer;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolutionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The modules for CSI as a layer of their own, opened when they are needed first. gRPC's jars are automatic modules: one of them on the
 * module path would resolve all of them in every start.
 */
public final class CsiModules {
    /** The system property by which the launcher names the directory of the jars. */
    private static final String DIRECTORY = "mooring.csi";

    private CsiModules() {}

    /**
     * What shows plugins as drivers.
     *
     * @throws IOException if the jars are not there, or do not fit together; the message names the directory
     */
    public static PluginServer pluginServer() throws IOException {
        Path directory = directory();
        return ServiceLoader.load(layer(directory), PluginServer.class)
                .findFirst()
                .orElseThrow(() -> new IOException("the jars in " + directory + " are not those of this version"));
    }

    private static Path directory() throws IOException {
        String directory = System.getProperty(DIRECTORY, "");
        if (directory.isEmpty() || !Files.isDirectory(Path.of(directory))) {
            throw new IOException("the directory lib/csi with the jars for CSI is missing"
                    + (directory.isEmpty() ? "" : " (" + directory + ")") + ": unpack the whole archive");
        }
        return Path.of(directory);
    }

    private static ModuleLayer layer(Path directory) throws IOException {
        ModuleLayer parent =
                Optional.ofNullable(CsiModules.class.getModule().getLayer()).orElseGet(ModuleLayer::boot);
        try {
            ModuleFinder finder = ModuleFinder.of(directory);
            List<String> names = finder.findAll().stream()
                    .map(found -> found.descriptor().name())
                    .sorted()
                    .toList();
            Configuration configuration = parent.configuration().resolve(finder, ModuleFinder.of(), names);
            return parent.defineModulesWithOneLoader(configuration, CsiModules.class.getClassLoader());
        } catch (FindException | ResolutionException | LayerInstantiationException e) {
            throw new IOException("the jars in " + directory + " do not fit together: " + e.getMessage(), e);
        }
    }
}
