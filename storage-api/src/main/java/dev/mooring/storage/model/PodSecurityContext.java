// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The users and groups of a pod, as far as they matter to volumes.
 *
 * @param fsGroup the group that owns its volumes
 * @param fsGroupChangePolicy when ownership is changed
 * @param supplementalGroups further groups
 * @param seLinuxOptions the label of its containers
 * @param seLinuxChangePolicy {@code MountOption} or {@code Recursive}: how its volumes get that label
 * @param runAsUser the user of its containers that name none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSecurityContext(
        Optional<Long> fsGroup,
        Optional<String> fsGroupChangePolicy,
        List<Long> supplementalGroups,
        Optional<SELinuxOptions> seLinuxOptions,
        Optional<String> seLinuxChangePolicy,
        Optional<Long> runAsUser) {
    /** Nothing set. */
    public static final PodSecurityContext EMPTY = new PodSecurityContext(
            Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Copies lists and maps. */
    public PodSecurityContext {
        supplementalGroups = Copies.list(supplementalGroups);
    }

    /** The same with another fsGroup. */
    public PodSecurityContext withFsGroup(Optional<Long> newFsGroup) {
        return new PodSecurityContext(
                newFsGroup, fsGroupChangePolicy, supplementalGroups, seLinuxOptions, seLinuxChangePolicy, runAsUser);
    }

    /** The same with another fsGroupChangePolicy. */
    public PodSecurityContext withFsGroupChangePolicy(Optional<String> newFsGroupChangePolicy) {
        return new PodSecurityContext(
                fsGroup, newFsGroupChangePolicy, supplementalGroups, seLinuxOptions, seLinuxChangePolicy, runAsUser);
    }

    /** The same with another supplementalGroups. */
    public PodSecurityContext withSupplementalGroups(List<Long> newSupplementalGroups) {
        return new PodSecurityContext(
                fsGroup, fsGroupChangePolicy, newSupplementalGroups, seLinuxOptions, seLinuxChangePolicy, runAsUser);
    }

    /** The same with another seLinuxOptions. */
    public PodSecurityContext withSeLinuxOptions(Optional<SELinuxOptions> newSeLinuxOptions) {
        return new PodSecurityContext(
                fsGroup, fsGroupChangePolicy, supplementalGroups, newSeLinuxOptions, seLinuxChangePolicy, runAsUser);
    }

    /** The same with another seLinuxChangePolicy. */
    public PodSecurityContext withSeLinuxChangePolicy(Optional<String> newSeLinuxChangePolicy) {
        return new PodSecurityContext(
                fsGroup, fsGroupChangePolicy, supplementalGroups, seLinuxOptions, newSeLinuxChangePolicy, runAsUser);
    }

    /** The same with another runAsUser. */
    public PodSecurityContext withRunAsUser(Optional<Long> newRunAsUser) {
        return new PodSecurityContext(
                fsGroup, fsGroupChangePolicy, supplementalGroups, seLinuxOptions, seLinuxChangePolicy, newRunAsUser);
    }
}
