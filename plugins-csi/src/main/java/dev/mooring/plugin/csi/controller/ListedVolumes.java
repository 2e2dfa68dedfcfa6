// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.VolumeCondition;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The volumes that one driver lists. One list serves those who want to know in which condition the volumes are and those who want to know
 * where they are published. Thread-safe: one caller lists, and others have nothing meanwhile.
 */
public final class ListedVolumes {
    private final KeptListing<Listing> kept = new KeptListing<>();
    private final CallOrder order = new CallOrder();

    /**
     * What the driver said of a volume.
     *
     * @param nodes the driver's names of the nodes to which it is published
     * @param condition empty if the driver said nothing of it
     */
    record Said(Set<String> nodes, Optional<Condition> condition) {}

    /**
     * What the driver said of all of them.
     *
     * @param volumes by handle; or why there is no list
     * @param begun its place in the {@linkplain #order order} of calls
     */
    record Listing(Outcome<Map<String, Said>> volumes, long begun) {}

    /** Nothing is listed yet. */
    public ListedVolumes() {}

    /** Which calls came before a list and which after it. */
    CallOrder order() {
        return order;
    }

    /**
     * What the driver said last, or says now.
     *
     * @param knownFor how long a list serves this caller
     * @param failedFor how long it does if the driver failed to list
     * @return empty while another caller lists
     */
    Optional<Listing> get(Driver driver, OperationContext context, Duration knownFor, Duration failedFor) {
        return kept.get(context, said -> said.volumes().isDone() ? knownFor : failedFor, () -> list(driver, context));
    }

    private Listing list(Driver driver, OperationContext context) {
        long begun = order.begins();
        Map<String, Said> all = new HashMap<>();
        Outcome<Map<String, Said>> read = VolumeList.read(
                        driver, context, entry -> all.put(entry.getVolume().getVolumeId(), said(entry.getStatus())))
                .map(done -> all);
        return new Listing(read, begun);
    }

    private static Said said(ListVolumesResponse.VolumeStatus status) {
        return new Said(
                Set.copyOf(status.getPublishedNodeIdsList()),
                Optional.of(status)
                        .filter(ListVolumesResponse.VolumeStatus::hasVolumeCondition)
                        .map(told -> condition(told.getVolumeCondition())));
    }

    static Condition condition(VolumeCondition told) {
        return new Condition(told.getAbnormal(), told.getMessage());
    }
}
