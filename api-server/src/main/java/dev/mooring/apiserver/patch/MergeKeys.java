// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which lists strategic merge patches merge, and by which field of their elements (the {@code patchMergeKey} of Kubernetes' types). The
 * names are unambiguous within the kinds served here.
 */
public final class MergeKeys {
    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("metadata.ownerReferences", "uid"),
            Map.entry("status.conditions", "type"),
            Map.entry("status.addresses", "type"),
            Map.entry("status.podIPs", "ip"),
            Map.entry("spec.containers", "name"),
            Map.entry("spec.initContainers", "name"),
            Map.entry("spec.ephemeralContainers", "name"),
            Map.entry("spec.volumes", "name"),
            Map.entry("spec.imagePullSecrets", "name"),
            Map.entry("spec.hostAliases", "ip"),
            Map.entry("spec.topologySpreadConstraints", "topologyKey"),
            Map.entry("spec.schedulingGates", "name"),
            Map.entry("spec.resourceClaims", "name"),
            Map.entry("spec.drivers", "name"),
            Map.entry("status.hostIPs", "ip"),
            Map.entry("containers.env", "name"),
            Map.entry("containers.ports", "containerPort"),
            Map.entry("containers.volumeMounts", "mountPath"),
            Map.entry("containers.volumeDevices", "devicePath"),
            Map.entry("initContainers.env", "name"),
            Map.entry("initContainers.ports", "containerPort"),
            Map.entry("initContainers.volumeMounts", "mountPath"),
            Map.entry("initContainers.volumeDevices", "devicePath"),
            Map.entry("ephemeralContainers.env", "name"),
            Map.entry("ephemeralContainers.ports", "containerPort"),
            Map.entry("ephemeralContainers.volumeMounts", "mountPath"),
            Map.entry("ephemeralContainers.volumeDevices", "devicePath"),
            Map.entry(".secrets", "name"),
            Map.entry(".imagePullSecrets", "name"));

    private static final Set<String> SETS = Set.of("metadata.finalizers", "spec.podCIDRs");

    private MergeKeys() {}

    /** The field that tells elements of a list apart; empty if the list is replaced as a whole, or has no objects. */
    public static Optional<String> of(String parent, String field) {
        return Optional.ofNullable(KEYS.get(parent + "." + field));
    }

    /** Whether a list of values is merged. */
    public static boolean isSet(String parent, String field) {
        return SETS.contains(parent + "." + field);
    }
}
