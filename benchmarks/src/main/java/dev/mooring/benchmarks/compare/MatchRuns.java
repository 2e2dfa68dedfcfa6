// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.compare;

import dev.mooring.benchmarks.index.FindBestMatchBenchmark;
import dev.mooring.benchmarks.index.MostlyBoundBenchmark;
import dev.mooring.benchmarks.index.SelectorBenchmark;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
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
    private static final String THOUSAND = "1000";
    private static final String HUNDRED_THOUSAND = "100000";
    private static final String MILLION = "1000000";
    private static final Map<String, String> SHORT =
            Map.of(THOUSAND, "1k", "10000", "10k", HUNDRED_THOUSAND, "100k", MILLION, "1M");

    private final Findings findings;
    private final boolean quick;
    private final Path log;

    MatchRuns(Findings findings, boolean quick, Path log) {
        this.findings = findings;
        this.quick = quick;
        this.log = log;
    }

    void run() throws RunnerException {
        if (quick) {
            matches("index", THOUSAND, HUNDRED_THOUSAND, MILLION);
        } else {
            matches("index", "100", THOUSAND, "10000", HUNDRED_THOUSAND, MILLION);
        }
        matches("update", THOUSAND, MILLION);
        matches("hashMapGet", THOUSAND, MILLION);
        matches(quick ? "linearScan" : "(linearScan|columnScan)", HUNDRED_THOUSAND);
        run(MostlyBoundBenchmark.class, "(index|sortedList)", HUNDRED_THOUSAND);
        run(SelectorBenchmark.class, quick ? "(index|linearScan)" : "(index|linearScan|columnScan)", HUNDRED_THOUSAND);
        ratios();
    }

    private void matches(String method, String... volumes) throws RunnerException {
        run(FindBestMatchBenchmark.class, method, volumes);
    }

    private void run(Class<?> benchmark, String methods, String... volumes) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\." + methods + "$")
                .param("volumes", volumes)
                .addProfiler(GCProfiler.class)
                .forks(quick ? 1 : 2)
                // An index of a million that has just been filled splits many leaves at first.
                .warmupIterations(quick ? (methods.equals("update") ? 4 : 2) : 4)
                .warmupTime(TimeValue.milliseconds(quick ? 400 : 1000))
                .measurementIterations(quick ? 3 : 6)
                .measurementTime(TimeValue.milliseconds(quick ? 400 : 1000))
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
        String volumes = result.getParams().getParam("volumes");
        String name =
                family + "." + method + (sizes == null ? "" : "." + sizes) + "." + SHORT.getOrDefault(volumes, volumes);
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
        findings.ratio("hashmap.growth.1k-1M", hashMap);
        findings.ratio("findBestMatch.growth.1k-1M", growth("match.index.20"));
        findings.ratio("findBestMatch.growth.distinct.1k-1M", growth("match.index.distinct"));
        findings.ratio(
                "findBestMatch.growth.vs.hashmap.growth",
                Math.max(growth("match.index.20"), growth("match.index.distinct")) / hashMap);
        findings.ratio("update.growth.1k-1M", Math.max(growth("match.update.20"), growth("match.update.distinct")));
        findings.ratio(
                "findBestMatch.speedup.linear.100k",
                Math.min(
                        ratio("match.linearScan.20.100k", "match.index.20.100k"),
                        ratio("match.linearScan.distinct.100k", "match.index.distinct.100k")));
        findings.ratio(
                "findBestMatch.speedup.sorted.100k", ratio("mostlyBound.sortedList.100k", "mostlyBound.index.100k"));
        findings.ratio(
                "selector.speedup.linear.100k",
                ratio("selector.two-labels.linearScan.100k", "selector.two-labels.index.100k"));
        findings.ratio(
                "selector.worst.speedup.linear.100k",
                ratio("selector.empty.linearScan.100k", "selector.empty.index.100k"));
        if (!quick) {
            columnRatios();
        }
    }

    private void columnRatios() {
        findings.ratio(
                "findBestMatch.speedup.columns.100k",
                Math.min(
                        ratio("match.columnScan.20.100k", "match.index.20.100k"),
                        ratio("match.columnScan.distinct.100k", "match.index.distinct.100k")));
        findings.ratio(
                "selector.speedup.columns.100k",
                ratio("selector.two-labels.columnScan.100k", "selector.two-labels.index.100k"));
        findings.ratio(
                "selector.worst.speedup.columns.100k",
                ratio("selector.empty.columnScan.100k", "selector.empty.index.100k"));
    }

    private double growth(String name) {
        return ratio(name + ".1M", name + ".1k");
    }

    private double ratio(String above, String below) {
        return findings.figure(above + ".ns") / findings.figure(below + ".ns");
    }
}
