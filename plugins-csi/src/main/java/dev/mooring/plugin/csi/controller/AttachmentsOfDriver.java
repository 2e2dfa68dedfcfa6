// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ControllerServiceCapability.RPC;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.spi.Attaching.State;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
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
    private final KeptListing<Listing> listing = new KeptListing<>(any -> KNOWN_FOR);
    private final Map<String, Integer> underWay = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private long order; // of what begins and ends, guarded by ended
    private long lastBegun; // the place of the last list in it, guarded by ended

    /**
     * What the driver said.
     *
     * @param nodes the driver's names of the nodes, by the volumes' handles; nothing if the driver failed to list them
     * @param begun its place in the order of what begins and ends
     */
    private record Listing(Map<String, Set<String>> nodes, long begun) {}

    /**
     * Asks a driver.
     *
     * @param nodes how the driver calls the nodes
     */
    public AttachmentsOfDriver(String driver, Drivers drivers, NodeIds nodes) {
        this.driver = driver;
        this.drivers = drivers;
        this.nodes = nodes;
    }

    /** Makes a call that changes where a volume is attached. */
    public <T> T changing(String handle, Supplier<T> call) {
        synchronized (ended) {
            underWay.merge(handle, 1, Integer::sum);
        }
        try {
            return call.get();
        } finally {
            synchronized (ended) {
                int left = underWay.getOrDefault(handle, 1) - 1;
                if (left == 0) {
                    underWay.remove(handle);
                } else {
                    underWay.put(handle, left);
                }
                ended.put(handle, ++order);
            }
        }
    }

    /** Which of the volumes are attached to a node. */
    public Map<VolumeId, State> of(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        Map<VolumeId, State> states = new TreeMap<>(Comparator.comparing(VolumeId::toString));
        Optional<Listing> told = drivers.find(driver)
                .then(found -> found.controllerAbilities(context)
                        .map(abilities -> abilities.contains(RPC.Type.LIST_VOLUMES)
                                        && abilities.contains(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                                ? listing.get(context, () -> list(found, context))
                                : Optional.<Listing>empty()))
                .result()
                .flatMap(known -> known);
        volumes.forEach(volume ->
                states.put(volume, told.map(known -> state(known, node, volume)).orElse(State.UNKNOWN)));
        return states;
    }

    private State state(Listing known, NodeRef node, VolumeId volume) {
        String handle = volume.backend();
        Optional<Set<String>> published = Optional.ofNullable(known.nodes().get(handle));
        Optional<String> id = nodes.ofAttachment(driver, node, AttachmentNames.of(handle, driver, node.name()))
                .result();
        if (published.isEmpty() || id.isEmpty()) {
            return State.UNKNOWN;
        } else if (published.get().contains(id.get())) {
            return State.ATTACHED;
        }
        return isNewer(known, handle) ? State.DETACHED : State.UNKNOWN;
    }

    private boolean isNewer(Listing known, String handle) {
        synchronized (ended) {
            Long end = ended.get(handle);
            return !underWay.containsKey(handle) && (end == null || end < known.begun());
        }
    }

    private Listing list(Driver found, OperationContext context) {
        long begun = begins();
        Map<String, Set<String>> all = new HashMap<>();
        Outcome<?> read = VolumeList.read(
                found,
                context,
                entry -> all.put(
                        entry.getVolume().getVolumeId(),
                        Set.copyOf(entry.getStatus().getPublishedNodeIdsList())));
        return new Listing(read.isDone() ? Map.copyOf(all) : Map.of(), begun);
    }

    /** What ended before the last list was begun is no reason to doubt that one, which others may still look at, nor any later one. */
    private long begins() {
        synchronized (ended) {
            ended.values().removeIf(end -> end < lastBegun);
            lastBegun = ++order;
            return lastBegun;
        }
    }
}
