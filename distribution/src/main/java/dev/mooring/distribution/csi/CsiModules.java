// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.csi;

import dev.mooring.distribution.logging.Logs;
import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The modules that speak CSI: they lie in {@code lib/csi} and are loaded as a layer of their own when they are needed. Most of them are
 * automatic modules, and one of those on the module path would resolve all of them in every start. Thread-safe.
 */
public final class CsiModules {
    private static final String DIRECTORY = "csi";

    private CsiModules() {}

    /**
     * What these modules provide for a service that this module uses.
     *
     * @param type the service
     * @throws IllegalStateException if it is not there: this build is not whole; the message says where it was looked for
     */
    public static <S> S find(Class<S> type) {
        Logs.takeJdkLog(); // gRPC's
        return first(ServiceLoader.load(type))
                .or(() -> Loaded.LAYER.flatMap(layer -> first(ServiceLoader.load(layer, type))))
                .orElseThrow(() -> new IllegalStateException("this build has no modules for CSI in "
                        + directory().map(Path::toString).orElse("a directory beside its own jars")
                        + ": unpack the whole archive"));
    }

    private static <S> Optional<S> first(ServiceLoader<S> services) {
        return services.stream().findFirst().map(ServiceLoader.Provider::get);
    }

    /** Beside the jars with which this process was started. */
    private static Optional<Path> directory() {
        return List.of(System.getProperty("jdk.module.path", "").split(File.pathSeparator, -1)).stream()
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).resolve(DIRECTORY))
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** Loaded once, by the first who needs it. */
    private static final class Loaded {
        private static final Optional<ModuleLayer> LAYER = directory().map(Loaded::layer);

        private static ModuleLayer layer(Path directory) {
            ModuleFinder finder = ModuleFinder.of(directory);
            List<String> names = finder.findAll().stream()
                    .map(ModuleReference::descriptor)
                    .map(ModuleDescriptor::name)
                    .toList();
            ModuleLayer parent =
                    Optional.ofNullable(CsiModules.class.getModule().getLayer()).orElseGet(ModuleLayer::boot);
            try {
                Configuration configuration = parent.configuration().resolve(finder, ModuleFinder.of(), names);
                return parent.defineModulesWithOneLoader(configuration, CsiModules.class.getClassLoader());
            } catch (FindException | ResolutionException | LayerInstantiationException broken) {
                throw new IllegalStateException("the modules of CSI in " + directory + " cannot be loaded", broken);
            }
        }
    }
}
