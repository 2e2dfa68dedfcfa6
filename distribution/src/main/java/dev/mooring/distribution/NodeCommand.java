// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.node.NodeProcess;
import dev.mooring.distribution.node.NodeSettings;
import dev.mooring.distribution.node.NodeSettingsBuilder;
import dev.mooring.distribution.option.ClusterOptions;
import dev.mooring.distribution.option.CsiEndpointOptions;
import dev.mooring.distribution.option.DataDirectory;
import dev.mooring.distribution.option.GoDuration;
import dev.mooring.distribution.option.HostName;
import dev.mooring.distribution.option.NodeName;
import dev.mooring.distribution.option.ProcessOptions;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring node}: the volume manager of a Node that no kubelet manages. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Looks after the volumes of a Node that no kubelet manages.",
            "Mounts the volumes of the pods of this Node, and reports the Node. It attaches nothing. If a kubelet manages the",
            "Node, it refuses to start and names the evidence: docs/operate/node.md.",
            "The cluster is that of --kubeconfig, then of $KUBECONFIG, then the one of this pod.",
            "Exit status: 1 another agent has the Node, a plugin in use is broken, no cluster answers at the start, or the agent",
            "has ended by itself; 2 the arguments are malformed. SIGTERM or SIGINT ends it within 10 s. Mounts stay, and the next",
            "start finds them."
        })
final class NodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ProcessOptions process = new ProcessOptions();

    @Mixin
    private CsiEndpointOptions csi = new CsiEndpointOptions();

    @Option(
            names = "--node-name",
            paramLabel = "NAME",
            converter = NodeName.class,
            description = "The Node of this machine; it is created if it is missing. Default: the host name.")
    private String node = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/mooring/node",
            converter = DataDirectory.class,
            description = "The directory for records and for the mounts of pods (${DEFAULT-VALUE}).")
    private Path data = Path.of("");

    @Option(
            names = "--kubelet-dir",
            paramLabel = "DIR",
            converter = DataDirectory.class,
            description =
                    "The directory below which pods' volumes are mounted and CSI drivers register. /var/lib/kubelet is where"
                            + " drivers' manifests expect it. Default: kubelet in the data directory.")
    private Optional<Path> kubelet = Optional.empty();

    @Option(
            names = "--adopt-kubelet",
            description = "Take over what a kubelet has mounted below --kubelet-dir, if none runs any more.")
    private boolean adopts;

    @Option(
            names = "--node-lease-duration",
            paramLabel = "TIME",
            defaultValue = "40s",
            converter = GoDuration.class,
            description =
                    "How long the Node counts as alive after its lease was renewed. It is renewed four times in this time (${DEFAULT-VALUE}).")
    private Duration lease = Duration.ofSeconds(40);

    @Override
    public Integer call() throws IOException {
        process.startLog();
        NodeProcess agent;
        try {
            agent = new NodeProcess(settings());
        } catch (ConnectionException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(agent::stop, "stop"));
        return agent.run() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private NodeSettings settings() throws IOException {
        if (lease.compareTo(Duration.ofSeconds(4)) < 0) {
            throw new IllegalArgumentException("node-lease-duration must be at least 4s");
        }
        Connection connection = cluster.connection();
        KubernetesOptions options = KubernetesOptions.DEFAULT
                .withUserAgent("mooring-node")
                .withRequestTimeout(Duration.ofSeconds(10))
                .withMoreConnections(0);
        return NodeSettingsBuilder.builder()
                .cluster(() -> KubernetesStore.open(connection, options))
                .node(node.isEmpty() ? HostName.ofThisMachine() : node)
                .version(Version.VERSION)
                .data(data.toAbsolutePath())
                .kubelet(kubelet.orElse(data.resolve("kubelet")).toAbsolutePath())
                .adopts(adopts)
                .lease(lease)
                .operations(process.operations())
                .plugins(process.plugins())
                .endpoints(csi.endpoints())
                .places(process.keepFiles("mooring node", cluster.files()))
                .build();
    }
}
