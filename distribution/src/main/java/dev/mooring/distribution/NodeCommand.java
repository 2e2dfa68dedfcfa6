// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.node.NodeProcess;
import dev.mooring.distribution.node.NodeSettings;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
            "Attaches nothing by itself, mounts what pods of this Node want, and reports the Node. Where a kubelet manages the Node it refuses, and names the evidence: docs/operate/node.md.",
            "The cluster is that of --kubeconfig, else of $KUBECONFIG, else the one whose pod this is.",
            "Exit status: 1 the Node is another agent's, a plugin in use is broken, no cluster answers at the start, or the agent has ended by itself; 2 the arguments are",
            "malformed; ends by SIGTERM or SIGINT, within 10 s. What is mounted stays, and is found again by the next start."
        })
final class NodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private ProcessOptions process = new ProcessOptions();

    @Option(
            names = "--node-name",
            paramLabel = "NAME",
            converter = NodeName.class,
            description = "The Node that this machine is; its host name by default. Made if it is not there.")
    private String node = "";

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/mooring/node",
            converter = DataDirectory.class,
            description = "Where records are kept and volumes are mounted for pods (${DEFAULT-VALUE}).")
    private Path data = Path.of("");

    @Option(
            names = "--node-lease-duration",
            paramLabel = "TIME",
            defaultValue = "40s",
            converter = GoDuration.class,
            description =
                    "For how long the Node counts as alive after a renewal of its lease; four renewals in it (${DEFAULT-VALUE}).")
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
        KubernetesOptions options =
                KubernetesOptions.DEFAULT.withUserAgent("mooring-node").withRequestTimeout(Duration.ofSeconds(10));
        return new NodeSettings(
                () -> KubernetesStore.open(connection, options),
                node.isEmpty() ? HostName.ofThisMachine() : node,
                Version.VERSION,
                data.toAbsolutePath(),
                lease,
                process.operations(),
                process.plugins(),
                process.keepFiles("mooring node", cluster.files()));
    }
}
