// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The volumes with a claimRef, by what it says: namespace, then name, then uid.
 *
 * <p>By uid as well, since a claim that was deleted and made again many times leaves one released volume each time; a match asks only
 * for its own uid and for the empty one. In maps within maps, so that asking makes no key.
 */
final class ClaimedVolumes {
    private static final Comparator<VolumeEntry> BY_NAME = Comparator.comparing(VolumeEntry::name);

    private final Map<String, Map<String, Map<String, List<VolumeEntry>>>> byNamespace = new HashMap<>();

    void add(VolumeEntry volume, ObjectReference claim) {
        byNamespace
                .computeIfAbsent(claim.namespace(), namespace -> new HashMap<>())
                .computeIfAbsent(claim.name(), name -> new HashMap<>())
                .computeIfAbsent(claim.uid(), uid -> new ArrayList<>(1))
                .add(volume);
    }

    void remove(VolumeEntry volume, ObjectReference claim) {
        byNamespace.computeIfPresent(claim.namespace(), (namespace, byName) -> {
            byName.computeIfPresent(claim.name(), (name, byUid) -> {
                byUid.computeIfPresent(claim.uid(), (uid, volumes) -> {
                    volumes.remove(volume);
                    return volumes.isEmpty() ? null : volumes;
                });
                return byUid.isEmpty() ? null : byUid;
            });
            return byName.isEmpty() ? null : byName;
        });
    }

    /** The volumes that name a claim, by the uid that they name; null if there are none. */
    @Nullable
    Map<String, List<VolumeEntry>> byUid(String namespace, String name) {
        Map<String, Map<String, List<VolumeEntry>>> byName = byNamespace.get(namespace);
        return byName == null ? null : byName.get(name);
    }

    /** The volumes that name a claim, whatever the uid, in order of their names. */
    List<PersistentVolume> of(String namespace, String name) {
        Map<String, List<VolumeEntry>> byUid = byUid(namespace, name);
        if (byUid == null) {
            return List.of();
        }
        return byUid.values().stream()
                .flatMap(List::stream)
                .sorted(BY_NAME)
                .map(VolumeEntry::volume)
                .toList();
    }
}
