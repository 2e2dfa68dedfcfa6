// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.runtime.control.Defects;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One directory of jars as a module layer. Its modules see Mooring's and each other, and win over Mooring's of the same name; but the
 * plugin SPI, and what it is made of, is always Mooring's.
 */
final class PluginLayer {
    private static final String SPI = "dev.mooring.storage";

    private final Path directory;
    private final ModuleLayer parent;

    private PluginLayer(Path directory, ModuleLayer parent) {
        this.directory = directory;
        this.parent = parent;
    }

    /** A rule does not hold. */
    static final class RuleBroken extends Exception {
        private static final long serialVersionUID = 1;

        private final PluginRule rule;

        RuleBroken(PluginRule rule, String why) {
            super(why);
            this.rule = rule;
        }

        PluginRule rule() {
            return rule;
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    /** The plugins of a directory, at least one. */
    static List<InstalledPlugin> load(Path directory, ModuleLayer parent) throws RuleBroken {
        return new PluginLayer(directory, parent).plugins();
    }

    private List<InstalledPlugin> plugins() throws RuleBroken {
        ModuleLayer layer = layer(finder(jars()));
        List<InstalledPlugin> found = new ArrayList<>();
        try {
            List<ServiceLoader.Provider<StoragePlugin>> providers =
                    ServiceLoader.load(layer, StoragePlugin.class).stream()
                            .filter(provider ->
                                    layer.equals(provider.type().getModule().getLayer()))
                            .toList();
            for (ServiceLoader.Provider<StoragePlugin> provider : providers) {
                found.add(plugin(provider));
            }
        } catch (ServiceConfigurationError e) {
            throw new RuleBroken(PluginRule.WORKING, withCause(e));
        }
        if (found.isEmpty()) {
            throw new RuleBroken(
                    PluginRule.PROVIDER,
                    "none of the modules " + names(layer) + " provides " + StoragePlugin.class.getName());
        }
        return found;
    }

    private InstalledPlugin plugin(ServiceLoader.Provider<StoragePlugin> provider) throws RuleBroken {
        try {
            StoragePlugin plugin = provider.get();
            PluginDescriptor descriptor = plugin.describe();
            if (Optional.ofNullable(descriptor).isEmpty()) {
                throw new RuleBroken(PluginRule.WORKING, provider.type().getName() + ".describe() answers null");
            }
            return new InstalledPlugin(plugin, descriptor, Optional.of(directory));
        } catch (RuntimeException | Error defect) {
            Defects.throwTheMachines(defect);
            throw new RuleBroken(PluginRule.WORKING, provider.type().getName() + " failed: " + withCause(defect));
        }
    }

    private List<Path> jars() throws RuleBroken {
        List<Path> jars;
        try {
            jars = Listing.of(directory, "*.jar");
        } catch (IOException e) {
            throw new RuleBroken(PluginRule.DIRECTORY, "it cannot be listed: " + FileFailures.reason(e));
        }
        if (jars.isEmpty()) {
            throw new RuleBroken(PluginRule.JARS, "there is no .jar in it");
        }
        return jars;
    }

    /** Those modules of the directory that are not replaced by Mooring's. */
    private List<Path> finder(List<Path> jars) throws RuleBroken {
        Set<String> ours = new TreeSet<>(Set.of(SPI));
        parent.findModule(SPI)
                .map(Module::getDescriptor)
                .ifPresent(spi -> spi.requires().stream().map(Requires::name).forEach(ours::add));
        Map<String, Path> byModule = new TreeMap<>();
        for (Path jar : jars) {
            ModuleDescriptor module = read(jar);
            if (ours.contains(module.name())) {
                continue;
            }
            Path same = byModule.putIfAbsent(module.name(), jar);
            if (same != null) {
                throw new RuleBroken(
                        PluginRule.READABLE,
                        same.getFileName() + " and " + jar.getFileName() + " are both the module " + module.name());
            }
        }
        if (byModule.isEmpty()) {
            throw new RuleBroken(PluginRule.PROVIDER, "it holds nothing but copies of Mooring's own modules");
        }
        return List.copyOf(byModule.values());
    }

    private static ModuleDescriptor read(Path jar) throws RuleBroken {
        try {
            return ModuleFinder.of(jar).findAll().stream()
                    .findFirst()
                    .orElseThrow(() -> new FindException("it contains no module"))
                    .descriptor();
        } catch (FindException | SecurityException e) {
            throw new RuleBroken(
                    PluginRule.READABLE, jar.getFileName() + " is not a jar with a module: " + withCause(e));
        }
    }

    private ModuleLayer layer(List<Path> jars) throws RuleBroken {
        ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));
        List<ModuleDescriptor> modules =
                finder.findAll().stream().map(ModuleReference::descriptor).toList();
        requireComplete(modules, finder);
        requireOwnPackages(modules);
        try {
            Configuration configuration = parent.configuration()
                    .resolve(
                            finder,
                            ModuleFinder.of(),
                            modules.stream().map(ModuleDescriptor::name).toList());
            return parent.defineModulesWithOneLoader(configuration, StoragePlugin.class.getClassLoader());
        } catch (FindException | ResolutionException | LayerInstantiationException | SecurityException e) {
            throw new RuleBroken(PluginRule.CONSISTENT, withCause(e));
        }
    }

    private void requireComplete(List<ModuleDescriptor> modules, ModuleFinder finder) throws RuleBroken {
        for (ModuleDescriptor module : modules) {
            for (Requires requires : module.requires()) {
                boolean there = requires.modifiers().contains(Requires.Modifier.STATIC)
                        || finder.find(requires.name()).isPresent()
                        || parent.findModule(requires.name()).isPresent();
                if (!there) {
                    throw new RuleBroken(
                            PluginRule.COMPLETE,
                            "module " + module.name() + " requires " + requires.name()
                                    + ", which is neither in the directory nor one of Mooring's modules");
                }
            }
        }
    }

    private static void requireOwnPackages(List<ModuleDescriptor> modules) throws RuleBroken {
        Map<String, String> owners = new TreeMap<>();
        for (ModuleDescriptor module : modules) {
            for (String name : module.packages()) {
                String other = owners.putIfAbsent(name, module.name());
                if (other != null) {
                    throw new RuleBroken(
                            PluginRule.CONSISTENT,
                            "package " + name + " is in module " + other + " and in module " + module.name());
                }
            }
        }
    }

    private static String names(ModuleLayer layer) {
        return layer.modules().stream().map(Module::getName).sorted().collect(Collectors.joining(", "));
    }

    /** The last cause is what went wrong; the others are how it was met. */
    private static String withCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.equals(failure) ? failure.toString() : failure.getMessage() + " (" + cause + ")";
    }
}
