// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.distribution.option.DataDirectory;
import dev.mooring.distribution.option.HostName;
import dev.mooring.distribution.option.LogOptions;
import dev.mooring.distribution.wiring.MachineLimits;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.KernelRelease;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring csi serve}: a plugin as a CSI driver. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Serves a storage plugin as a CSI driver on a unix socket.",
            "Side-cars of Kubernetes, a kubelet or another caller can then use the plugin. Only the owner of the process may call.",
            "Exit status: 1 the socket or a directory cannot be used, 2 the arguments are malformed. SIGTERM or SIGINT ends it;",
            "mounts stay, and the next start finds them."
        })
final class CsiServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(CsiServeCommand.class);
    private static final Duration STOPPING = Duration.ofSeconds(5);
    private static final Duration TURN = Duration.ofHours(1);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ServedPlugin plugin = new ServedPlugin();

    @Option(
            names = "--endpoint",
            paramLabel = "unix:///PATH",
            description = "The socket. Default: what CSI_ENDPOINT names.")
    private String endpoint = "";

    @Option(
            names = "--node-id",
            paramLabel = "ID",
            description = "The name of this machine among those with the driver. Default: the host name.")
    private String nodeId = "";

    @Option(
            names = "--controller",
            description = "Makes, deletes and attaches volumes only. Default: does that, and what --node does.")
    private boolean controllerOnly;

    @Option(names = "--node", description = "Shows volumes on this machine only.")
    private boolean nodeOnly;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/mooring/csi",
            converter = DataDirectory.class,
            description = "Records are kept below it, in a directory with the driver's name (${DEFAULT-VALUE}).")
    private Path data = Path.of("");

    @Mixin
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() throws IOException {
        log.start();
        MachineLimits.requireKernel(KernelRelease.running());
        try {
            StoragePlugin served = plugin.find();
            PluginServer.Settings settings = settings(served);
            serve(served, settings);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private PluginServer.Settings settings(StoragePlugin served) throws IOException {
        boolean controller = controllerOnly || !nodeOnly;
        boolean node = nodeOnly || !controllerOnly;
        String where = endpoint.isEmpty() ? System.getenv().getOrDefault("CSI_ENDPOINT", "") : endpoint;
        if (where.isEmpty()) {
            throw new IllegalArgumentException("--endpoint is missing, and CSI_ENDPOINT is not set");
        }
        String name = plugin.driverName(served);
        return new PluginServer.Settings(
                name,
                Version.VERSION,
                where,
                nodeId.isEmpty() ? HostName.ofThisMachine() : nodeId,
                controller,
                node,
                own(name, controller, node).resolve("records"));
    }

    /** Of each process its own: two that are controller and node of one machine write no record of the other's. */
    private Path own(String name, boolean controller, boolean node) {
        // The name is checked later, but no name leads to another directory.
        if (name.contains("/") || name.startsWith(".")) {
            throw new IllegalArgumentException("--driver-name '" + name + "': it has to be a DNS name");
        }
        Path all = data.toAbsolutePath().resolve(name);
        if (controller && node) {
            return all;
        }
        return all.resolve(controller ? "controller" : "node");
    }

    private void serve(StoragePlugin served, PluginServer.Settings settings) throws IOException {
        PluginServer server = CsiModules.find(PluginServer.class);
        Path own = own(settings.driverName(), settings.controller(), settings.node());
        Files.createDirectories(own);
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx--x--x"));
        try (KeptPlaces places = OwnPlaces.ofThisMachine()) {
            OwnPlaces kept = new OwnPlaces(places, "mooring csi serve");
            kept.keep(Map.of(own, "records of CSI volumes and the state of plugins"));
            kept.keepDirectoriesOf(List.of(served));
            LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                            Files.createDirectories(own.resolve("state")), own.resolve("orphans"), places))
                    .orElseThrow(() -> new IOException("drivers are served on Linux (x86_64, aarch64) only"));
            MachineLimits.tell(host.capabilities());
            run(server.serve(served, host, InstantSource.system(), settings), settings);
        }
    }

    private static void run(PluginServer.Serving serving, PluginServer.Settings settings) {
        StopSignal signal = new StopSignal();
        Thread stop = new Thread(() -> signal.stop(STOPPING), "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        try (serving) {
            LOG.info(
                    "driver {} of node {} listens on {}",
                    settings.driverName(),
                    settings.nodeId(),
                    settings.endpoint());
            while (signal.pause(TURN)) {
                // Until it is stopped.
            }
        } finally {
            LOG.info("stopped");
            signal.stopped();
        }
    }
}
