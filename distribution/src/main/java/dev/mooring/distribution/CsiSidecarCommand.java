// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.option.BindAddress;
import dev.mooring.distribution.option.ClusterOptions;
import dev.mooring.distribution.option.GoDuration;
import dev.mooring.distribution.option.LogOptions;
import dev.mooring.distribution.option.RequestLimitOptions;
import dev.mooring.distribution.option.SidecarLeaseOptions;
import dev.mooring.distribution.option.SidecarVolumeOptions;
import dev.mooring.distribution.sidecar.SidecarProcess;
import dev.mooring.distribution.sidecar.SidecarSettings;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.plugin.DriverHost;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring csi sidecar}: one process in place of a driver's side-cars. */
@Command(
        name = "sidecar",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Serves a CSI driver on a cluster whose kube-controller-manager binds: external-provisioner, -attacher, -resizer,",
            "csi-snapshotter, livenessprobe and node-driver-registrar in one process, by their flags, Leases and objects.",
            "Exit status: 1 the driver, a port or a socket cannot be used, 2 the arguments are malformed. SIGTERM or SIGINT ends it."
        })
final class CsiSidecarCommand implements Callable<Integer> {
    private static final int HIGHEST_PORT = 65_535;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--csi-address",
            paramLabel = "SOCKET",
            defaultValue = "/run/csi/socket",
            description = "The driver's socket (${DEFAULT-VALUE}).")
    private String address = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private RequestLimitOptions requests = new RequestLimitOptions();

    @Mixin
    private SidecarLeaseOptions leases = new SidecarLeaseOptions();

    @Mixin
    private SidecarVolumeOptions volumes = new SidecarVolumeOptions();

    @Option(
            names = "--worker-threads",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many calls to the driver may run at once (${DEFAULT-VALUE}).")
    private int workers = 100;

    @Option(
            names = "--node",
            description = "Only tells the kubelet of the driver and whether it is well; no cluster is needed.")
    private boolean nodeOnly;

    @Option(
            names = "--kubelet-registration-path",
            paramLabel = "PATH",
            defaultValue = "",
            description = "The driver's socket as the kubelet sees it. Default: no kubelet is told of the driver.")
    private String registrationPath = "";

    @Option(
            names = "--plugin-registration-path",
            paramLabel = "DIRECTORY",
            defaultValue = "/registration",
            description = "The kubelet's plugins_registry as this process sees it (${DEFAULT-VALUE}).")
    private Path registrationDirectory = Path.of("/registration");

    @Option(
            names = "--http-endpoint",
            paramLabel = "[ADDRESS]:PORT",
            converter = BindAddress.class,
            description = "Where metrics and the state of the process are served. Default: nowhere.")
    private Optional<InetSocketAddress> metrics = Optional.empty();

    @Option(
            names = "--metrics-path",
            paramLabel = "PATH",
            defaultValue = "/metrics",
            description = "Where the metrics are, with --http-endpoint (${DEFAULT-VALUE}).")
    private String metricsPath = "/metrics";

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The port of /healthz, which asks the driver, as livenessprobe does. Default: none.")
    private int healthPort;

    @Option(
            names = "--probe-timeout",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = GoDuration.class,
            description = "How long the driver may take to answer /healthz (${DEFAULT-VALUE}).")
    private Duration probeTimeout = Duration.ofSeconds(3);

    @Mixin
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() {
        log.start();
        SidecarProcess sidecar;
        try {
            sidecar = new SidecarProcess(settings());
        } catch (ConnectionException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(sidecar::stop, "stop"));
        return sidecar.run() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private SidecarSettings settings() {
        Optional<SidecarSettings.Leases> taken = leases.leases();
        if (volumes.isOfNode() && taken.isPresent()) {
            throw new IllegalArgumentException("--node-deployment takes no Leases: leave --leader-election out");
        }
        if (!metricsPath.startsWith("/")) {
            throw new IllegalArgumentException("--metrics-path has to begin with '/', and is '" + metricsPath + "'");
        }
        if (healthPort < 0 || healthPort > HIGHEST_PORT) {
            throw new IllegalArgumentException("--health-port has to be a port, and is " + healthPort);
        }
        if (workers < 1) {
            throw new IllegalArgumentException("--worker-threads has to be at least 1, and is " + workers);
        }
        String identity = SidecarLeaseOptions.identity();
        return new SidecarSettings(
                endpoint(),
                nodeOnly ? Optional.empty() : Optional.of(served(taken)),
                identity,
                volumes.rules(identity),
                volumes.role(),
                volumes.isOfNode(),
                new CallLimits(workers, workers, workers),
                metrics.map(listen -> new OperationsAddress(listen, "", metricsPath, Map.of())),
                healthPort == 0
                        ? Optional.empty()
                        : Optional.of(new OperationsAddress(new InetSocketAddress(healthPort), "")),
                probeTimeout,
                registrationPath.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new SidecarSettings.Registration(registrationDirectory, registrationPath)));
    }

    /** Go's programs take a path alone too. */
    private String endpoint() {
        String endpoint =
                address.contains("://") ? address : "unix://" + Path.of(address).toAbsolutePath();
        CsiModules.find(DriverHost.class).problem("driver", endpoint).ifPresent(problem -> {
            throw new IllegalArgumentException("--csi-address: " + problem);
        });
        return endpoint;
    }

    private SidecarSettings.Cluster served(Optional<SidecarSettings.Leases> taken) {
        KubernetesOptions options =
                KubernetesOptions.DEFAULT.withUserAgent("mooring-csi-sidecar").withMoreConnections(0);
        return new SidecarSettings.Cluster(cluster.connection(), requests.limiting(options), taken);
    }
}
