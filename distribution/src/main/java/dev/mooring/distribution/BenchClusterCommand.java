// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.bench.ClusterBench;
import dev.mooring.distribution.bench.ClusterBench.Order;
import dev.mooring.distribution.option.ClusterOptions;
import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.ConnectionException;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mooring bench cluster}: how fast pairs are bound on a real API server. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Creates pairs of volumes and claims in a namespace of their own, binds them with controllers in this process,",
            "and removes them. Reports pairs per second, latency, writes per pair and processor time. Compares with the most",
            "PUT and PATCH requests that the API server accepts from the same client.",
            "No other binder may run in the cluster, unless --process names it: then that one binds, and is measured."
        })
final class BenchClusterCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000",
            description = "How many pairs; several runs, separated by commas (${DEFAULT-VALUE}).")
    private int[] pairs = {};

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            split = ",",
            defaultValue = "volumes-first,claims-first,pre-bound",
            description = "${COMPLETION-CANDIDATES}; several runs, separated by commas (${DEFAULT-VALUE}).")
    private Order[] orders = {};

    @Option(
            names = "--arrivals",
            paramLabel = "N/s",
            defaultValue = "0",
            converter = PerSecond.class,
            description =
                    "How many later halves are created per second; 0 for as fast as the server accepts them (${DEFAULT-VALUE}).")
    private double arrivals;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "3000",
            description =
                    "How many pairs are bound before the measurement, to warm the program up" + " (${DEFAULT-VALUE}).")
    private int warmUp = 3000;

    @Option(
            names = "--process",
            paramLabel = "PID",
            description = {
                "A process on this machine that binds in the cluster, such as mooring controller. Its processor time is",
                "measured. Nothing is warmed up, so the first run is cold if the process has just started, and what the API",
                "server accepts is not measured."
            })
    private Optional<Long> process = Optional.empty();

    @Option(names = "--no-raw", description = "Do not measure what the API server accepts.")
    private boolean noRaw;

    @Override
    public Integer call() throws InterruptedException {
        if (IntStream.of(pairs).anyMatch(count -> count < 1)) {
            throw new ParameterException(spec.commandLine(), "--pairs must be 1 or more");
        }
        Optional<ProcessHandle> other = process.flatMap(ProcessHandle::of);
        if (process.isPresent() && other.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--process: there is no process " + process.get());
        }
        Connection connection;
        try {
            connection = cluster.connection();
        } catch (ConnectionException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        KubernetesOptions options = KubernetesOptions.DEFAULT.withUserAgent("mooring-bench");
        String name =
                "mooring-bench-" + Long.toHexString(ProcessHandle.current().pid());
        try (KubernetesStore store = KubernetesStore.open(connection, options);
                ProgressLine progress = ProgressLine.start(spec.commandLine().getErr())) {
            ClusterBench bench = other.map(binder -> ClusterBench.ofProcess(store, binder, name, out))
                    .orElseGet(() -> ClusterBench.ofControllers(store, BenchClusterCommand::controllers, name, out));
            if (warmUp > 0 && other.isEmpty()) {
                progress.step("warming up with " + warmUp + " pairs");
                bench.run(warmUp, Order.VOLUMES_FIRST, 0, false);
            }
            if (!noRaw && other.isEmpty()) {
                progress.step("measuring what the API server accepts");
                bench.measureServer(arrivals);
            }
            for (int count : pairs) {
                progress.step("binding " + count + " pairs");
                all(bench, count, out);
            }
        }
        return 0;
    }

    private static ControllerRuntime controllers(ClusterStore store) {
        return ControllerGraph.start(ControllerParts.of(store, List.of(), HostServices.none()))
                .runtime();
    }

    private void all(ClusterBench bench, int count, PrintWriter out) throws InterruptedException {
        Map<Order, Double> rates = new EnumMap<>(Order.class);
        for (Order order : orders) {
            rates.put(order, bench.run(count, order, arrivals, true));
        }
        double volumes = rates.getOrDefault(Order.VOLUMES_FIRST, 0.0);
        double claims = rates.getOrDefault(Order.CLAIMS_FIRST, 0.0);
        if (arrivals == 0 && volumes > 0 && claims > 0) {
            out.printf(Locale.ROOT, "claims-first takes %.2f times as long as volumes-first%n", volumes / claims);
            out.flush();
        }
    }

    /** {@code 10/s}, or merely {@code 10}. */
    static final class PerSecond implements ITypeConverter<Double> {
        private static final Pattern FORM = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)(?:/s)?");

        @Override
        public Double convert(String value) {
            Matcher form = FORM.matcher(value);
            if (!form.matches()) {
                throw new TypeConversionException("must be a number per second such as 10/s, not '" + value + "'");
            }
            return Double.valueOf(form.group(1));
        }
    }
}
