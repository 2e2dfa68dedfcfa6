// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiCallException;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiStatus;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverCall;
import dev.mooring.csi.DriverChannel;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A driver on a socket of a directory, or two that are its controller and its node; and a caller. */
final class ServedDriver implements AutoCloseable {
    static final String NAME = "mooring.csi.example.com";
    static final String NODE = "node-a";
    /** Of a driver that attaches. */
    static final String NODE_ID = DriverTraits.NODE_BEGIN + NODE;
    /** Longer than any call of a test that works. */
    private static final Duration AMPLE = Duration.ofMinutes(2);

    private final StoragePlugin plugin;
    private final HostServices host;
    private final List<PluginServer.Settings> settings;
    private final CsiTransport transport = CsiTransport.start(1);
    private final List<DriverChannel> channels = new ArrayList<>();
    private final List<PluginServer.Serving> drivers = new ArrayList<>();

    /** One process for both. */
    ServedDriver(StoragePlugin plugin, HostServices host, Path directory) throws IOException {
        this(plugin, host, List.of(settings(directory, "csi", true, true, "records")));
    }

    private ServedDriver(StoragePlugin plugin, HostServices host, List<PluginServer.Settings> settings)
            throws IOException {
        this.plugin = plugin;
        this.host = host;
        this.settings = settings;
        for (PluginServer.Settings each : settings) {
            channels.add(transport.connect(CsiEndpoint.parse(each.endpoint())));
        }
        serve();
    }

    /** A controller and a node that share nothing. */
    static ServedDriver split(StoragePlugin plugin, HostServices host, Path directory) throws IOException {
        return new ServedDriver(
                plugin,
                host,
                List.of(
                        settings(directory, "controller", true, false, "made"),
                        settings(directory, "node", false, true, "records")));
    }

    /** One of the two on a socket of its own, over the bench's back-end. */
    static ServedDriver alone(DriverBench bench, boolean controller) throws IOException {
        return new ServedDriver(
                bench.driver.plugin,
                bench.driver.host,
                List.of(settings(bench.directory, "alone", controller, !controller, "alone")));
    }

    static PluginServer.Settings settings(
            Path directory, String socket, boolean controller, boolean node, String records) {
        return new PluginServer.Settings(
                NAME,
                "0.1",
                "unix://" + directory.resolve(socket + ".sock"),
                NODE,
                controller,
                node,
                directory.resolve(records));
    }

    private void serve() throws IOException {
        for (PluginServer.Settings each : settings) {
            drivers.add(new CsiPluginServer().serve(plugin, host, InstantSource.system(), each));
        }
    }

    private void stop() {
        drivers.forEach(PluginServer.Serving::close);
        drivers.clear();
    }

    /** As other processes would find it. */
    void restart() throws IOException {
        stop();
        serve();
    }

    private DriverChannel channel(MethodDescriptor<?, ?> method) {
        boolean first = String.valueOf(method.getServiceName()).endsWith(".Controller");
        return channels.get(first ? 0 : channels.size() - 1);
    }

    <Q extends Message, A extends Message> A call(MethodDescriptor<Q, A> method, Q request) {
        try {
            return channel(method).call(method, request, AMPLE);
        } catch (CsiCallException e) {
            throw new AssertionError(method.getBareMethodName() + ": " + e.status(), e);
        }
    }

    <Q extends Message, A extends Message> DriverCall<A> start(MethodDescriptor<Q, A> method, Q request) {
        return channel(method).start(method, request, AMPLE);
    }

    <Q extends Message, A extends Message> Status.Code code(MethodDescriptor<Q, A> method, Q request) {
        return status(method, request).code();
    }

    /** How a call ended that failed. */
    <Q extends Message, A extends Message> CsiStatus status(MethodDescriptor<Q, A> method, Q request) {
        return status(method, request, AMPLE);
    }

    /** How a call ended that failed, and for which the caller waits this long. */
    <Q extends Message, A extends Message> CsiStatus status(MethodDescriptor<Q, A> method, Q request, Duration limit) {
        try {
            A answer = channel(method).call(method, request, limit);
            throw new AssertionError(method.getBareMethodName() + " succeeded: "
                    + answer.getDescriptorForType().getName());
        } catch (CsiCallException e) {
            return e.status();
        }
    }

    static VolumeCapability mount(Mode mode) {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode))
                .build();
    }

    static VolumeCapability writer() {
        return mount(Mode.SINGLE_NODE_WRITER);
    }

    @Override
    public void close() {
        channels.forEach(DriverChannel::close);
        stop();
        transport.close();
    }
}
