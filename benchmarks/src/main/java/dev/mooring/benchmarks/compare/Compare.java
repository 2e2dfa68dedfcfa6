// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import dev.mooring.benchmarks.binding.BindingRuns;
import dev.mooring.benchmarks.compare.RatioTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** {@code ./benchmarks/compare [--quick|--once] [-o json]}: everything that {@code docs/inside/performance.md} says, measured here and now. */
public final class Compare {
    private static final String USAGE = """
            usage: ./benchmarks/compare [--quick|--once] [-o table|json]

            Measures the volume index against what it is compared with, and whole bindings in memory.
              --quick    fewer and shorter repetitions: within five minutes on two cores
              --once     with a tenth of the volumes and once: for the build, which looks at counts alone
              -o json    one JSON object on stdout instead of a table
            Progress goes to stderr.
            """;

    private static final List<Row> ROWS = List.of(
            new Row("findBestMatch.growth.1k-1M", "a match, 1,000 to 1,000,000 volumes of 20 sizes", "≤ 4"),
            new Row("findBestMatch.growth.distinct.1k-1M", "the same, all capacities distinct", "≤ 8"),
            new Row("hashmap.growth.1k-1M", "HashMap.get, 1,000 to 1,000,000 names: the memory's part", ""),
            new Row("findBestMatch.growth.vs.hashmap.growth", "the match's growth against that", "≤ 1.5"),
            new Row("findBestMatch.speedup.linear.100k", "a tuned linear scan against a match", "≥ 1,000"),
            new Row("findBestMatch.speedup.sorted.100k", "a sorted list, 99 of 100 bound, against a match", "≥ 100"),
            new Row("selector.speedup.linear.100k", "a linear scan against a match by two labels", "≥ 200"),
            new Row("selector.worst.speedup.linear.100k", "the same when no volume has both labels", "≥ 1"),
            new Row("update.growth.1k-1M", "an update of a volume, 1,000 to 1,000,000 volumes", "≤ 10"),
            new Row("bind.growth.1k-100k", "time per bound pair, 1,000 to 100,000 pairs, worst order", "≤ 2"),
            new Row("claimsFirst.vs.volumesFirst.100k", "claims first against volumes first", "≤ 1.5"),
            new Row("released.slowdown.100k", "100,000 Released volumes beside", "≤ 1.25"));

    private final Effort effort;
    private final Path directory;

    private Compare(Effort effort, Path directory) {
        this.effort = effort;
        this.directory = directory;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        new Program("compare", USAGE, ROWS)
                .run(arguments, effort -> new Compare(effort, Files.createTempDirectory("mooring-compare")).run());
    }

    private ComparisonFindings run() throws IOException, RunnerException, InterruptedException {
        ComparisonFindings findings = new ComparisonFindings();
        System.err.println("compare: the index (details in " + directory + ")");
        new MatchRuns(findings, effort, directory.resolve("jmh.log")).run();
        IndexMemory.measure(findings, 2 * effort.many());
        System.err.println("compare: whole bindings");
        findings.load(bindings());
        return findings;
    }

    private Path bindings() throws IOException, InterruptedException {
        Path result = directory.resolve("bindings.properties");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A fixed heap, touched beforehand, that a hundred thousand pairs fit into; one collector thread, so
                // that time is what one processor does.
                "-Xms6g",
                "-Xmx6g",
                "-Xmn4g",
                effort == Effort.ONCE ? "-XX:-AlwaysPreTouch" : "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BindingRuns.class.getName(),
                result.toString(),
                effort.name()));
        Process process = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("bindings.log").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the bindings failed, see above");
        }
        return result;
    }
}
