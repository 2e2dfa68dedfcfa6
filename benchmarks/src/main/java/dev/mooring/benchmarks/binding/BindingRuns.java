// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.binding.Pairs.Order;
import dev.mooring.benchmarks.compare.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whole bindings, timed and counted, in a process of their own with a fixed heap. Writes its findings to a file.
 *
 * <pre>java -Xms… -Xmx… -cp … dev.mooring.benchmarks.binding.BindingRuns FILE [--quick]</pre>
 */
public final class BindingRuns {
    private static final int SMALL = 1_000;
    private static final int MIDDLE = 10_000;
    private static final int LARGE = 100_000;
    private static final int REPETITIONS = 101;
    private static final int QUICK_REPETITIONS = 31;
    private static final int FIRST_WARM_UP = 150;
    private static final int QUICK_FIRST_WARM_UP = 60;
    private static final int WARM_UP = 20;

    private final Findings findings = new Findings();
    private final boolean quick;
    private boolean warm;

    private BindingRuns(boolean quick) {
        this.quick = quick;
    }

    /** Runs all of it. */
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        BindingRuns runs = new BindingRuns(given.contains("--quick"));
        runs.pairs();
        new ReleasedBeside(runs.findings, runs.quick ? 1 : 7).run();
        new ManyPending(runs.findings).run();
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
        double worst = 0;
        double worstCpu = 0;
        double worstMiddle = 0;
        double claimsFirst = 0;
        for (Sizes sizes : quick ? List.of(Sizes.TWENTY) : List.of(Sizes.values())) {
            double volumesFirstTime = 0;
            for (Order order : Order.values()) {
                String name = order.label() + "." + sizes.label();
                Timing small = timed(SMALL, sizes, order, quick ? QUICK_REPETITIONS : REPETITIONS);
                Timing middle = quick ? small : timed(MIDDLE, sizes, order, 5);
                Timing large = timed(LARGE, sizes, order, quick ? 1 : 3);
                findings.ratio("bind.growth." + name + ".1k-100k", large.median() / small.median());
                findings.figure("bind." + name + ".1k.us", small.median() / 1000);
                findings.figure("bind." + name + ".100k.us", large.median() / 1000);
                findings.figure("bind." + name + ".100k.gc.us", large.collection() / 1000);
                if (!quick) {
                    findings.figure("bind." + name + ".10k.us", middle.median() / 1000);
                }
                worst = Math.max(worst, large.median() / small.median());
                worstMiddle = Math.max(worstMiddle, middle.median() / small.median());
                worstCpu = Math.max(worstCpu, large.cpu() / small.cpu());
                if (order == Order.VOLUMES_FIRST) {
                    volumesFirstTime = large.median();
                } else if (order == Order.CLAIMS_FIRST) {
                    claimsFirst = Math.max(claimsFirst, large.median() / volumesFirstTime);
                }
            }
        }
        findings.ratio("bind.growth.1k-100k", worst);
        if (!quick) {
            findings.ratio("bind.growth.1k-10k", worstMiddle);
        }
        findings.ratio("bind.growth.cpu.1k-100k", worstCpu);
        findings.ratio("claimsFirst.vs.volumesFirst.100k", claimsFirst);
    }

    private Timing timed(int pairs, Sizes sizes, Order order, int repetitions) {
        Pairs all = new Pairs(pairs, sizes.of(pairs), order);
        if (pairs == SMALL) {
            int warmUp = warm ? WARM_UP : quick ? QUICK_FIRST_WARM_UP : FIRST_WARM_UP;
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
                counted(world, pairs, order.label() + "." + sizes.label() + "." + pairs / SMALL + "k");
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
