// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.EmptyDirSource;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.volumemanager.content.ContentObjects;
import dev.mooring.volumemanager.content.ContentVolumes;
import dev.mooring.volumemanager.content.TokenSource;
import dev.mooring.volumemanager.directory.EmptyDirVolumes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The volumes that a node makes itself: emptyDir, configMap, secret, downwardAPI, projected (semantics/plugins §1.9). They are published,
 * recorded and undone like those of any plugin. A node whose registry has none of them lets pods run without such volumes.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class HostVolumes {
    private HostVolumes() {}

    /**
     * The plugins together with the host's own volumes. The result goes to {@link VolumeManager} and to {@link
     * dev.mooring.volumemanager.calls.NodeCallHandler} alike.
     *
     * @param plugins the plugins; what one of them serves is left to it
     * @param objects what volumes show, such as a {@link dev.mooring.volumemanager.content.ContentFeed}
     * @param tokens where tokens of service accounts come from
     */
    public static PluginRegistry with(PluginRegistry plugins, ContentObjects objects, TokenSource tokens) {
        List<StoragePlugin> own = new ArrayList<>(ContentVolumes.all(objects, tokens));
        own.add(new EmptyDirVolumes());
        List<StoragePlugin> all = new ArrayList<>(plugins.all());
        for (StoragePlugin plugin : own) {
            boolean served = plugins.all().stream()
                    .anyMatch(other -> other.describe().sourceTypes().stream()
                            .anyMatch(plugin.describe().sourceTypes()::contains));
            if (!served) {
                all.add(plugin);
            }
        }
        return new PluginRegistry(all);
    }

    /** Whether a plugin is one of the host's own; their volumes belong to one pod and are named by it. */
    public static boolean provides(StoragePlugin plugin) {
        return plugin instanceof ContentVolumes || plugin instanceof EmptyDirVolumes;
    }

    /**
     * The source of one of the host's own volumes, bounded by what the pod and the node have: memory of an emptyDir is never more than the
     * pod's containers may use together (semantics/plugins §1.9). Pure.
     *
     * @param source as it is written in the pod
     * @param allocatable what the node has for pods, by resource; empty if that is not known, and then it bounds nothing
     * @return the source as the plugin is to see it
     */
    public static VolumeSource bounded(VolumeSource source, Pod pod, Map<String, Quantity> allocatable) {
        return source.type().equals(EmptyDirSource.TYPE) ? EmptyDirVolumes.bounded(source, pod, allocatable) : source;
    }
}
