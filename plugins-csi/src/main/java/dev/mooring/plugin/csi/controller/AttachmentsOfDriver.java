// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerServiceCapability.RPC;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.spi.Attaching.State;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.VolumeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Asks a driver which volumes are published to which nodes (semantics/csi §9.4), if it has LIST_VOLUMES_PUBLISHED_NODES. A volume counts as
 * detached only by a list that names it, that is complete, and that was begun after the last call for it had ended. Thread-safe: one caller
 * lists, and others know nothing meanwhile.
 */
public final class AttachmentsOfDriver {
    /** How long a list is good for: longer than the minute after which it is asked for again, so that it serves all who ask. */
    private static final Duration KNOWN_FOR = Duration.ofSeconds(90);

    private final String driver;
    private final Drivers drivers;
    private final NodeIds nodes;
    private final ListedVolumes listed;

    /**
     * Asks a driver.
     *
     * @param nodes how the driver calls the nodes
     * @param listed what the driver lists, for others too
     */
    public AttachmentsOfDriver(String driver, Drivers drivers, NodeIds nodes, ListedVolumes listed) {
        this.driver = driver;
        this.drivers = drivers;
        this.nodes = nodes;
        this.listed = listed;
    }

    /** Makes a call that changes where a volume is attached. */
    public <T> T changing(String handle, Supplier<T> call) {
        return listed.order().changing(handle, call);
    }

    /** Which of the volumes are attached to a node. */
    public Map<VolumeId, State> of(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        Map<VolumeId, State> states = new TreeMap<>(Comparator.comparing(VolumeId::toString));
        Optional<ListedVolumes.Listing> told = drivers.find(driver)
                .then(found -> found.controllerAbilities(context)
                        .map(abilities -> abilities.contains(RPC.Type.LIST_VOLUMES)
                                        && abilities.contains(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                                ? listed.get(found, context, KNOWN_FOR, KNOWN_FOR)
                                : Optional.<ListedVolumes.Listing>empty()))
                .result()
                .flatMap(known -> known);
        volumes.forEach(volume ->
                states.put(volume, told.map(known -> state(known, node, volume)).orElse(State.UNKNOWN)));
        return states;
    }

    private State state(ListedVolumes.Listing known, NodeRef node, VolumeId volume) {
        String handle = volume.backend();
        Optional<Set<String>> published = known.volumes()
                .result()
                .flatMap(all -> Optional.ofNullable(all.get(handle)))
                .map(ListedVolumes.Said::nodes);
        Optional<String> id = nodes.ofAttachment(driver, node, AttachmentNames.of(handle, driver, node.name()))
                .result();
        if (published.isEmpty() || id.isEmpty()) {
            return State.UNKNOWN;
        } else if (published.get().contains(id.get())) {
            return State.ATTACHED;
        }
        return listed.order().isNewer(known.begun(), handle) ? State.DETACHED : State.UNKNOWN;
    }
}
