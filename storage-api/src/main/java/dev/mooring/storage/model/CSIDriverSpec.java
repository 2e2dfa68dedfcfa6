// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
        Optional<Long> nodeAllocatableUpdatePeriodSeconds) {
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

    /** The same with another attachRequired. */
    public CSIDriverSpec withAttachRequired(Optional<Boolean> newAttachRequired) {
        return new CSIDriverSpec(
                newAttachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another podInfoOnMount. */
    public CSIDriverSpec withPodInfoOnMount(Optional<Boolean> newPodInfoOnMount) {
        return new CSIDriverSpec(
                attachRequired,
                newPodInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another storageCapacity. */
    public CSIDriverSpec withStorageCapacity(Optional<Boolean> newStorageCapacity) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                newStorageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another fsGroupPolicy. */
    public CSIDriverSpec withFsGroupPolicy(Optional<String> newFsGroupPolicy) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                newFsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another volumeLifecycleModes. */
    public CSIDriverSpec withVolumeLifecycleModes(List<String> newVolumeLifecycleModes) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                newVolumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another requiresRepublish. */
    public CSIDriverSpec withRequiresRepublish(Optional<Boolean> newRequiresRepublish) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                newRequiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another seLinuxMount. */
    public CSIDriverSpec withSeLinuxMount(Optional<Boolean> newSeLinuxMount) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                newSeLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another tokenRequests. */
    public CSIDriverSpec withTokenRequests(List<CSIDriverTokenRequest> newTokenRequests) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                newTokenRequests,
                serviceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another serviceAccountTokenInSecrets. */
    public CSIDriverSpec withServiceAccountTokenInSecrets(Optional<Boolean> newServiceAccountTokenInSecrets) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                newServiceAccountTokenInSecrets,
                nodeAllocatableUpdatePeriodSeconds);
    }

    /** The same with another nodeAllocatableUpdatePeriodSeconds. */
    public CSIDriverSpec withNodeAllocatableUpdatePeriodSeconds(Optional<Long> newNodeAllocatableUpdatePeriodSeconds) {
        return new CSIDriverSpec(
                attachRequired,
                podInfoOnMount,
                storageCapacity,
                fsGroupPolicy,
                volumeLifecycleModes,
                requiresRepublish,
                seLinuxMount,
                tokenRequests,
                serviceAccountTokenInSecrets,
                newNodeAllocatableUpdatePeriodSeconds);
    }
}
