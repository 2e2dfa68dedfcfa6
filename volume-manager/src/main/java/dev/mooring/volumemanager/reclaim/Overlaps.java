// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.control.NodeRecords;
import java.util.Map;
import java.util.Optional;

/**
 * Whether anything else on this node uses storage that is, contains or lies in the storage of a volume that shall be emptied or
 * destroyed (semantics/plugins §2.8 R2, R3). Pure.
 */
final class Overlaps {
    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final NodeRecords records;

    Overlaps(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        this.config = config;
        this.plugins = plugins;
        this.records = records;
    }

    /** R3: how many pods have it published here, or may have. */
    long published(PersistentVolume volume, VolumeId id) {
        return records.all().stream()
                .filter(record -> record.volume().equals(volume.metadata().name()) || isSeen(id, record.volumeId()))
                .map(Publish::pod)
                .distinct()
                .count();
    }

    /** R3: whether the node still uses it, though no pod may have it any more. */
    boolean staged(PersistentVolume volume, VolumeId id) {
        return records.stages().stream()
                .anyMatch(record -> record.volume().equals(volume.metadata().name()) || id.overlaps(record.volumeId()));
    }

    /** R2: the name of another volume of this node with overlapping storage. */
    Optional<String> otherVolume(PersistentVolume volume, VolumeId id, Caches caches) {
        Map<String, String> labels = caches.get(
                        Kinds.NODE, ObjectKey.cluster(config.node().name()))
                .map(Node::metadata)
                .map(metadata -> metadata.labels())
                .orElse(Map.of());
        return caches.of(Kinds.PERSISTENT_VOLUME).all().stream()
                .filter(other ->
                        !other.metadata().uid().equals(volume.metadata().uid()))
                .filter(other -> other.spec()
                        .nodeAffinity()
                        .map(affinity -> labels.isEmpty() || affinity.matches(labels))
                        .orElse(true))
                .filter(other ->
                        identified(other.spec().source()).filter(id::overlaps).isPresent())
                .map(other -> other.metadata().name())
                .findFirst();
    }

    /** R2: whether a pod of this node that has not ended names overlapping storage itself. */
    boolean inlineInPod(VolumeId id, Caches caches) {
        return caches.of(Kinds.POD).all().stream()
                .filter(pod -> pod.spec().nodeName().equals(config.node().name()) && !pod.hasEnded())
                .map(Pod::spec)
                .flatMap(spec -> spec.volumes().stream())
                .anyMatch(volume -> identified(volume.source())
                        .filter(used -> isSeen(id, used))
                        .isPresent());
    }

    private Optional<VolumeId> identified(Optional<VolumeSource> source) {
        return source.flatMap(plugins::identify);
    }

    /**
     * Whether what a pod uses is the volume's storage, by whichever plugin. A directory of the node that contains a disk of another
     * plugin does not count: pods that watch over a node have {@code /} or {@code /dev}, and no disk would ever be cleaned.
     */
    private static boolean isSeen(VolumeId id, VolumeId used) {
        return id.plugin().equals(used.plugin()) ? id.overlaps(used) : id.contains(used);
    }
}
