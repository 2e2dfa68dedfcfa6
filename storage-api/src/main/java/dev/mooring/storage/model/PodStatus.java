// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record PodStatus(
        PodPhase phase,
        List<Condition> conditions,
        String reason,
        String message,
        Optional<Instant> startTime,
        List<ContainerStatus> containerStatuses,
        List<ContainerStatus> initContainerStatuses,
        List<ContainerStatus> ephemeralContainerStatuses) {
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

    /** The same with another phase. */
    public PodStatus withPhase(PodPhase newPhase) {
        return new PodStatus(
                newPhase,
                conditions,
                reason,
                message,
                startTime,
                containerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another conditions. */
    public PodStatus withConditions(List<Condition> newConditions) {
        return new PodStatus(
                phase,
                newConditions,
                reason,
                message,
                startTime,
                containerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another reason. */
    public PodStatus withReason(String newReason) {
        return new PodStatus(
                phase,
                conditions,
                newReason,
                message,
                startTime,
                containerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another message. */
    public PodStatus withMessage(String newMessage) {
        return new PodStatus(
                phase,
                conditions,
                reason,
                newMessage,
                startTime,
                containerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another startTime. */
    public PodStatus withStartTime(Optional<Instant> newStartTime) {
        return new PodStatus(
                phase,
                conditions,
                reason,
                message,
                newStartTime,
                containerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another containerStatuses. */
    public PodStatus withContainerStatuses(List<ContainerStatus> newContainerStatuses) {
        return new PodStatus(
                phase,
                conditions,
                reason,
                message,
                startTime,
                newContainerStatuses,
                initContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another initContainerStatuses. */
    public PodStatus withInitContainerStatuses(List<ContainerStatus> newInitContainerStatuses) {
        return new PodStatus(
                phase,
                conditions,
                reason,
                message,
                startTime,
                containerStatuses,
                newInitContainerStatuses,
                ephemeralContainerStatuses);
    }

    /** The same with another ephemeralContainerStatuses. */
    public PodStatus withEphemeralContainerStatuses(List<ContainerStatus> newEphemeralContainerStatuses) {
        return new PodStatus(
                phase,
                conditions,
                reason,
                message,
                startTime,
                containerStatuses,
                initContainerStatuses,
                newEphemeralContainerStatuses);
    }

    /** Whether a container is reported that may still run (semantics/attach-and-mount §1.4). */
    public boolean mayRun() {
        return !containerStatuses.stream().allMatch(ContainerStatus::isStopped)
                || !initContainerStatuses.stream().allMatch(ContainerStatus::isStopped)
                || !ephemeralContainerStatuses.stream().allMatch(ContainerStatus::isStopped);
    }
}
