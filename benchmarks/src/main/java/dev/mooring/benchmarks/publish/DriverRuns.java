// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.benchmarks.compare.Program;
import dev.mooring.benchmarks.compare.RatioTable.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** {@code ./benchmarks/drivers [--quick|--once] [-o table|json]}: how long pods and claims wait for CSI drivers. */
public final class DriverRuns {
    private static final String USAGE = """
            usage: ./benchmarks/drivers [--quick|--once] [-o table|json]

            Two drivers behind sockets of their own. Measures how long pods and claims of one wait: alone, beside 1,000 volumes
            of the same driver, and beside pods and claims of the other one, which answers no call. Needs root.
              --quick    fewer repetitions
              --once     hardly any: for the build, which looks at counts alone
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;
    private static final List<Row> ROWS = List.of(
            new Row(
                    "pod.p50.1k-1",
                    "a pod's wait beside 1,000 published volumes of its driver against beside none",
                    "≤ 1.5"),
            new Row(
                    "pod.p50.stuck-alone",
                    "a pod's wait beside 100 pods whose driver does not answer against alone",
                    "≤ 1.2"),
            new Row("pod.p99.stuck-alone", "the same, p99", ""),
            new Row("claim.p50.stuck-alone", "a claim's wait beside 100 claims whose driver does not answer", "≤ 1.2"),
            new Row("claim.p99.stuck-alone", "the same, p99", ""));
    private static final int MANY = 1_000;
    private static final int STUCK = 100;

    private final ComparisonFindings findings = new ComparisonFindings();
    private final Effort effort;
    private int next;

    private DriverRuns(Effort effort) {
        this.effort = effort;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        new Program("drivers", USAGE, ROWS).run(arguments, effort -> new DriverRuns(effort).run());
    }

    private ComparisonFindings run() throws IOException {
        try (RunDirectories directories = RunDirectories.create();
                MeasuredDriver good = driver(directories, "good");
                MeasuredDriver other = driver(directories, "other");
                DriverCluster cluster = new DriverCluster(directories, List.of(good, other))) {
            directories.cleanUpWhenInterrupted(cluster::close);
            one(cluster, good, effort.choose(200, 30, 3)); // the machine warms up
            besideMany(cluster, good);
            besideStuck(cluster, good, other);
        }
        return findings;
    }

    private static MeasuredDriver driver(RunDirectories directories, String name) throws IOException {
        return new MeasuredDriver(name + ".csi.example.com", directories.base().resolve(name + ".sock"));
    }

    private List<String> names(String prefix, int number) {
        int from = next;
        next += number;
        return IntStream.range(from, next).mapToObj(i -> prefix + i).toList();
    }

    /** Beside none, beside many, beside none again: what drifts meanwhile counts for both. */
    private void besideMany(DriverCluster cluster, MeasuredDriver driver) {
        int repetitions = effort.choose(200, 40, 5);
        List<String> many = names("many", effort.choose(MANY, MANY, 50));
        Waits before = one(cluster, driver, repetitions);
        figures("claims.at-once", new MeasuredValues(cluster.claim(driver, many)));
        figures("pods.at-once", new MeasuredValues(cluster.run(many)));
        Waits beside = one(cluster, driver, repetitions);
        cluster.release(many);
        Waits after = one(cluster, driver, repetitions);
        MeasuredValues alone = before.with(after).pods();
        figures("pod.beside-none", alone);
        figures("pod.beside-many", beside.pods());
        findings.count("many", many.size());
        findings.ratio("pod.p50.1k-1", beside.pods().median() / alone.median());
    }

    private void besideStuck(DriverCluster cluster, MeasuredDriver good, MeasuredDriver other) {
        int repetitions = effort.choose(200, 40, 5);
        int number = effort.choose(STUCK, STUCK, 20);
        List<String> stuck = names("stuck", number);
        cluster.claim(other, stuck);
        Waits alone = one(cluster, good, repetitions);
        other.getStuck();
        cluster.put(stuck);
        cluster.begin(other, names("never", number));
        Waits beside = one(cluster, good, repetitions);
        findings.count("unanswered", other.unanswered());
        figures("pod.alone", alone.pods());
        figures("pod.beside-stuck", beside.pods());
        figures("claim.alone", alone.claims());
        figures("claim.beside-stuck", beside.claims());
        findings.ratio(
                "pod.p50.stuck-alone", beside.pods().median() / alone.pods().median());
        findings.ratio(
                "pod.p99.stuck-alone",
                beside.pods().quantile(0.99) / alone.pods().quantile(0.99));
        findings.ratio(
                "claim.p50.stuck-alone",
                beside.claims().median() / alone.claims().median());
        findings.ratio(
                "claim.p99.stuck-alone",
                beside.claims().quantile(0.99) / alone.claims().quantile(0.99));
    }

    /** One claim and then its pod, again and again. */
    private Waits one(DriverCluster cluster, MeasuredDriver driver, int repetitions) {
        List<Double> claims = new ArrayList<>();
        List<Double> pods = new ArrayList<>();
        for (int i = 0; i < repetitions; i++) {
            List<String> name = names("one", 1);
            claims.addAll(cluster.claim(driver, name));
            pods.addAll(cluster.run(name));
            cluster.release(name);
        }
        return new Waits(new MeasuredValues(claims), new MeasuredValues(pods));
    }

    /**
     * How long they waited, in milliseconds.
     *
     * @param claims from the claim's creation until it was bound
     * @param pods from the pod's creation until it ran
     */
    private record Waits(MeasuredValues claims, MeasuredValues pods) {
        Waits with(Waits others) {
            return new Waits(both(claims, others.claims), both(pods, others.pods));
        }

        private static MeasuredValues both(MeasuredValues one, MeasuredValues other) {
            List<Double> all = new ArrayList<>(one.values());
            all.addAll(other.values());
            return new MeasuredValues(all);
        }
    }

    private void figures(String name, MeasuredValues sample) {
        findings.figure(name + ".p50.ms", sample.median());
        findings.figure(name + ".p99.ms", sample.quantile(0.99));
        System.err.printf(
                Locale.ROOT, "  %-20s p50 %8.2f ms  p99 %8.2f ms%n", name, sample.median(), sample.quantile(0.99));
    }
}
