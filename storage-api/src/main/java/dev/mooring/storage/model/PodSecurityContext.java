// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
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
@WithBuilder
public record PodSecurityContext(
        Optional<Long> fsGroup,
        Optional<String> fsGroupChangePolicy,
        List<Long> supplementalGroups,
        Optional<SELinuxOptions> seLinuxOptions,
        Optional<String> seLinuxChangePolicy,
        Optional<Long> runAsUser)
        implements PodSecurityContextBuilder.With {
    /** Nothing set. */
    public static final PodSecurityContext EMPTY = new PodSecurityContext(
            Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Copies lists and maps. */
    public PodSecurityContext {
        supplementalGroups = Copies.list(supplementalGroups);
    }
}
