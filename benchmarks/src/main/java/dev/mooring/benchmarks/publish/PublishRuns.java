// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import dev.mooring.benchmarks.compare.Program;
import dev.mooring.benchmarks.compare.RatioTable.Row;
import dev.mooring.benchmarks.publish.HostCluster.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** {@code ./benchmarks/publish [--quick|--once] [-o table|json]}: from a pod that is bound to its node to its published hostPath volume. */
public final class PublishRuns {
    private static final String USAGE = """
            usage: ./benchmarks/publish [--quick|--once] [-o table|json]

            Mounts hostPath volumes for pods on this machine, and measures how long the pods wait. Needs root.
              --quick    fewer repetitions
              --once     hardly any: for the build, which looks at counts alone
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;
    private static final List<Row> ROWS = List.of(
            new Row("publish.p50.1k-10", "a pod's wait with 1,000 volumes mounted against 10, p50", "≤ 1.5"),
            new Row("decision.mean.1k-10", "time per decision with 1,000 volumes mounted against 10", "≤ 1.5"),
            new Row("decision.p50.1k-10", "the same, the median decision", "≤ 1.5"),
            new Row("decisions.1k-10", "decisions per pod that comes and goes", "≤ 1.5"),
            new Row("effects.1k-10", "writes, reads and calls per pod that comes and goes", "≤ 1.5"),
            new Row("mountTables.1k", "readings of the whole mount table per pod that comes and goes, of 1,000", ""),
            new Row("publish.p50.10-1", "the median pod of 10 at once against one alone", ""),
            new Row("publish.p50.100-1", "the median pod of 100 at once against one alone", ""));
    private static final List<Integer> AT_ONCE = List.of(1, 10, 100);
    private static final int FEW = 10;
    private static final int MANY = 1_000;

    private final ComparisonFindings findings = new ComparisonFindings();
    private final Work work = new Work();
    private final Effort effort;

    private PublishRuns(Effort effort) {
        this.effort = effort;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        new Program("publish", USAGE, ROWS).run(arguments, effort -> new PublishRuns(effort).run());
    }

    private ComparisonFindings run() throws IOException {
        try (RunDirectories directories = RunDirectories.create();
                HostCluster cluster = new HostCluster(directories, work)) {
            directories.cleanUpWhenInterrupted(cluster::close);
            List<String> names = names("p", 100);
            cluster.offer(names);
            warmUp(cluster, names);
            for (int atOnce : AT_ONCE) {
                atOnce(cluster, names.subList(0, atOnce));
            }
            beside(cluster, names);
        }
        return findings;
    }

    private static List<String> names(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> prefix + i).toList();
    }

    private void warmUp(HostCluster cluster, List<String> names) {
        System.err.println("publish: warming up");
        for (int i = 0; i < effort.choose(5, 5, 1); i++) {
            cluster.publish(names);
            cluster.release(names);
        }
    }

    private void atOnce(HostCluster cluster, List<String> names) {
        int repetitions = Math.max(effort.choose(20, 5, 1), effort.choose(1_000, 100, 10) / names.size());
        List<Double> published = new ArrayList<>();
        List<Double> running = new ArrayList<>();
        for (int i = 0; i < repetitions; i++) {
            Waits waits = cluster.publish(names);
            published.addAll(waits.published());
            running.addAll(waits.running());
            cluster.release(names);
        }
        MeasuredValues sample = new MeasuredValues(published);
        String name = "publish." + names.size();
        figures(name, sample);
        figures("running." + names.size(), new MeasuredValues(running));
        findings.count(name + ".samples", sample.values().size());
        if (names.size() > 1) {
            findings.ratio("publish.p50." + names.size() + "-1", sample.median() / findings.figure("publish.1.p50.ms"));
        }
    }

    private void figures(String name, MeasuredValues sample) {
        findings.figure(name + ".p50.ms", sample.median());
        findings.figure(name + ".p99.ms", sample.quantile(0.99));
        System.err.printf(
                Locale.ROOT, "  %-12s p50 %7.2f ms  p99 %7.2f ms%n", name, sample.median(), sample.quantile(0.99));
    }

    /** Few mounted, many, few again: what drifts meanwhile counts for both. */
    private void beside(HostCluster cluster, List<String> names) {
        List<String> few = names("few", FEW);
        List<String> more = names("more", MANY - FEW);
        cluster.offer(few);
        cluster.publish(few);
        cluster.offer(more);
        String one = names.get(0);
        Beside before = beside(cluster, one, "10 mounted");
        cluster.publish(more);
        Beside many = beside(cluster, one, "1,000 mounted");
        cluster.release(more);
        Beside after = beside(cluster, one, "10 mounted");
        cluster.release(few);
        figures("beside.1000", many);
        figures("beside.10", before.with(after));
        ratios(many, before.with(after));
    }

    private void figures(String name, Beside seen) {
        findings.figure(name + ".publish.p50.ms", seen.publishMillis());
        findings.figure(name + ".decision.mean.us", seen.decisionMean());
        findings.figure(name + ".decision.p50.us", seen.decisionMedian());
        findings.count(name + ".decisionsPerPod", seen.decisions());
        findings.count(name + ".effectsPerPod", seen.effects());
        findings.figure(name + ".mountTablesPerPod", seen.mountTables());
        findings.figure(name + ".readPerPod.kB", seen.kilobytes());
    }

    private void ratios(Beside many, Beside few) {
        findings.ratio("publish.p50.1k-10", many.publishMillis() / few.publishMillis());
        findings.ratio("decision.mean.1k-10", many.decisionMean() / few.decisionMean());
        findings.ratio("decision.p50.1k-10", many.decisionMedian() / few.decisionMedian());
        findings.ratio("decisions.1k-10", many.decisions() / few.decisions());
        findings.ratio("effects.1k-10", many.effects() / few.effects());
        findings.ratio("mountTables.1k", many.mountTables());
    }

    /** One pod that comes and goes, again and again, beside those that stay. */
    private Beside beside(HostCluster cluster, String volume, String what) {
        int repetitions = effort.choose(200, 30, 20);
        List<String> one = List.of(volume);
        List<Double> published = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            cluster.publish(one);
            cluster.release(one);
        }
        long tables = cluster.mountTables();
        long read = bytesRead();
        work.begin();
        for (int i = 0; i < repetitions; i++) {
            published.addAll(cluster.publish(one).published());
            cluster.release(one);
        }
        MeasuredValues decided = work.decided();
        Beside seen = new Beside(
                new MeasuredValues(published).median(),
                decided.mean(),
                decided.median(),
                (double) work.decisions() / repetitions,
                (double) (work.writes() + work.reads() + work.calls()) / repetitions,
                (double) (cluster.mountTables() - tables) / repetitions,
                (bytesRead() - read) / 1e3 / repetitions);
        System.err.printf(
                Locale.ROOT,
                "  %s: publish %.2f ms, decision %.1f us (p50 %.1f), %.2f decisions, %.2f effects, %.2f mount tables, "
                        + "%.1f kB read%n",
                what,
                seen.publishMillis(),
                seen.decisionMean(),
                seen.decisionMedian(),
                seen.decisions(),
                seen.effects(),
                seen.mountTables(),
                seen.kilobytes());
        return seen;
    }

    /** What this process has read so far, from files of every kind. */
    private static long bytesRead() {
        try {
            return Files.readAllLines(Path.of("/proc/self/io")).stream()
                    .filter(line -> line.startsWith("rchar:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring("rchar:".length()).strip()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a pod that came and went cost, beside some number of mounted volumes. */
    private record Beside(
            double publishMillis,
            double decisionMean,
            double decisionMedian,
            double decisions,
            double effects,
            double mountTables,
            double kilobytes) {
        Beside with(Beside other) {
            return new Beside(
                    (publishMillis + other.publishMillis) / 2,
                    (decisionMean + other.decisionMean) / 2,
                    (decisionMedian + other.decisionMedian) / 2,
                    (decisions + other.decisions) / 2,
                    (effects + other.effects) / 2,
                    (mountTables + other.mountTables) / 2,
                    (kilobytes + other.kilobytes) / 2);
        }
    }
}
