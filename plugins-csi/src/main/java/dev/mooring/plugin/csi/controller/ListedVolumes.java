// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.ListVolumesResponse;
import dev.mooring.csi.v1.VolumeCondition;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The volumes that one driver lists. A list is kept for a while: the driver would otherwise list all its volumes again for each of them. It
 * answers in which condition volumes are and where they are published, and each caller says how old it may be. Thread-safe: one caller
 * lists, and the others get nothing meanwhile.
 */
public final class ListedVolumes {
    private final CallOrder order = new CallOrder();
    private final AtomicBoolean listing = new AtomicBoolean();
    private volatile Optional<Listing> last = Optional.empty();

    /**
     * What the driver said of a volume.
     *
     * @param nodes the driver's names of the nodes to which it is published
     * @param condition empty if the driver gave none
     */
    record Said(Set<String> nodes, Optional<Condition> condition) {}

    /**
     * What the driver said of all of them.
     *
     * @param volumes by handle; or why there is no list
     * @param begun its place in the {@linkplain #order order} of calls
     * @param ended when the driver had answered
     */
    record Listing(Outcome<Map<String, Said>> volumes, long begun, Instant ended) {}

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
        Optional<Listing> kept = kept(context, knownFor, failedFor);
        if (kept.isPresent() || !listing.compareAndSet(false, true)) {
            return kept;
        }
        try {
            Optional<Listing> meanwhile = kept(context, knownFor, failedFor);
            if (meanwhile.isEmpty()) {
                last = Optional.of(list(driver, context));
            }
            return meanwhile.or(() -> last);
        } finally {
            listing.set(false);
        }
    }

    private Optional<Listing> kept(OperationContext context, Duration knownFor, Duration failedFor) {
        Instant now = context.clock().instant();
        return last.filter(
                known -> now.isBefore(known.ended().plus(known.volumes().isDone() ? knownFor : failedFor)));
    }

    private Listing list(Driver driver, OperationContext context) {
        long begun = order.begins();
        Map<String, Said> all = new HashMap<>();
        Outcome<Map<String, Said>> read = VolumeList.read(
                        driver, context, entry -> all.put(entry.getVolume().getVolumeId(), said(entry.getStatus())))
                .map(done -> all);
        return new Listing(read, begun, context.clock().instant());
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
