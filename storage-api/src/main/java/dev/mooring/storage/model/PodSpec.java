// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What a pod is, as far as its volumes care.
 *
 * @param nodeName where it runs; empty until a node is chosen
 * @param volumes its volumes
 * @param containers its containers
 * @param initContainers what runs before them
 * @param ephemeralContainers what was added to it
 * @param securityContext the users and groups that it runs as
 * @param nodeSelector labels that its node must have
 * @param schedulerName who decides where it runs
 * @param restartPolicy whether its containers are restarted
 * @param resources how much of the machine it asks for as a whole; absent if only its containers ask
 * @param overhead what it costs besides its containers, by resource
 * @param serviceAccountName the account with which it calls the API server
 * @param schedulingGates what has to be removed before a node is chosen
 * @param tolerations which taints of nodes do not keep it off
 * @param affinity which nodes it wants
 * @param priority how important it is, larger is more so; absent if it is not set
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

    /** The containers of every sort: those that initialize, those that run, and those for debugging; never null. */
    public List<Container> allContainers() {
        return Stream.of(initContainers, containers, ephemeralContainers)
                .flatMap(List::stream)
                .toList();
    }

    /** The same with another nodeName. */
    public PodSpec withNodeName(String newNodeName) {
        return with(draft -> draft.nodeName = newNodeName);
    }

    /** The same with another volumes. */
    public PodSpec withVolumes(List<PodVolume> newVolumes) {
        return with(draft -> draft.volumes = newVolumes);
    }

    /** The same with another containers. */
    public PodSpec withContainers(List<Container> newContainers) {
        return with(draft -> draft.containers = newContainers);
    }

    /** The same with another initContainers. */
    public PodSpec withInitContainers(List<Container> newInitContainers) {
        return with(draft -> draft.initContainers = newInitContainers);
    }

    /** The same with another ephemeralContainers. */
    public PodSpec withEphemeralContainers(List<Container> newEphemeralContainers) {
        return with(draft -> draft.ephemeralContainers = newEphemeralContainers);
    }

    /** The same with another securityContext. */
    public PodSpec withSecurityContext(Optional<PodSecurityContext> newSecurityContext) {
        return with(draft -> draft.securityContext = newSecurityContext);
    }

    /** The same with another nodeSelector. */
    public PodSpec withNodeSelector(Map<String, String> newNodeSelector) {
        return with(draft -> draft.nodeSelector = newNodeSelector);
    }

    /** The same with another schedulerName. */
    public PodSpec withSchedulerName(String newSchedulerName) {
        return with(draft -> draft.schedulerName = newSchedulerName);
    }

    /** The same with another restartPolicy. */
    public PodSpec withRestartPolicy(String newRestartPolicy) {
        return with(draft -> draft.restartPolicy = newRestartPolicy);
    }

    /** The same with another resources. */
    public PodSpec withResources(Optional<ResourceRequirements> newResources) {
        return with(draft -> draft.resources = newResources);
    }

    /** The same with another overhead. */
    public PodSpec withOverhead(Map<String, Quantity> newOverhead) {
        return with(draft -> draft.overhead = newOverhead);
    }

    /** The same with another serviceAccountName. */
    public PodSpec withServiceAccountName(String newServiceAccountName) {
        return with(draft -> draft.serviceAccountName = newServiceAccountName);
    }

    /** The same with another schedulingGates. */
    public PodSpec withSchedulingGates(List<PodSchedulingGate> newSchedulingGates) {
        return with(draft -> draft.schedulingGates = newSchedulingGates);
    }

    /** The same with another tolerations. */
    public PodSpec withTolerations(List<Toleration> newTolerations) {
        return with(draft -> draft.tolerations = newTolerations);
    }

    /** The same with another affinity. */
    public PodSpec withAffinity(Optional<Affinity> newAffinity) {
        return with(draft -> draft.affinity = newAffinity);
    }

    /** The same with another priority. */
    public PodSpec withPriority(Optional<Long> newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /** The same with another priorityClassName. */
    public PodSpec withPriorityClassName(String newPriorityClassName) {
        return with(draft -> draft.priorityClassName = newPriorityClassName);
    }

    private PodSpec with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finished();
    }

    /** A copy on its way: what names all members does so once. */
    private static final class Draft {
        private String nodeName;
        private List<PodVolume> volumes;
        private List<Container> containers;
        private List<Container> initContainers;
        private List<Container> ephemeralContainers;
        private Optional<PodSecurityContext> securityContext;
        private Map<String, String> nodeSelector;
        private String schedulerName;
        private String restartPolicy;
        private Optional<ResourceRequirements> resources;
        private Map<String, Quantity> overhead;
        private String serviceAccountName;
        private List<PodSchedulingGate> schedulingGates;
        private List<Toleration> tolerations;
        private Optional<Affinity> affinity;
        private Optional<Long> priority;
        private String priorityClassName;

        Draft(PodSpec from) {
            nodeName = from.nodeName;
            volumes = from.volumes;
            containers = from.containers;
            initContainers = from.initContainers;
            ephemeralContainers = from.ephemeralContainers;
            securityContext = from.securityContext;
            nodeSelector = from.nodeSelector;
            schedulerName = from.schedulerName;
            restartPolicy = from.restartPolicy;
            resources = from.resources;
            overhead = from.overhead;
            serviceAccountName = from.serviceAccountName;
            schedulingGates = from.schedulingGates;
            tolerations = from.tolerations;
            affinity = from.affinity;
            priority = from.priority;
            priorityClassName = from.priorityClassName;
        }

        PodSpec finished() {
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
                    priorityClassName);
        }
    }
}
