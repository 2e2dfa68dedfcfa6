// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostServices;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a driver one of this node's: it is asked what it says of the node, the objects say so, and from then on it is called. */
final class NodeEntry {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEntry.class);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final NodeRef self;
    private final HostServices host;
    private final InstantSource clock;
    private final DriverEntries writer;
    private final Drivers drivers;

    NodeEntry(NodeRef self, HostServices host, InstantSource clock, DriverEntries writer, Drivers drivers) {
        this.self = self;
        this.host = host;
        this.clock = clock;
        this.writer = writer;
        this.drivers = drivers;
    }

    /** A context for calls of at most a time. */
    RegistrationContext within(Duration limit) {
        return RegistrationContext.within(self, host, clock, limit);
    }

    /**
     * Enters a driver.
     *
     * @return done once it can be called; deferred if another try may help, refused if a person has to act
     */
    Outcome<Nothing> enter(Driver driver) {
        RegistrationContext context = within(LIMIT);
        return driver.services(context)
                .then(offered -> info(driver, context))
                .then(writer::enter)
                .map(done -> {
                    drivers.put(driver);
                    return Nothing.NOTHING;
                });
    }

    /** How often a driver wants to be asked how many volumes the node takes; empty for never, or if that cannot be known now. */
    Optional<Duration> period(String name) {
        return writer.period(name);
    }

    /** Asks a registered driver again how many volumes the node takes. */
    void update(String name) {
        drivers.named(name)
                .map(found -> info(found, within(LIMIT)).then(writer::recount))
                .filter(updated -> !updated.isDone())
                .ifPresent(failed -> LOG.warn(
                        "the number of volumes that this node takes of CSI driver {} is not updated: {}",
                        name,
                        failed.message()));
    }

    private static Outcome<DriverOnNode> info(Driver driver, RegistrationContext context) {
        return driver.call(
                        context,
                        CallKind.LOOK,
                        NodeGrpc.getNodeGetInfoMethod(),
                        NodeGetInfoRequest.getDefaultInstance())
                .then(answer -> DriverOnNode.of(driver.name(), answer));
    }

    /** Lets a driver go; its volumes stay as they are. */
    void leave(Driver driver) {
        drivers.remove(driver);
    }

    /** The drivers that the node's objects name; none if that cannot be known now. */
    List<String> entered() {
        return writer.names().result().orElse(List.of());
    }

    /** Takes a driver out of the node's objects. */
    Outcome<Nothing> forget(String driver) {
        return writer.leave(driver);
    }
}
