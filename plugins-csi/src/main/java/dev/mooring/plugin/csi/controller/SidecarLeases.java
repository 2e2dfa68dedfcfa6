// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.runtime.plugin.SidecarLeaseNames;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a side-car of a driver works: it holds its Lease (semantics/csi §7.1). While it does, Mooring changes nothing of the driver, since
 * two provisioners would make two volumes for a claim. The Lease is read once in a while, as long as there are calls. A side-car without
 * leader election has no Lease and is not seen. Thread-safe.
 */
public final class SidecarLeases {
    private static final Duration KNOWN_FOR = Duration.ofSeconds(15);

    private final String driver;
    private final Set<String> names;
    private final ClusterStore store;
    private Optional<Instant> lookedAt = Optional.empty();

    /** Looks for the side-cars of a driver. */
    public SidecarLeases(String driver, ClusterStore store) {
        this.driver = driver;
        this.names = new SidecarLeaseNames(driver).spellings();
        this.store = store;
    }

    /** Done if no side-car of the driver is at work; deferred with the Lease and its holder if one is, or if that cannot be known. */
    public synchronized Outcome<Nothing> free(OperationContext context) {
        Instant now = context.clock().instant();
        if (lookedAt.filter(then -> now.isBefore(then.plus(KNOWN_FOR))).isPresent()) {
            return Outcome.done();
        }
        for (String name : names) {
            Outcome<Optional<Lease>> held = store.list(Kinds.LEASE, ListOptions.ALL.withFields("metadata.name=" + name))
                    .match(
                            found -> Outcome.done(found.items().stream()
                                    .filter(lease -> lease.spec().isHeldAt(now))
                                    .filter(lease -> !lease.spec()
                                            .holderIdentity()
                                            .startsWith(SidecarLeaseNames.IN_PLACE_OF_SIDECARS))
                                    .findFirst()),
                            failed -> Outcome.deferred("the Leases of side-cars cannot be read: " + failed.message()));
            Optional<Lease> lease = held.result().flatMap(found -> found);
            if (!held.isDone()) {
                return held.map(never -> Nothing.NOTHING);
            } else if (lease.isPresent()) {
                return Outcome.deferred("a side-car of driver " + driver + " is at work: Lease "
                        + ObjectKey.of(lease.get()) + " is held by "
                        + lease.get().spec().holderIdentity()
                        + ". Remove the side-car, or take --csi-endpoint away");
            }
        }
        lookedAt = Optional.of(now);
        return Outcome.done();
    }
}
