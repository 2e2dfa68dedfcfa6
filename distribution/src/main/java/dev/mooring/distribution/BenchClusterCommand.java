// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.bench.ClusterBench;
import dev.mooring.distribution.bench.ClusterBench.Order;
import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.spi.host.HostServices;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mooring bench cluster}: how fast pairs are bound on a real API server. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Makes pairs of volumes and claims in a namespace of their own, binds them with controllers in this process,",
            "reports pairs per second, latency and writes per pair beside the API server's own rate of merge patches,",
            "and removes them. No other binder may run in the cluster."
        })
final class BenchClusterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--pairs", paramLabel = "N", defaultValue = "1000", description = "How many (${DEFAULT-VALUE}).")
    private int pairs = 1000;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            split = ",",
            defaultValue = "VOLUMES_FIRST,CLAIMS_FIRST,PRE_BOUND",
            description = "${COMPLETION-CANDIDATES}; several after one another (${DEFAULT-VALUE}).")
    private Order[] orders = {};

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "How many of the later ones come per second; 0 for as fast as the server takes them (${DEFAULT-VALUE}).")
    private double rate;

    @Override
    public Integer call() throws InterruptedException {
        Connection connection;
        try {
            connection = cluster.connection();
        } catch (ConnectionException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        KubernetesOptions options = KubernetesOptions.DEFAULT.withUserAgent("mooring-bench");
        List<Order> each = Arrays.asList(orders);
        try (KubernetesStore store = KubernetesStore.open(connection, options)) {
            for (int i = 0; i < each.size(); i++) {
                String run = "mooring-bench-"
                        + Long.toHexString(ProcessHandle.current().pid()) + "-" + i;
                new ClusterBench(
                                store,
                                watched -> ControllerGraph.of(ControllerParts.of(
                                                watched,
                                                List.of(),
                                                HostServices.none(),
                                                new StoreEventSink(watched, TimeSource.system())))
                                        .runtime(),
                                run,
                                out)
                        .run(pairs, each.get(i), rate);
            }
        }
        return 0;
    }
}
