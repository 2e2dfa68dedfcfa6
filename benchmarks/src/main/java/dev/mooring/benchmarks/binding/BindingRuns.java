// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.binding.Pairs.Order;
import dev.mooring.benchmarks.compare.ComparisonFindings;
import dev.mooring.benchmarks.compare.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whole bindings, timed and counted, in a process of their own with a fixed heap. Writes its findings to a file.
 *
 * <pre>java -Xms… -Xmx… -cp … dev.mooring.benchmarks.binding.BindingRuns FILE FULL|QUICK|ONCE</pre>
 */
public final class BindingRuns {
    private static final int SMALL = 1_000;
    private static final int MIDDLE = 10_000;

    private final ComparisonFindings findings = new ComparisonFindings();
    private final Effort effort;
    private final int large;
    private boolean warm;

    private BindingRuns(Effort effort) {
        this.effort = effort;
        this.large = effort.many();
    }

    /** Runs all of it. */
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        BindingRuns runs = new BindingRuns(Effort.valueOf(given.get(1)));
        runs.pairs();
        new ReleasedBeside(runs.findings, runs.large, runs.effort.choose(7, 1, 1)).run();
        new ManyPending(runs.findings, runs.large / 2).run();
        runs.findings.save(Path.of(given.get(0)));
    }

    /** How many sizes for so many pairs. */
    private enum Sizes {
        TWENTY,
        DISTINCT;

        int of(int pairs) {
            return this == TWENTY ? 20 : pairs;
        }

        String label() {
            return this == TWENTY ? "20" : "distinct";
        }
    }

    private void pairs() {
        String label = Effort.label(large);
        double worst = 0;
        double worstCpu = 0;
        double worstMiddle = 0;
        double claimsFirst = 0;
        for (Sizes sizes : isFull() ? List.of(Sizes.values()) : List.of(Sizes.TWENTY)) {
            double volumesFirstTime = 0;
            for (Order order : Order.values()) {
                String name = order.label() + "." + sizes.label();
                Timing small = timed(SMALL, sizes, order, effort.choose(101, 31, 1));
                Timing middle = isFull() ? timed(MIDDLE, sizes, order, 5) : small;
                Timing most = timed(large, sizes, order, effort.choose(3, 1, 1));
                findings.ratio("bind.growth." + name + ".1k-" + label, most.median() / small.median());
                findings.figure("bind." + name + ".1k.us", small.median() / 1000);
                findings.figure("bind." + name + "." + label + ".us", most.median() / 1000);
                findings.figure("bind." + name + "." + label + ".gc.us", most.collection() / 1000);
                if (isFull()) {
                    findings.figure("bind." + name + ".10k.us", middle.median() / 1000);
                }
                worst = Math.max(worst, most.median() / small.median());
                worstMiddle = Math.max(worstMiddle, middle.median() / small.median());
                worstCpu = Math.max(worstCpu, most.cpu() / small.cpu());
                if (order == Order.VOLUMES_FIRST) {
                    volumesFirstTime = most.median();
                } else if (order == Order.CLAIMS_FIRST) {
                    claimsFirst = Math.max(claimsFirst, most.median() / volumesFirstTime);
                }
            }
        }
        findings.ratio("bind.growth.1k-" + label, worst);
        if (isFull()) {
            findings.ratio("bind.growth.1k-10k", worstMiddle);
        }
        findings.ratio("bind.growth.cpu.1k-" + label, worstCpu);
        findings.ratio("claimsFirst.vs.volumesFirst." + label, claimsFirst);
    }

    private boolean isFull() {
        return effort == Effort.FULL;
    }

    private Timing timed(int pairs, Sizes sizes, Order order, int repetitions) {
        Pairs all = new Pairs(pairs, sizes.of(pairs), order);
        if (pairs == SMALL) {
            int warmUp = warm ? effort.choose(20, 20, 0) : effort.choose(150, 60, 1);
            warm = true;
            for (int i = 0; i < warmUp; i++) {
                all.bindIn(new World().start());
            }
        }
        List<Timing.Sample> samples = new ArrayList<>();
        for (int i = 0; i < repetitions; i++) {
            World world = new World().start();
            if (pairs > SMALL) {
                System.gc();
            }
            samples.add(Timing.sample(pairs, () -> all.bindIn(world)));
            all.requireBound(world);
            if (i == 0) {
                counted(world, pairs, order.label() + "." + sizes.label() + "." + Effort.label(pairs));
            }
        }
        Timing timing = new Timing(samples);
        System.err.printf(
                Locale.ROOT,
                "  %,7d pairs, %-13s, %-8s sizes: %6.1f us per pair%n",
                pairs,
                order.label(),
                sizes.label(),
                timing.median() / 1000);
        return timing;
    }

    private void counted(World world, int pairs, String name) {
        if (world.hasTimer()
                || world.counters().failures() > 0
                || world.counters().defects() > 0) {
            throw new IllegalStateException(name + ": a timer, a failure or a defect");
        }
        findings.count(
                "bind." + name + ".writesPerPair", (double) world.counters().writes() / pairs);
        findings.count(
                "bind." + name + ".decisionsPerPair", (double) world.counters().decisions() / pairs);
        findings.count("bind." + name + ".probesPerPair", (double) world.probes() / pairs);
    }
}
