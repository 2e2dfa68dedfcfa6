// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.ClusterStore;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Whether a directory that cannot be used matters: whether something that is there now is what its plugins would serve. To go on without
 * them would be to guess which program serves it, or that none has to.
 */
public final class PluginsInUse {
    /** Kubernetes' own volumes, such as emptyDir, that every node makes itself. */
    private static final String KUBERNETES = "kubernetes.io/";

    private final InstalledPlugins plugins;
    private final boolean onlyThesePlugins;

    /**
     * Looks at what is installed.
     *
     * @param onlyThesePlugins whether a volume that no plugin here serves has no server at all. A directory that failed before it said what
     *     it serves might then serve it. False where external drivers work beside this program
     */
    public PluginsInUse(InstalledPlugins plugins, boolean onlyThesePlugins) {
        this.plugins = plugins;
        this.onlyThesePlugins = onlyThesePlugins;
    }

    /** A plugin that is needed cannot be used. */
    public static final class NeededPluginUnusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        NeededPluginUnusable(String message) {
            super(message);
        }
    }

    /** Whether there is anything to be checked. */
    public boolean areOfInterest() {
        return !plugins.unusable().isEmpty();
    }

    /**
     * Checks the volumes of a cluster, which is asked only if there is anything to be checked.
     *
     * @throws NeededPluginUnusable naming the first volume, the directory and the rule
     * @throws LiveCluster.ClusterException if the cluster does not tell
     */
    public void requireFor(ClusterStore cluster) {
        if (areOfInterest()) {
            requireFor(new LiveCluster(cluster).all(Kinds.PERSISTENT_VOLUME, ""));
        }
    }

    /**
     * Checks what is mounted or being mounted here; the records are read only if there is anything to be checked.
     *
     * @throws NeededPluginUnusable naming the first plugin, the directory and the rule
     */
    public void requireFor(RecordLog records) {
        if (areOfInterest()) {
            requireFor(RecordLog.standing(records.replay()).values().stream()
                    .map(entry -> entry.volumeId().plugin()));
        }
    }

    void requireFor(Collection<PersistentVolume> volumes) {
        for (PersistentVolume volume : volumes) {
            Optional<VolumeSource> source = volume.spec().source();
            source.flatMap(this::neededFor)
                    .ifPresent(found -> refuse("volume " + volume.metadata().name(), found));
        }
    }

    /** What is mounted here was mounted by a plugin of this program, and no other program of the cluster unmounts it. */
    void requireFor(Stream<PluginName> mounters) {
        mounters.sorted()
                .distinct()
                .forEach(name -> needed(
                                name.value().startsWith(KUBERNETES)
                                        || plugins.loaded().stream()
                                                .anyMatch(each ->
                                                        each.descriptor().name().equals(name)),
                                descriptor -> descriptor.name().equals(name),
                                true)
                        .ifPresent(found -> refuse("what plugin " + name + " has mounted here", found)));
    }

    private Optional<UnusableDirectory> neededFor(VolumeSource source) {
        Optional<String> driver = CsiSource.of(source).map(CsiSource::driver);
        Predicate<PluginDescriptor> serves =
                descriptor -> driver.map(descriptor.name().value()::equals).orElse(false)
                        || descriptor.sourceTypes().contains(source.type());
        boolean served =
                plugins.loaded().stream().map(InstalledPlugin::descriptor).anyMatch(serves);
        return needed(served, serves, onlyThesePlugins);
    }

    private Optional<UnusableDirectory> needed(
            boolean served, Predicate<PluginDescriptor> serves, boolean onlyThesePlugins) {
        return plugins.unusable().stream()
                .filter(each -> each.claims().stream().anyMatch(serves)
                        || (each.claims().isEmpty() && onlyThesePlugins && !served))
                .findFirst();
    }

    private static void refuse(String what, UnusableDirectory directory) {
        throw new NeededPluginUnusable(what + (directory.claims().isEmpty() ? " may need" : " is claimed by")
                + " the plugin directory " + directory + ". Repair it; or move it away to go on without it");
    }
}
