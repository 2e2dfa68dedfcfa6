// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Several samples of the same work. All in nanoseconds per pair. */
final class Timing {
    private final List<Sample> samples;

    Timing(List<Sample> samples) {
        this.samples = List.copyOf(samples);
    }

    /**
     * One measurement.
     *
     * @param elapsed by the clock
     * @param cpu of the whole process, its collector and compiler included: what other processes take does not count
     * @param collection in which the collector held everything up
     */
    record Sample(double elapsed, double cpu, double collection) {}

    static Sample sample(int pairs, Runnable work) {
        double collectionBefore = collectionMillis();
        double cpuBefore = cpuNanos();
        long before = System.nanoTime();
        work.run();
        double elapsed = System.nanoTime() - before;
        return new Sample(
                elapsed / pairs,
                (cpuNanos() - cpuBefore) / pairs,
                (collectionMillis() - collectionBefore) * 1e6 / pairs);
    }

    private static double cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private static double collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    double median() {
        return samples.stream()
                .mapToDouble(Sample::elapsed)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    /** The mean: its clock ticks too slowly for single short samples. */
    double cpu() {
        return mean(Sample::cpu);
    }

    double collection() {
        return mean(Sample::collection);
    }

    private double mean(ToDoubleFunction<Sample> part) {
        return samples.stream().mapToDouble(part).average().orElseThrow();
    }
}
