// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Whether a directory that cannot be used matters: whether something that is there now is what its plugins would serve. To go on
 * without them would be to guess who serves it, or that nobody has to.
 */
public final class PluginsInUse {
    /** Kubernetes' own volumes, such as emptyDir, that every node makes itself. */
    private static final String KUBERNETES = "kubernetes.io/";

    private final InstalledPlugins plugins;
    private final boolean nobodyElseServes;

    /**
     * Looks at what is installed.
     *
     * @param nobodyElseServes whether a volume that no plugin here serves is served by nobody: a directory that did not come to saying
     *     what it serves might serve it then. False where external drivers work beside this program
     */
    public PluginsInUse(InstalledPlugins plugins, boolean nobodyElseServes) {
        this.plugins = plugins;
        this.nobodyElseServes = nobodyElseServes;
    }

    /** A plugin that is needed cannot be used. */
    public static final class NeededPluginUnusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        NeededPluginUnusable(String message) {
            super(message);
        }
    }

    /**
     * Checks everything, if there is anything to be checked.
     *
     * @param volumes of the cluster; asked for only then
     * @param mounters by the names of plugins, who mounted or mounts here; asked for only then
     * @throws NeededPluginUnusable naming the first volume or plugin, the directory and the rule
     */
    public void require(
            Supplier<? extends Collection<PersistentVolume>> volumes, Supplier<Stream<PluginName>> mounters) {
        if (!plugins.unusable().isEmpty()) {
            requireFor(volumes.get());
            requireFor(mounters.get());
        }
    }

    /**
     * Checks volumes.
     *
     * @throws NeededPluginUnusable naming the first volume, the directory and the rule
     */
    void requireFor(Collection<PersistentVolume> volumes) {
        for (PersistentVolume volume : volumes) {
            Optional<VolumeSource> source = volume.spec().source();
            source.flatMap(this::neededFor)
                    .ifPresent(found -> refuse("volume " + volume.metadata().name(), found));
        }
    }

    /**
     * Checks what is mounted or being mounted here, by the names of the plugins that did it.
     *
     * @throws NeededPluginUnusable naming the first plugin, the directory and the rule
     */
    void requireFor(Stream<PluginName> mounters) {
        mounters.sorted()
                .distinct()
                .forEach(name -> needed(
                                name.value().startsWith(KUBERNETES)
                                        || plugins.loaded().stream()
                                                .anyMatch(each ->
                                                        each.descriptor().name().equals(name)),
                                descriptor -> descriptor.name().equals(name))
                        .ifPresent(found -> refuse("what plugin " + name + " has mounted here", found)));
    }

    private Optional<UnusableDirectory> neededFor(VolumeSource source) {
        Optional<String> driver = CsiSource.of(source).map(CsiSource::driver);
        Predicate<PluginDescriptor> serves =
                descriptor -> driver.map(descriptor.name().value()::equals).orElse(false)
                        || descriptor.sourceTypes().contains(source.type());
        return needed(plugins.loaded().stream().map(InstalledPlugin::descriptor).anyMatch(serves), serves);
    }

    private Optional<UnusableDirectory> needed(boolean served, Predicate<PluginDescriptor> serves) {
        return plugins.unusable().stream()
                .filter(each -> each.claims().stream().anyMatch(serves)
                        || (each.claims().isEmpty() && nobodyElseServes && !served))
                .findFirst();
    }

    private static void refuse(String what, UnusableDirectory directory) {
        throw new NeededPluginUnusable(what + (directory.claims().isEmpty() ? " may need" : " is claimed by")
                + " the plugin directory " + directory + ". Repair it; or move it away to go on without it");
    }
}
