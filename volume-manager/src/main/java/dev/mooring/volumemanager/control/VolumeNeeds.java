// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Key;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.wanted.Device;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Which pods need which volume: what is desired of this node. Derived from the states of {@link PodVolumes}; confined to the decider. */
public final class VolumeNeeds {
    private final Map<VolumeId, NavigableMap<Key, VolumeNeed>> byVolume = new HashMap<>();
    private final Map<VolumeId, NavigableMap<Key, VolumeNeed>> singlePod = new HashMap<>();
    private final NavigableMap<String, NavigableMap<Key, VolumeNeed>> byName = new TreeMap<>();
    private final List<BiConsumer<Optional<VolumeNeed>, Optional<VolumeNeed>>> listeners = new ArrayList<>();

    /** Asks to be told of every need that came, went or changed: what it was and what it is. */
    void onChange(BiConsumer<Optional<VolumeNeed>, Optional<VolumeNeed>> listener) {
        listeners.add(listener);
    }

    /** Who needs a volume, in order of the keys. */
    Collection<VolumeNeed> of(VolumeId volume) {
        return Collections.unmodifiableCollection(
                byVolume.getOrDefault(volume, Collections.emptyNavigableMap()).values());
    }

    /** The keys of those who need a volume. */
    List<Key> keys(VolumeId volume) {
        return List.copyOf(
                byVolume.getOrDefault(volume, Collections.emptyNavigableMap()).keySet());
    }

    /** The keys of those who need a volume that only one pod may have at a time. */
    List<Key> keysOfSinglePod(VolumeId volume) {
        return List.copyOf(
                singlePod.getOrDefault(volume, Collections.emptyNavigableMap()).keySet());
    }

    /** Under which names the Node has to report what is needed. */
    Set<String> reportedNames() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    /** Who needs a volume that the Node reports under a name, in order of the keys. */
    Collection<VolumeNeed> reporting(String name) {
        return Collections.unmodifiableCollection(
                byName.getOrDefault(name, Collections.emptyNavigableMap()).values());
    }

    /** The keys of those who need a volume that the Node reports under a name. */
    List<Key> keysReporting(String name) {
        return List.copyOf(
                byName.getOrDefault(name, Collections.emptyNavigableMap()).keySet());
    }

    /** Learns what a key needs now. */
    void learn(Key key, Optional<VolumeNeed> before, Optional<VolumeNeed> now) {
        if (before.equals(now)) {
            return;
        }
        before.ifPresent(need -> {
            remove(byVolume, need.volumeId(), key);
            remove(singlePod, need.volumeId(), key);
            reportedName(need).ifPresent(name -> remove(byName, name, key));
        });
        now.ifPresent(need -> {
            add(byVolume, need.volumeId(), key, need);
            if (need.singlePod()) {
                add(singlePod, need.volumeId(), key, need);
            }
            reportedName(need).ifPresent(name -> add(byName, name, key, need));
        });
        listeners.forEach(listener -> listener.accept(before, now));
    }

    private static Optional<String> reportedName(VolumeNeed need) {
        return need.device().flatMap(Device::reportedName);
    }

    private static <K> void add(Map<K, NavigableMap<Key, VolumeNeed>> index, K value, Key key, VolumeNeed need) {
        index.computeIfAbsent(value, v -> new TreeMap<>()).put(key, need);
    }

    private static <K> void remove(Map<K, NavigableMap<Key, VolumeNeed>> index, K value, Key key) {
        index.computeIfPresent(value, (v, needs) -> {
            needs.remove(key);
            return needs.isEmpty() ? null : needs;
        });
    }
}
