// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a CSI driver wants of its hosts.
 *
 * @param attachRequired whether volumes are attached; absent for yes
 * @param podInfoOnMount whether its calls carry the pod
 * @param storageCapacity whether it publishes capacities
 * @param fsGroupPolicy whether the host changes ownership
 * @param volumeLifecycleModes persistent, ephemeral
 * @param requiresRepublish whether volumes are published again and again
 * @param seLinuxMount whether it takes a context option
 * @param tokenRequests the service account tokens of the pod that its publish calls carry
 * @param serviceAccountTokenInSecrets whether the tokens stand among the secrets; absent for the volume's attributes
 * @param nodeAllocatableUpdatePeriodSeconds how often it is asked how many volumes a node takes; absent for never
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record CSIDriverSpec(
        Optional<Boolean> attachRequired,
        Optional<Boolean> podInfoOnMount,
        Optional<Boolean> storageCapacity,
        Optional<String> fsGroupPolicy,
        List<String> volumeLifecycleModes,
        Optional<Boolean> requiresRepublish,
        Optional<Boolean> seLinuxMount,
        List<CSIDriverTokenRequest> tokenRequests,
        Optional<Boolean> serviceAccountTokenInSecrets,
        Optional<Long> nodeAllocatableUpdatePeriodSeconds)
        implements CSIDriverSpecBuilder.With {
    /** Nothing set. */
    public static final CSIDriverSpec EMPTY = new CSIDriverSpec(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty());

    /** Copies lists and maps. */
    public CSIDriverSpec {
        volumeLifecycleModes = Copies.list(volumeLifecycleModes);
        tokenRequests = Copies.list(tokenRequests);
    }
}
