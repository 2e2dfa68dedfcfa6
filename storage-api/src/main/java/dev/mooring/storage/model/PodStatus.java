// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a pod stands.
 *
 * @param phase the phase
 * @param conditions facts about it
 * @param reason why, in one word
 * @param message for people
 * @param startTime when its node took it
 * @param containerStatuses its containers, as its node reports them
 * @param initContainerStatuses what ran before them
 * @param ephemeralContainerStatuses what was added to it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record PodStatus(
        PodPhase phase,
        List<Condition> conditions,
        String reason,
        String message,
        Optional<Instant> startTime,
        List<ContainerStatus> containerStatuses,
        List<ContainerStatus> initContainerStatuses,
        List<ContainerStatus> ephemeralContainerStatuses)
        implements PodStatusBuilder.With {
    /** Nothing set. */
    public static final PodStatus EMPTY =
            new PodStatus(PodPhase.PENDING, List.of(), "", "", Optional.empty(), List.of(), List.of(), List.of());

    /** Copies lists and maps. */
    public PodStatus {
        conditions = Copies.list(conditions);
        containerStatuses = Copies.list(containerStatuses);
        initContainerStatuses = Copies.list(initContainerStatuses);
        ephemeralContainerStatuses = Copies.list(ephemeralContainerStatuses);
    }

    /** Whether a container is reported that may still run (semantics/attach-and-mount §1.4). */
    public boolean mayRun() {
        return !containerStatuses.stream().allMatch(ContainerStatus::isStopped)
                || !initContainerStatuses.stream().allMatch(ContainerStatus::isStopped)
                || !ephemeralContainerStatuses.stream().allMatch(ContainerStatus::isStopped);
    }
}
