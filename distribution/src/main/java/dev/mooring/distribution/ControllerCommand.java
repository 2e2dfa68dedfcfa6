// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.controller.ClusterUsers;
import dev.mooring.distribution.controller.ControllerProcess;
import dev.mooring.distribution.controller.ControllerSettings;
import dev.mooring.distribution.controller.ControllerSettingsBuilder;
import dev.mooring.distribution.controller.PageSettings;
import dev.mooring.distribution.option.BindAddress;
import dev.mooring.distribution.option.ClusterOptions;
import dev.mooring.distribution.option.CsiEndpointOptions;
import dev.mooring.distribution.option.CsiServeOptions;
import dev.mooring.distribution.option.GoDuration;
import dev.mooring.distribution.option.HostName;
import dev.mooring.distribution.option.LostNodeOptions;
import dev.mooring.distribution.option.ProcessOptions;
import dev.mooring.distribution.option.RequestLimitOptions;
import dev.mooring.distribution.page.PageAccessToken;
import dev.mooring.distribution.page.PageActors;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.PluginsInUse;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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

/** {@code mooring controller}: the controllers against a real cluster. */
@Command(
        name = "controller",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Runs the storage controllers against a Kubernetes cluster.",
            "First switch off the storage controllers of kube-controller-manager. docs/operate/controller.md says how, and which",
            "rights are needed.",
            "The cluster is that of --kubeconfig, then of $KUBECONFIG, then the one of this pod.",
            "Exit status: 1 the controllers have ended by themselves, 2 there is no usable cluster. SIGTERM or SIGINT ends it within 10 s."
        })
final class ControllerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private CsiEndpointOptions csi = new CsiEndpointOptions();

    @Mixin
    private CsiServeOptions serve = new CsiServeOptions();

    @Mixin
    private ProcessOptions process = new ProcessOptions();

    @Option(
            names = "--leader-elect",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description = "Decide only while holding a lease. Switch it off only if no other process can decide.")
    private boolean leaderElect = true;

    @Option(
            names = "--leader-elect-lease-duration",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = GoDuration.class,
            description = "How long other candidates wait after the last renewal that they saw (${DEFAULT-VALUE}).")
    private Duration leaseDuration = Duration.ofSeconds(15);

    @Option(
            names = "--leader-elect-renew-deadline",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = GoDuration.class,
            description = "How long a leader goes on after its last renewal (${DEFAULT-VALUE}).")
    private Duration renewDeadline = Duration.ofSeconds(10);

    @Option(
            names = "--leader-elect-retry-period",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = GoDuration.class,
            description = "How long a candidate waits between two tries (${DEFAULT-VALUE}).")
    private Duration retryPeriod = Duration.ofSeconds(2);

    @Option(
            names = "--leader-elect-resource-name",
            paramLabel = "NAME",
            defaultValue = ControllerSettings.LEASE_NAME,
            description = "The name of the lease (${DEFAULT-VALUE}).")
    private String leaseName = ControllerSettings.LEASE_NAME;

    @Option(
            names = "--leader-elect-resource-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = ControllerSettings.LEASE_NAMESPACE,
            description = "The namespace of the lease (${DEFAULT-VALUE}).")
    private String leaseNamespace = ControllerSettings.LEASE_NAMESPACE;

    @Mixin
    private LostNodeOptions lostNodes = new LostNodeOptions();

    @Mixin
    private RequestLimitOptions requests = new RequestLimitOptions();

    @Option(
            names = "--page-bind-address",
            paramLabel = "ADDRESS:PORT",
            converter = BindAddress.class,
            description = "Where the web page is shown, on loopback and over plain HTTP. Default: nowhere.")
    private Optional<InetSocketAddress> page = Optional.empty();

    @Option(
            names = "--page-token-file",
            paramLabel = "FILE",
            description =
                    "The file with the token that the page asks for; it is created if it is missing. Default: ROOT/page-token.")
    private Optional<Path> pageToken = Optional.empty();

    @Option(
            names = "--page-acts",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description =
                    "Whether people may release, adopt and detach volumes by the page, each with a token of the API server"
                            + " that may patch the object (${DEFAULT-VALUE}).")
    private boolean pageActs;

    @Option(
            names = "--root",
            paramLabel = "DIRECTORY",
            defaultValue = "/var/lib/mooring/controller",
            description = "The directory in which volumes are mounted to be recycled (${DEFAULT-VALUE}).")
    private Path root = Path.of("");

    @Override
    public Integer call() {
        process.startLog();
        ControllerProcess controller;
        try {
            InstalledPlugins plugins = process.plugins();
            requireNeeded(plugins);
            controller = new ControllerProcess(settings(plugins.plugins()));
        } catch (ConnectionException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(controller::stop, "stop"));
        return controller.run() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void requireNeeded(InstalledPlugins plugins) {
        PluginsInUse inUse = new PluginsInUse(plugins, false);
        if (inUse.areOfInterest()) {
            try (ClusterStore store = cluster.open()) {
                inUse.requireFor(store);
            }
        }
    }

    private ControllerSettings settings(List<StoragePlugin> plugins) {
        Connection connection = cluster.connection();
        KubernetesOptions options = KubernetesOptions.DEFAULT.withUserAgent("mooring-controller");
        Optional<LeaderOptions> election = leaderElect
                ? Optional.of(new LeaderOptions(
                        ObjectKey.of(leaseNamespace, leaseName),
                        HostName.ofThisProcess(),
                        leaseDuration,
                        renewDeadline,
                        retryPeriod))
                : Optional.empty();
        Map<String, String> endpoints = csi.endpoints();
        Map<String, String> namespaces = serve.namespaces(endpoints);
        endpoints.keySet().removeAll(serve.left());
        return ControllerSettingsBuilder.builder()
                .name(HostName.ofThisProcess())
                .connection(connection)
                .options(requests.limiting(options))
                .election(election)
                .operations(process.operations())
                .plugins(plugins)
                .endpoints(endpoints)
                .served(namespaces)
                .page(page.map(address -> page(address, connection)))
                .attachDetach(lostNodes.attachDetach())
                .root(root.toAbsolutePath())
                .places(keepFiles())
                .build();
    }

    private KeptPlaces keepFiles() {
        Map<Path, String> files = new LinkedHashMap<>(cluster.files());
        pageToken.ifPresent(each -> files.put(each.toAbsolutePath(), "the page's token"));
        return process.keepFiles("mooring controller", files);
    }

    private PageSettings page(InetSocketAddress address, Connection connection) {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("--page-bind-address: the page is shown on loopback only");
        }
        SecureRandom random = new SecureRandom();
        try {
            return new PageSettings(
                    address,
                    PageAccessToken.in(pageToken.orElse(root.resolve("page-token")), random),
                    pageActs ? new ClusterUsers(connection) : PageActors.NONE,
                    random);
        } catch (IOException e) {
            String option = pageToken.isPresent() ? "--page-token-file" : "--root";
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }
}
