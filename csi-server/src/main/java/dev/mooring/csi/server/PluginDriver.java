// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverServer;
import dev.mooring.plugin.support.LabelSyntax;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.BindableService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** A plugin that is served as a driver on a socket. Thread-safe. */
final class PluginDriver implements PluginServer.Serving {
    /** Each part begins and ends with a letter or digit, as Kubernetes asks; the specification asks for less. */
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final int MAX_NAME = 63;

    private static final int MAX_NODE_ID_BYTES = 256;
    /** Calls come in bursts, with long times between them. */
    private static final long IDLE_SECONDS = 1;

    private final CsiTransport transport;
    private final ExecutorService calls;
    private final DriverServer server;

    private PluginDriver(CsiTransport transport, ExecutorService calls, DriverServer server) {
        this.transport = transport;
        this.calls = calls;
        this.server = server;
    }

    static PluginDriver start(
            StoragePlugin plugin, HostServices host, InstantSource clock, PluginServer.Settings settings)
            throws IOException {
        DriverTraits traits = new DriverTraits(plugin, settings);
        CsiEndpoint endpoint = checked(settings, traits);
        VolumeRecords records = new VolumeRecords(host.files(), settings.state());
        SnapshotRecords snapshots = new SnapshotRecords(host.files(), settings.state(), traits.bound());
        RpcRunner rpcs = new RpcRunner(traits, records, host, clock);
        List<BindableService> services = new ArrayList<>(List.of(new IdentityService(traits)));
        if (settings.controller()) {
            services.add(new ControllerService(traits, rpcs, records, snapshots, host));
        }
        if (settings.node()) {
            services.add(new NodeService(traits, rpcs, records, snapshots, host));
        }
        CsiTransport transport = CsiTransport.start(1);
        ExecutorService calls = threads();
        try {
            return new PluginDriver(
                    transport,
                    calls,
                    transport.serve(endpoint, PosixFilePermissions.fromString("rw-------"), services, calls));
        } catch (IOException | RuntimeException e) {
            calls.shutdownNow();
            transport.close();
            throw e;
        }
    }

    /** {@link CallSlots} decide how many calls work. A thread that reads from a socket runs none: it would answer nothing meanwhile. */
    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "csi-call-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    private static CsiEndpoint checked(PluginServer.Settings settings, DriverTraits traits) {
        String name = settings.driverName();
        if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("driver name '" + settings.driverName()
                    + "': it has to be a DNS name of at most 63 lower-case letters, digits, '-' and '.'");
        }
        if (settings.version().isBlank()) {
            throw new IllegalArgumentException("driver " + settings.driverName() + " needs a version");
        }
        int bytes = traits.nodeId().getBytes(StandardCharsets.UTF_8).length;
        if (settings.nodeId().isEmpty() || bytes > MAX_NODE_ID_BYTES) {
            throw new IllegalArgumentException("node id '" + settings.nodeId() + "': it has to have 1 to "
                    + MAX_NODE_ID_BYTES + " bytes, and this one has " + bytes);
        }
        if (!settings.controller() && !settings.node()) {
            throw new IllegalArgumentException(
                    "driver " + settings.driverName() + " has to be a controller or a node, or both");
        }
        if (settings.node() && !settings.controller() && !traits.shows()) {
            throw new IllegalArgumentException(
                    "plugin " + traits.plugin().describe().name() + " shows no volume on a node, so that driver " + name
                            + " can be a controller only");
        }
        if (traits.bound()) {
            checkTopology(settings, traits);
        }
        return CsiEndpoint.parse(settings.endpoint());
    }

    /**
     * A kubelet labels its Node with the topology (semantics/csi §3.1): if the value is no label's, it never registers the driver. CSI limits
     * the key.
     */
    private static void checkTopology(PluginServer.Settings settings, DriverTraits traits) {
        String what = "volumes of plugin " + traits.plugin().describe().name() + " are of one node, ";
        if (!LabelSyntax.isValue(settings.nodeId())) {
            throw new IllegalArgumentException("node id '" + settings.nodeId() + "': " + what
                    + "which its id names in a label, so that it has to have at most 63 letters, digits, '-', '_' and '.',"
                    + " the first and the last a letter or digit");
        }
        int longest = MAX_NAME - DriverTraits.TOPOLOGY_BEGIN.length();
        if (settings.driverName().length() > longest) {
            throw new IllegalArgumentException("driver name '" + settings.driverName() + "': " + what
                    + "which a topology key with the driver's name tells, so that the name has to have at most "
                    + longest
                    + " characters");
        }
    }

    @Override
    public void close() {
        server.close();
        calls.shutdownNow();
        transport.close();
    }
}
