// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a pod is, as far as its volumes care.
 *
 * @param nodeName where it runs; empty as long as nobody decided
 * @param volumes its volumes
 * @param containers its containers
 * @param initContainers what runs before them
 * @param ephemeralContainers what was added to it
 * @param securityContext as whom it runs
 * @param nodeSelector labels that its node must have
 * @param schedulerName who decides where it runs
 * @param restartPolicy whether its containers are restarted
 * @param resources how much of the machine it asks for as a whole; absent if only its containers ask
 * @param overhead what it costs besides its containers, by resource
 * @param serviceAccountName as whom it asks the cluster
 * @param schedulingGates what has to be taken away before anybody looks for its node
 * @param tolerations which taints of nodes do not keep it off
 * @param affinity which nodes it wants
 * @param priority how important it is, larger is more so; absent if nobody has said
 * @param priorityClassName the name of its priority
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSpec(
        String nodeName,
        List<PodVolume> volumes,
        List<Container> containers,
        List<Container> initContainers,
        List<Container> ephemeralContainers,
        Optional<PodSecurityContext> securityContext,
        Map<String, String> nodeSelector,
        String schedulerName,
        String restartPolicy,
        Optional<ResourceRequirements> resources,
        Map<String, Quantity> overhead,
        String serviceAccountName,
        List<PodSchedulingGate> schedulingGates,
        List<Toleration> tolerations,
        Optional<Affinity> affinity,
        Optional<Long> priority,
        String priorityClassName) {
    /** Nothing set. */
    public static final PodSpec EMPTY = new PodSpec(
            "",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Map.of(),
            "",
            "",
            Optional.empty(),
            Map.of(),
            "",
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            "");

    /** Copies lists and maps. */
    public PodSpec {
        volumes = Copies.list(volumes);
        containers = Copies.list(containers);
        initContainers = Copies.list(initContainers);
        ephemeralContainers = Copies.list(ephemeralContainers);
        nodeSelector = Copies.map(nodeSelector);
        overhead = Copies.map(overhead);
        schedulingGates = Copies.list(schedulingGates);
        tolerations = Copies.list(tolerations);
    }

    /** The same with another nodeName. */
    public PodSpec withNodeName(String newNodeName) {
        return new PodSpec(
                newNodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another volumes. */
    public PodSpec withVolumes(List<PodVolume> newVolumes) {
        return new PodSpec(
                nodeName,
                newVolumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another containers. */
    public PodSpec withContainers(List<Container> newContainers) {
        return new PodSpec(
                nodeName,
                volumes,
                newContainers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another initContainers. */
    public PodSpec withInitContainers(List<Container> newInitContainers) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                newInitContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another ephemeralContainers. */
    public PodSpec withEphemeralContainers(List<Container> newEphemeralContainers) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                newEphemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another securityContext. */
    public PodSpec withSecurityContext(Optional<PodSecurityContext> newSecurityContext) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                newSecurityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another nodeSelector. */
    public PodSpec withNodeSelector(Map<String, String> newNodeSelector) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                newNodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another schedulerName. */
    public PodSpec withSchedulerName(String newSchedulerName) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                newSchedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another restartPolicy. */
    public PodSpec withRestartPolicy(String newRestartPolicy) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                newRestartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another resources. */
    public PodSpec withResources(Optional<ResourceRequirements> newResources) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                newResources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another overhead. */
    public PodSpec withOverhead(Map<String, Quantity> newOverhead) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                newOverhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another serviceAccountName. */
    public PodSpec withServiceAccountName(String newServiceAccountName) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                newServiceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another schedulingGates. */
    public PodSpec withSchedulingGates(List<PodSchedulingGate> newSchedulingGates) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                newSchedulingGates,
                tolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another tolerations. */
    public PodSpec withTolerations(List<Toleration> newTolerations) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                newTolerations,
                affinity,
                priority,
                priorityClassName);
    }

    /** The same with another affinity. */
    public PodSpec withAffinity(Optional<Affinity> newAffinity) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                newAffinity,
                priority,
                priorityClassName);
    }

    /** The same with another priority. */
    public PodSpec withPriority(Optional<Long> newPriority) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                newPriority,
                priorityClassName);
    }

    /** The same with another priorityClassName. */
    public PodSpec withPriorityClassName(String newPriorityClassName) {
        return new PodSpec(
                nodeName,
                volumes,
                containers,
                initContainers,
                ephemeralContainers,
                securityContext,
                nodeSelector,
                schedulerName,
                restartPolicy,
                resources,
                overhead,
                serviceAccountName,
                schedulingGates,
                tolerations,
                affinity,
                priority,
                newPriorityClassName);
    }
}
