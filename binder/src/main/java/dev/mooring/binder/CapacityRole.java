// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Where and by which name this process tells how much storage drivers have left (semantics/csi §12). Immutable.
 *
 * @param namespace where the CSIStorageCapacity objects are; schedulers look in every namespace
 * @param manager whose they are, by their label {@code csi.storage.k8s.io/managed-by}
 * @param place the part of the cluster that alone is told of; empty for all
 * @param interval how long after one question the next one is put
 * @param immediate whether classes that do not wait for pods are told of too
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CapacityRole(
        String namespace, String manager, Optional<Map<String, String>> place, Duration interval, boolean immediate) {
    /** Mooring's own. */
    public static final CapacityRole DEFAULT =
            new CapacityRole("kube-system", "mooring", Optional.empty(), Duration.ofMinutes(1), false);

    /** Copies the map. */
    public CapacityRole {
        place = place.map(TreeMap::new);
    }

    /** The same for a part of the cluster alone. */
    public CapacityRole of(Map<String, String> part) {
        return new CapacityRole(namespace, manager, Optional.of(part), interval, immediate);
    }
}
