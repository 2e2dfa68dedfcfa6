// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.v1.ControllerGetCapabilitiesRequest;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.GetPluginCapabilitiesRequest;
import dev.mooring.csi.v1.GetPluginInfoRequest;
import dev.mooring.csi.v1.GetPluginInfoResponse;
import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.NodeGetCapabilitiesRequest;
import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SocketWatch;
import dev.mooring.plugin.csi.registration.RegistrarSocket;
import dev.mooring.plugin.csi.registration.RegistrationContext;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.DriverFacts;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A driver, to the process that is its side-car. Thread-safe. */
final class BesideDriver implements DriverHost.Beside {
    private static final String CONTROLLER_SERVICE = "CONTROLLER_SERVICE";

    private final CsiTransport transport = CsiTransport.start(1);
    private final Drivers drivers = new Drivers();
    private final CsiEndpoint endpoint;
    private final DriverCallMetrics metrics;
    private final Driver unnamed;
    private Optional<SocketWatch> socket = Optional.empty();

    /** Connects; the first call waits for the driver. */
    BesideDriver(CsiEndpoint endpoint, DriverCallMetrics metrics) {
        this.endpoint = endpoint;
        this.metrics = metrics;
        // Carries calls until the driver has named itself.
        this.unnamed = new Driver("", transport.connect(endpoint), DriverCallMetrics.ofControllers());
    }

    private static OperationContext within(Duration limit) {
        return RegistrationContext.within(new NodeRef("", ""), HostServices.none(), InstantSource.system(), limit);
    }

    private <Q extends Message, A extends Message> Outcome<A> ask(
            Duration limit, MethodDescriptor<Q, A> method, Q request) {
        return unnamed.call(within(limit), CallKind.LOOK, method, request);
    }

    @Override
    public Outcome<Nothing> probe(Duration limit) {
        return ask(limit, IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance())
                .then(answer -> answer.hasReady() && !answer.getReady().getValue()
                        ? Outcome.deferred("the driver on " + endpoint + " is not ready")
                        : Outcome.done());
    }

    @Override
    public Outcome<DriverFacts> facts(Duration limit) {
        return probe(limit)
                .then(ready ->
                        ask(limit, IdentityGrpc.getGetPluginInfoMethod(), GetPluginInfoRequest.getDefaultInstance()))
                .then(info -> info.getName().isEmpty()
                        ? Outcome.refused(Refusal.CORRUPT, "the driver on " + endpoint + " has no name")
                        : services(limit)
                                .then(services -> controller(limit, services)
                                        .then(controller ->
                                                node(limit).map(node -> facts(info, services, controller, node)))));
    }

    private static DriverFacts facts(
            GetPluginInfoResponse info, Set<String> services, Set<String> controller, Set<String> node) {
        return new DriverFacts(info.getName(), info.getVendorVersion(), services, controller, node);
    }

    private Outcome<Set<String>> services(Duration limit) {
        return ask(
                        limit,
                        IdentityGrpc.getGetPluginCapabilitiesMethod(),
                        GetPluginCapabilitiesRequest.getDefaultInstance())
                .map(answer -> answer.getCapabilitiesList().stream()
                        .map(one -> one.getService().getType().name())
                        .collect(Collectors.toSet()));
    }

    private Outcome<Set<String>> controller(Duration limit, Set<String> services) {
        return services.contains(CONTROLLER_SERVICE)
                ? ask(
                                limit,
                                ControllerGrpc.getControllerGetCapabilitiesMethod(),
                                ControllerGetCapabilitiesRequest.getDefaultInstance())
                        .map(answer -> answer.getCapabilitiesList().stream()
                                .map(one -> one.getRpc().getType().name())
                                .collect(Collectors.toSet()))
                : Outcome.done(Set.of());
    }

    /** A driver of controllers alone has no node service. */
    private Outcome<Set<String>> node(Duration limit) {
        Outcome<Set<String>> answer = ask(
                        limit, NodeGrpc.getNodeGetCapabilitiesMethod(), NodeGetCapabilitiesRequest.getDefaultInstance())
                .map(told -> told.getCapabilitiesList().stream()
                        .map(one -> one.getRpc().getType().name())
                        .collect(Collectors.toSet()));
        return answer.isRefused(Refusal.UNSUPPORTED) ? Outcome.done(Set.of()) : answer;
    }

    @Override
    public Outcome<Map<String, String>> place(Duration limit) {
        return ask(limit, NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance())
                .map(info -> new TreeMap<>(info.getAccessibleTopology().getSegmentsMap()));
    }

    @Override
    public StoragePlugin plugin(ClusterStore store, DriverFacts facts, SidecarRules rules) {
        drivers.put(new Driver(facts.name(), transport.connect(endpoint), metrics, Optional.of(rules.timeout())));
        return new CsiDriverPlugin(facts, drivers, store, rules);
    }

    @Override
    public synchronized void watch(Runnable came) {
        socket.ifPresent(SocketWatch::close);
        socket = Optional.of(SocketWatch.start(Map.of("driver", endpoint), name -> came.run()));
    }

    @Override
    public Registered register(String driver, String path, Path socket, Consumer<String> told) throws IOException {
        return RegistrarSocket.open(transport, driver, path, socket, told)::close;
    }

    @Override
    public synchronized void close() {
        socket.ifPresent(SocketWatch::close);
        unnamed.close();
        drivers.close();
        transport.close();
    }
}
