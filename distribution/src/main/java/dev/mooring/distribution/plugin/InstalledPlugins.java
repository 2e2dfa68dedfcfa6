// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.distribution.wiring.PluginSettings;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All plugins of this program: its own, and those of the plugins' directory. Immutable.
 *
 * @param loaded those in use, in order of their names; no two share a name or a source type
 * @param unusable the entries of the directory that are not used, in order of their names
 */
public record InstalledPlugins(List<InstalledPlugin> loaded, List<UnusableDirectory> unusable) {
    private static final Comparator<InstalledPlugin> BY_NAME =
            Comparator.comparing(each -> each.descriptor().name());

    /** Copies the lists. */
    public InstalledPlugins {
        loaded = loaded.stream().sorted(BY_NAME).toList();
        unusable = List.copyOf(unusable);
    }

    /** No others than Mooring's own. */
    public static InstalledPlugins of(List<? extends StoragePlugin> own) {
        return new InstalledPlugins(
                own.stream()
                        .map(plugin -> new InstalledPlugin(plugin, plugin.describe(), Optional.empty()))
                        .toList(),
                List.of());
    }

    /**
     * The same with those of a directory: each of its directories is a module layer of its own. One that cannot be used does not keep
     * the others from being used. Where two directories claim one name or source type neither is used; where one claims what is
     * Mooring's own, that stays Mooring's.
     *
     * @param directory the plugins' directory; nothing is added if it is not there
     */
    public InstalledPlugins with(Path directory) {
        Map<Path, List<InstalledPlugin>> found = new LinkedHashMap<>();
        List<UnusableDirectory> broken = new ArrayList<>(unusable);
        for (Path entry : entries(directory, broken)) {
            try {
                if (!Files.isDirectory(entry)) {
                    throw new PluginLayer.RuleBroken(
                            PluginRule.DIRECTORY, "a plugin is a directory with its jars: put it into one");
                }
                found.put(entry, PluginLayer.load(entry, parent()));
            } catch (PluginLayer.RuleBroken e) {
                broken.add(new UnusableDirectory(entry, e.rule(), e.why(), List.of()));
            }
        }
        List<InstalledPlugin> all = new ArrayList<>(loaded);
        found.forEach((entry, plugins) -> clash(entry, plugins, found)
                .ifPresentOrElse(
                        why -> broken.add(new UnusableDirectory(
                                entry,
                                PluginRule.UNIQUE,
                                why,
                                plugins.stream()
                                        .map(InstalledPlugin::descriptor)
                                        .toList())),
                        () -> all.addAll(plugins)));
        broken.sort(Comparator.comparing(UnusableDirectory::directory));
        return new InstalledPlugins(all, broken);
    }

    /**
     * The same with settings of plugins.
     *
     * @param settings values by setting by the plugin's name
     * @throws IllegalArgumentException if there is no such plugin, or it does not take them; the message names it
     */
    public InstalledPlugins withSettings(Map<String, Map<String, String>> settings) {
        List<StoragePlugin> configured = PluginSettings.apply(plugins(), settings);
        List<InstalledPlugin> all = new ArrayList<>();
        for (int i = 0; i < loaded.size(); i++) {
            InstalledPlugin before = loaded.get(i);
            all.add(new InstalledPlugin(configured.get(i), before.descriptor(), before.directory()));
        }
        return new InstalledPlugins(all, unusable);
    }

    private static ModuleLayer parent() {
        return Optional.ofNullable(StoragePlugin.class.getModule().getLayer()).orElseGet(ModuleLayer::boot);
    }

    /** Directories, and jars that are in the wrong place; what else lies there, such as a README, means nothing. */
    private static List<Path> entries(Path directory, List<UnusableDirectory> broken) {
        List<Path> entries = new ArrayList<>();
        try {
            for (Path entry : Listing.of(directory, "*")) {
                String name = String.valueOf(entry.getFileName());
                if (!name.startsWith(".") && (Files.isDirectory(entry) || name.endsWith(".jar"))) {
                    entries.add(entry);
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            broken.add(new UnusableDirectory(
                    directory, PluginRule.DIRECTORY, "it cannot be listed: " + FileFailures.reason(e), List.of()));
        }
        return entries;
    }

    private Optional<String> clash(Path entry, List<InstalledPlugin> plugins, Map<Path, List<InstalledPlugin>> found) {
        Set<String> seen = new LinkedHashSet<>();
        for (InstalledPlugin plugin : plugins) {
            for (String claim : claims(plugin.descriptor())) {
                Optional<InstalledPlugin> other = Stream.concat(
                                loaded.stream(),
                                found.entrySet().stream()
                                        .filter(each -> !each.getKey().equals(entry))
                                        .flatMap(each -> each.getValue().stream()))
                        .filter(each -> claims(each.descriptor()).contains(claim))
                        .findFirst();
                if (other.isPresent()) {
                    return Optional.of(claim + " is claimed by its plugin "
                            + plugin.descriptor().name() + " and by "
                            + other.get().descriptor().name() + " ("
                            + other.get().origin() + ")");
                }
                if (!seen.add(claim)) {
                    return Optional.of(claim + " is claimed by two of its plugins");
                }
            }
        }
        return Optional.empty();
    }

    /** What can be one plugin's only, as people call it. */
    private static Set<String> claims(PluginDescriptor descriptor) {
        Set<String> claims = new LinkedHashSet<>();
        claims.add("the name " + descriptor.name());
        descriptor.sourceTypes().forEach(type -> claims.add("the source " + type));
        return claims;
    }

    /** The plugins in use, in order of their names. */
    public List<StoragePlugin> plugins() {
        return loaded.stream().map(InstalledPlugin::plugin).toList();
    }
}
