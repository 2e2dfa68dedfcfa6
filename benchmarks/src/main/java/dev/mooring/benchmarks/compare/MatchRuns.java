// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import dev.mooring.benchmarks.index.FindBestMatchBenchmark;
import dev.mooring.benchmarks.index.MostlyBoundBenchmark;
import dev.mooring.benchmarks.index.SelectorBenchmark;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The JMH benchmarks of the index and of what it is compared with. */
final class MatchRuns {
    private static final int FEW = 1_000;

    private final ComparisonFindings findings;
    private final Effort effort;
    private final int many;
    private final int most;
    private final Path log;

    MatchRuns(ComparisonFindings findings, Effort effort, Path log) {
        this.findings = findings;
        this.effort = effort;
        this.many = effort.many();
        this.most = effort.most();
        this.log = log;
    }

    void run() throws RunnerException {
        if (isFull()) {
            matches("index", 100, FEW, 10_000, many, most);
        } else {
            matches("index", FEW, many, most);
        }
        matches("update", FEW, most);
        matches("hashMapGet", FEW, most);
        matches(isFull() ? "(linearScan|columnScan)" : "linearScan", many);
        run(MostlyBoundBenchmark.class, "(index|sortedList)", many);
        run(SelectorBenchmark.class, isFull() ? "(index|linearScan|columnScan)" : "(index|linearScan)", many);
        ratios();
    }

    private boolean isFull() {
        return effort == Effort.FULL;
    }

    private void matches(String method, int... volumes) throws RunnerException {
        run(FindBestMatchBenchmark.class, method, volumes);
    }

    private void run(Class<?> benchmark, String methods, int... volumes) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\." + methods + "$")
                .param(
                        "volumes",
                        IntStream.of(volumes).mapToObj(Integer::toString).toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .forks(effort.choose(2, 1, 0))
                // An index of a million that has just been filled splits many leaves at first.
                .warmupIterations(effort.choose(4, methods.equals("update") ? 4 : 2, 1))
                .warmupTime(TimeValue.milliseconds(effort.choose(1000, 400, 50)))
                .measurementIterations(effort.choose(6, 3, 1))
                .measurementTime(TimeValue.milliseconds(effort.choose(1000, 400, 50)))
                .shouldFailOnError(true)
                .output(log.toString());
        Collection<RunResult> results = new Runner(options.build()).run();
        results.forEach(this::note);
    }

    private void note(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        String family = benchmark.contains("Selector")
                ? "selector." + result.getParams().getParam("selector")
                : benchmark.contains("MostlyBound") ? "mostlyBound" : "match";
        String sizes = result.getParams().getParam("sizes");
        String volumes = Effort.label(Integer.parseInt(result.getParams().getParam("volumes")));
        String name = family + "." + method + (sizes == null ? "" : "." + sizes) + "." + volumes;
        findings.figure(name + ".ns", result.getPrimaryResult().getScore());
        double bytes = bytesPerOperation(result);
        findings.figure(name + ".bytesPerOp", bytes);
        System.err.printf(
                Locale.ROOT,
                "  %-40s %,14.1f ns  %8.3f B%n",
                name,
                result.getPrimaryResult().getScore(),
                bytes);
    }

    @SuppressWarnings("rawtypes") // as JMH gives them
    private static double bytesPerOperation(RunResult run) {
        for (Map.Entry<String, Result> profiled : run.getSecondaryResults().entrySet()) {
            if (profiled.getKey().endsWith("gc.alloc.rate.norm")) {
                return profiled.getValue().getScore();
            }
        }
        throw new IllegalStateException("allocation was not measured");
    }

    private void ratios() {
        double hashMap = Math.max(growth("match.hashMapGet.20"), growth("match.hashMapGet.distinct"));
        findings.ratio("hashmap.growth.1k-" + most(), hashMap);
        findings.ratio("findBestMatch.growth.1k-" + most(), growth("match.index.20"));
        findings.ratio("findBestMatch.growth.distinct.1k-" + most(), growth("match.index.distinct"));
        findings.ratio(
                "findBestMatch.growth.vs.hashmap.growth",
                Math.max(growth("match.index.20"), growth("match.index.distinct")) / hashMap);
        findings.ratio(
                "update.growth.1k-" + most(), Math.max(growth("match.update.20"), growth("match.update.distinct")));
        findings.ratio(
                "findBestMatch.speedup.linear." + many(),
                Math.min(
                        ratio("match.linearScan.20." + many(), "match.index.20." + many()),
                        ratio("match.linearScan.distinct." + many(), "match.index.distinct." + many())));
        findings.ratio(
                "findBestMatch.speedup.sorted." + many(),
                ratio("mostlyBound.sortedList." + many(), "mostlyBound.index." + many()));
        findings.ratio(
                "selector.speedup.linear." + many(),
                ratio("selector.two-labels.linearScan." + many(), "selector.two-labels.index." + many()));
        findings.ratio(
                "selector.worst.speedup.linear." + many(),
                ratio("selector.empty.linearScan." + many(), "selector.empty.index." + many()));
        if (isFull()) {
            columnRatios();
        }
    }

    private void columnRatios() {
        findings.ratio(
                "findBestMatch.speedup.columns." + many(),
                Math.min(
                        ratio("match.columnScan.20." + many(), "match.index.20." + many()),
                        ratio("match.columnScan.distinct." + many(), "match.index.distinct." + many())));
        findings.ratio(
                "selector.speedup.columns." + many(),
                ratio("selector.two-labels.columnScan." + many(), "selector.two-labels.index." + many()));
        findings.ratio(
                "selector.worst.speedup.columns." + many(),
                ratio("selector.empty.columnScan." + many(), "selector.empty.index." + many()));
    }

    private String many() {
        return Effort.label(many);
    }

    private String most() {
        return Effort.label(most);
    }

    private double growth(String name) {
        return ratio(name + "." + most(), name + ".1k");
    }

    private double ratio(String above, String below) {
        return findings.figure(above + ".ns") / findings.figure(below + ".ns");
    }
}
