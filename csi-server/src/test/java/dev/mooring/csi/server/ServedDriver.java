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

/** A driver on a socket of a directory, and a caller. */
final class ServedDriver implements AutoCloseable {
    static final String NAME = "mooring.csi.example.com";
    static final String NODE = "node-a";
    /** Longer than any call of a test that works. */
    private static final Duration AMPLE = Duration.ofMinutes(2);

    private final StoragePlugin plugin;
    private final HostServices host;
    private final PluginServer.Settings settings;
    private final CsiTransport transport = CsiTransport.start(1);
    private final DriverChannel channel;
    private PluginServer.Serving driver;

    ServedDriver(StoragePlugin plugin, HostServices host, Path directory) throws IOException {
        this.plugin = plugin;
        this.host = host;
        this.settings = new PluginServer.Settings(
                NAME, "0.1", "unix://" + directory.resolve("csi.sock"), NODE, true, true, directory.resolve("records"));
        this.channel = transport.connect(CsiEndpoint.parse(settings.endpoint()));
        this.driver = new CsiPluginServer().serve(plugin, host, InstantSource.system(), settings);
    }

    /** As another process would find it. */
    void restart() throws IOException {
        driver.close();
        driver = new CsiPluginServer().serve(plugin, host, InstantSource.system(), settings);
    }

    <Q extends Message, A extends Message> A call(MethodDescriptor<Q, A> method, Q request) {
        try {
            return channel.call(method, request, AMPLE);
        } catch (CsiCallException e) {
            throw new AssertionError(method.getBareMethodName() + ": " + e.status(), e);
        }
    }

    <Q extends Message, A extends Message> DriverCall<A> start(MethodDescriptor<Q, A> method, Q request) {
        return channel.start(method, request, AMPLE);
    }

    <Q extends Message, A extends Message> Status.Code code(MethodDescriptor<Q, A> method, Q request) {
        return status(method, request).code();
    }

    /** How a call ended that failed. */
    <Q extends Message, A extends Message> CsiStatus status(MethodDescriptor<Q, A> method, Q request) {
        try {
            A answer = channel.call(method, request, AMPLE);
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
        channel.close();
        driver.close();
        transport.close();
    }
}
