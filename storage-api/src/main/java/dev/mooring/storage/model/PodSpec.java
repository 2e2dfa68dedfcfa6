// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
@WithBuilder
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
        String priorityClassName)
        implements PodSpecBuilder.With {
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
}
