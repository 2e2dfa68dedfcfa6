// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.starts;

import dev.mooring.benchmarks.publish.MeasuredValues;
import dev.mooring.distribution.operations.ProcessMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of one class by JUnit in this JVM: in one cluster, or each in a cluster of its own. Prints how long that takes, and its memory. */
public final class OperatorTestRuns {
    private static final String METHOD_MARK = "Test";
    private static final double MILLIS = 1e6;
    private static final double SECONDS = 1e9;
    private static final double THOUSAND = 1e3;
    private static final double MIB = 1024.0 * 1024.0;

    private final List<Double> starts = new ArrayList<>();
    private final List<Double> tests = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private OperatorTestRuns() {}

    /**
     * Prints three lines.
     *
     * @param args the test class; {@code class} for one cluster or {@code test} for one each; how many tests at most
     */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        Class<?> subject = Class.forName(args[0]);
        boolean each = args[1].equals("test");
        List<Method> methods = Arrays.stream(subject.getDeclaredMethods())
                .filter(OperatorTestRuns::isTest)
                .sorted(Comparator.comparing(Method::getName))
                .limit(Long.parseLong(args[2]))
                .toList();
        OperatorTestRuns runs = new OperatorTestRuns();
        long begin = System.nanoTime();
        if (each) {
            methods.forEach(method -> runs.run(subject, List.of(method)));
        } else {
            runs.run(subject, methods);
        }
        double took = (System.nanoTime() - begin) / SECONDS;
        if (!runs.failures.isEmpty() || runs.tests.size() != methods.size()) {
            throw new IllegalStateException(
                    runs.tests.size() + " of " + methods.size() + " tests ran; failed: " + runs.failures);
        }
        runs.print(each ? "a cluster for each test" : "one cluster for the class", took);
        System.exit(0); // whatever threads the tests have left
    }

    /** By name, since the annotation is of the JUnit that the tests bring. */
    private static boolean isTest(Method method) {
        return Arrays.stream(method.getAnnotations())
                .anyMatch(each -> each.annotationType().getSimpleName().equals(METHOD_MARK));
    }

    private void run(Class<?> subject, List<Method> methods) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(methods.stream()
                        .map(method -> DiscoverySelectors.selectMethod(subject, method))
                        .toList())
                .build();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, new Watch());
    }

    private void print(String how, double seconds) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%-25s %6.1f s for %d tests, of which %.1f s of processor; a test %.0f ms (median)%n",
                how,
                seconds,
                tests.size(),
                ProcessHandle.current()
                                .info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toMillis()
                        / THOUSAND,
                new MeasuredValues(tests).median());
        List<Double> further = starts.subList(1, starts.size());
        System.out.printf(
                Locale.ROOT,
                "%-25s %6.0f ms the first%s%n",
                "  a cluster's start",
                starts.get(0),
                further.isEmpty()
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; each further one %.0f ms (median of %d)",
                                new MeasuredValues(further).median(),
                                further.size()));
        System.out.printf(
                Locale.ROOT,
                "%-25s %6.0f MiB resident at most; heap %.0f MiB after a collection, of %.0f MiB%n",
                "  memory",
                ProcessMemory.ofThis().mostResident() / MIB,
                heapInUse() / MIB,
                Runtime.getRuntime().maxMemory() / MIB);
    }

    /** What a collection leaves. */
    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    /** A class begins with its cluster: its first test begins when that has started. */
    private final class Watch implements TestExecutionListener {
        private long begin;
        private boolean starting;

        @Override
        public void executionStarted(TestIdentifier id) {
            long now = System.nanoTime();
            if (id.isTest() && starting) {
                starts.add((now - begin) / MILLIS);
                starting = false;
            } else if (!id.isTest()) {
                starting = true;
            }
            begin = now;
        }

        @Override
        public void executionFinished(TestIdentifier id, TestExecutionResult result) {
            if (id.isTest()) {
                tests.add((System.nanoTime() - begin) / MILLIS);
            }
            result.getThrowable().ifPresent(failure -> failures.add(id.getDisplayName() + ": " + failure));
        }
    }
}
