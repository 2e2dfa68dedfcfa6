// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverChannel;
import dev.mooring.csi.registration.InfoRequest;
import dev.mooring.csi.registration.PluginInfo;
import dev.mooring.csi.registration.RegistrationGrpc;
import dev.mooring.csi.registration.RegistrationStatus;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registers the driver that a socket tells of, as the kubelet does (semantics/csi §4): with more patience for a loaded machine, and a try
 * that failed for a passing reason is repeated here and not reported to the registrar, which would exit.
 */
final class SocketRegistration {
    static final String TYPE = "CSIPlugin";
    private static final Duration INFO_LIMIT = Duration.ofSeconds(10);
    private static final Duration TELL_LIMIT = Duration.ofSeconds(5);

    private final CsiTransport transport;
    private final NodeEntry entry;
    private final Drivers drivers;
    private final DriverCallMetrics metrics;
    /** The names of drivers that are being entered: of two at once both would find that none is there. */
    private final Set<String> entering = ConcurrentHashMap.newKeySet();

    SocketRegistration(CsiTransport transport, NodeEntry entry, Drivers drivers, DriverCallMetrics metrics) {
        this.transport = transport;
        this.entry = entry;
        this.drivers = drivers;
        this.metrics = metrics;
    }

    /**
     * Tries to register.
     *
     * @return the driver, which is called from now on; deferred if another try may help; refused if not, which was reported to the
     *     registrar
     */
    Outcome<Driver> register(Path socket) {
        Optional<String> problem = RegistrySockets.problem(socket);
        if (problem.isPresent()) {
            return Outcome.refused(Refusal.INVALID, "registration socket " + socket + ": " + problem.get());
        }
        // a driver of its own is only the bearer of the calls, which are not counted: the registrar may be another
        // process
        try (Driver registrar =
                new Driver(socket.toString(), transport.connect(new CsiEndpoint(socket)), DriverCallMetrics.ofNode())) {
            Outcome<PluginInfo> info = registrar.call(
                    entry.within(INFO_LIMIT),
                    CallKind.LOOK,
                    RegistrationGrpc.getGetInfoMethod(),
                    InfoRequest.getDefaultInstance());
            Outcome<Driver> registered = info.then(told -> checked(socket, told))
                    .then(endpoint -> entered(info.result().orElseThrow().getName(), endpoint));
            if (registered.isRefused()) {
                refuse(registrar, registered.message());
            }
            return registered.then(driver -> tell(registrar, driver));
        }
    }

    private Outcome<CsiEndpoint> checked(Path socket, PluginInfo info) {
        if (!info.getType().equals(TYPE)) {
            return invalid("no handler registered for plugin type: " + info.getType() + " at socket " + socket);
        }
        Optional<String> versions = DriverVersions.problem(info.getSupportedVersionsList());
        if (versions.isPresent()) {
            return invalid("driver " + info.getName() + ": " + versions.get());
        }
        try {
            return Outcome.done(
                    CsiEndpoint.parse(info.getEndpoint().isEmpty() ? socket.toString() : info.getEndpoint()));
        } catch (IllegalArgumentException wrong) {
            return invalid("driver " + info.getName() + ": " + wrong.getMessage());
        }
    }

    private Outcome<Driver> entered(String name, CsiEndpoint endpoint) {
        if (!entering.add(name)) {
            return Outcome.deferred("driver " + name + " is just being registered by another socket");
        }
        try {
            return enteredAlone(name, endpoint);
        } finally {
            entering.remove(name);
        }
    }

    /** Of two sockets with one name the first that works stays; versions alone do not distinguish an update from a mistake. */
    private Outcome<Driver> enteredAlone(String name, CsiEndpoint endpoint) {
        Optional<Driver> there = drivers.named(name);
        boolean another = there.filter(driver -> !driver.endpoint().equals(endpoint))
                .filter(driver -> driver.answers(entry.within(INFO_LIMIT)))
                .isPresent();
        if (another) {
            return Outcome.refused(
                    Refusal.IN_USE,
                    "driver " + name + " is registered with "
                            + there.orElseThrow().endpoint() + ", which answers; another driver of the name at "
                            + endpoint + " is not taken");
        }
        DriverChannel channel = transport.connect(endpoint);
        Driver driver = new Driver(name, channel, metrics);
        Outcome<Nothing> entered = entry.enter(driver);
        if (!entered.isDone()) {
            driver.close();
        }
        return entered.map(done -> driver);
    }

    private Outcome<Driver> tell(Driver registrar, Driver driver) {
        Outcome<Driver> told = registrar
                .call(
                        entry.within(TELL_LIMIT),
                        CallKind.LOOK,
                        RegistrationGrpc.getNotifyRegistrationStatusMethod(),
                        RegistrationStatus.newBuilder()
                                .setPluginRegistered(true)
                                .build())
                .map(answer -> driver);
        if (!told.isDone()) {
            entry.leave(driver);
        }
        return told;
    }

    private void refuse(Driver registrar, String why) {
        Outcome<?> unused = registrar.call(
                entry.within(TELL_LIMIT),
                CallKind.LOOK,
                RegistrationGrpc.getNotifyRegistrationStatusMethod(),
                RegistrationStatus.newBuilder()
                        .setPluginRegistered(false)
                        .setError(why)
                        .build());
    }

    private static <T> Outcome<T> invalid(String why) {
        return Outcome.refused(Refusal.INVALID, why);
    }
}
