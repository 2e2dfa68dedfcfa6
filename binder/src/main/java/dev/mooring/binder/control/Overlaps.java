// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeId;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether somebody else has storage that is, contains or lies in the storage of a volume that shall be emptied (semantics/plugins §2.8
 * R2). Pure.
 */
final class Overlaps {
    private final PluginRegistry plugins;

    Overlaps(PluginRegistry plugins) {
        this.plugins = plugins;
    }

    /** Who it is, for people; empty if nobody. */
    Optional<String> of(PersistentVolume volume, Caches caches) {
        return volume.spec()
                .source()
                .flatMap(plugins::identify)
                .flatMap(id -> Stream.concat(
                                caches.of(Kinds.PERSISTENT_VOLUME).all().stream()
                                        .filter(other -> !other.metadata()
                                                .uid()
                                                .equals(volume.metadata().uid()))
                                        .filter(other -> overlaps(other.spec().source(), id))
                                        .map(other ->
                                                "volume " + other.metadata().name()),
                                caches.of(Kinds.POD).all().stream()
                                        .filter(pod -> !pod.status().phase().isTerminal() && usesInline(pod, id))
                                        .map(pod -> "a volume of pod "
                                                + pod.metadata().namespace() + "/"
                                                + pod.metadata().name()))
                        .sorted()
                        .findFirst());
    }

    private boolean usesInline(Pod pod, VolumeId id) {
        return pod.spec().volumes().stream().anyMatch(volume -> overlaps(volume.source(), id));
    }

    private boolean overlaps(Optional<VolumeSource> source, VolumeId id) {
        return source.flatMap(plugins::identify).filter(id::overlaps).isPresent();
    }
}
