// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mooring.e2e.inside.CrashMatrixE2E;
import dev.mooring.e2e.inside.HostPathE2E;
import dev.mooring.e2e.inside.HungServerE2E;
import dev.mooring.e2e.inside.InsideMain;
import dev.mooring.e2e.inside.PathsE2E;
import dev.mooring.e2e.inside.PlantedSecretsE2E;
import dev.mooring.e2e.inside.ProvisionedE2E;
import dev.mooring.e2e.inside.TwoNodesE2E;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Everything that is tested inside of guests. Each group has a guest of its own, two run at a time, and each test inside is a test here.
 * Where guests cannot run, this is skipped with the reason; under CI it fails.
 */
class GuestSuiteIT {
    /** For one group: enough for a crash matrix at every boundary; what hangs has limits of its own inside. */
    private static final Duration LIMIT = Duration.ofMinutes(Long.getLong("mooring.e2e.minutes", 90));

    private static final int AT_A_TIME = 2;
    private static final int LAST_LINES = 60;
    private static final int POWER_CUTS = 10;

    /** "K/N": of the groups, in their order, every Nth from the Kth (from 0); all unless it is set. */
    private static final String SLICE = System.getProperty("mooring.e2e.slice", "0/1");

    /** Whether a group in which a test failed is run once more, as the gate does with other tests. */
    private static final boolean AGAIN = Boolean.getBoolean("mooring.e2e.again");

    /** Two of them run beside each other, in this order: the longest begin. */
    private static final Map<String, Supplier<List<TestResult>>> GROUPS = groups();

    private static final ExecutorService GUESTS = Executors.newFixedThreadPool(AT_A_TIME);

    @BeforeAll
    static void canRunGuests() {
        Optional<String> reason = Guest.whyNot();
        if (System.getenv("CI") != null) {
            assertThat(reason).as("under CI a guest must run").isEmpty();
        }
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    }

    @AfterAll
    static void end() {
        GUESTS.shutdownNow();
    }

    private static Map<String, Supplier<List<TestResult>>> groups() {
        Map<String, Supplier<List<TestResult>>> groups = new LinkedHashMap<>();
        inside(groups, "two-nodes", TwoNodesE2E.class);
        inside(groups, "crash-iscsi", CrashMatrixE2E.OfUnits.class);
        inside(groups, "crash-local", CrashMatrixE2E.OfDisks.class, CrashMatrixE2E.OfDirectories.class);
        kit(groups, "kit-iscsi", "plugins-iscsi", "dev.mooring.plugin.iscsi.GuestConformanceTest");
        kit(groups, "kit-local", "plugins-hostpath", "dev.mooring.plugin.hostpath.local.LocalDiskConformanceTest");
        kit(groups, "kit-nfs", "plugins-nfs", "dev.mooring.plugin.nfs.KernelConformanceTest");
        for (String each : List.of("Nfs", "LocalDisk", "Iscsi")) {
            kit(
                    groups,
                    "circle-" + each.toLowerCase(Locale.ROOT),
                    "csi-server",
                    "dev.mooring.csi.server.circle." + each + "CircleTest");
        }
        groups.put("power-iscsi", () -> PowerCuts.run("power-iscsi", "iscsi", POWER_CUTS));
        groups.put("power-local", () -> PowerCuts.run("power-local", "local-device", POWER_CUTS));
        groups.put("shutdown", OrderedShutdown::run);
        inside(groups, "iscsi", PathsE2E.IscsiE2E.class);
        inside(groups, "secrets", PlantedSecretsE2E.class);
        inside(groups, "nfs", PathsE2E.NfsE2E.class, ProvisionedE2E.OfServer.class, HungServerE2E.class);
        inside(groups, "local", HostPathE2E.class, PathsE2E.LocalE2E.class, ProvisionedE2E.OfNode.class);
        // What the modules test themselves, but only on a kernel with servers.
        for (String module : List.of("plugins-iscsi", "plugins-nfs", "plugins-hostpath", "host-linux", "csi-server")) {
            Path tests = Guest.testsOf(module);
            groups.put(module, () -> run(module, new Guest(module).withClasses(tests), List.of(tests.toString())));
        }
        return groups;
    }

    /** The conformance kit on a module's plugin, which the module's own group leaves out. */
    private static void kit(
            Map<String, Supplier<List<TestResult>>> groups, String name, String module, String className) {
        groups.put(name, () -> run(name, new Guest(name).withClasses(Guest.testsOf(module)), List.of(className)));
    }

    private static void inside(Map<String, Supplier<List<TestResult>>> groups, String name, Class<?>... classes) {
        groups.put(
                name,
                () -> run(
                        name,
                        new Guest(name),
                        Arrays.stream(classes).map(Class::getName).toList()));
    }

    @TestFactory
    Stream<DynamicNode> inGuests() {
        List<String> wanted = wanted();
        Map<String, CompletableFuture<List<TestResult>>> running = GROUPS.entrySet().stream()
                .filter(group -> wanted.contains(group.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        group -> CompletableFuture.supplyAsync(() -> timed(group.getKey(), group.getValue()), GUESTS),
                        (one, other) -> one,
                        LinkedHashMap::new));
        return running.entrySet().stream()
                .map(group -> DynamicContainer.dynamicContainer(
                        group.getKey(), group.getValue().join().stream().map(GuestSuiteIT::told)));
    }

    /** Which groups are run. */
    private static List<String> wanted() {
        String only = System.getProperty("mooring.e2e.groups", "");
        if (!only.isEmpty()) {
            return Arrays.asList(only.split(",", -1));
        }
        String[] slice = SLICE.split("/", -1);
        int first = Integer.parseInt(slice[0]);
        int every = Integer.parseInt(slice[1]);
        List<String> names = List.copyOf(GROUPS.keySet());
        return IntStream.range(0, names.size())
                .filter(each -> each % every == first)
                .mapToObj(names::get)
                .toList();
    }

    /** What a group took is printed, so that a build tells which one to shorten. */
    private static List<TestResult> timed(String group, Supplier<List<TestResult>> running) {
        long begin = System.nanoTime();
        List<TestResult> results = running.get();
        List<String> bad = results.stream()
                .filter(result -> result.end() != TestResult.End.PASSED)
                .map(result -> result.container() + "." + result.name() + ": " + result.detail())
                .toList();
        if (AGAIN && !bad.isEmpty()) {
            bad.forEach(each -> System.out.println("guest group " + group + ": tried again after " + each));
            results = running.get();
        }
        long passed = results.stream()
                .filter(result -> result.end() == TestResult.End.PASSED)
                .count();
        System.out.printf(
                "guest group %s: %d of %d passed in %d s%n",
                group, passed, results.size(), (System.nanoTime() - begin) / 1_000_000_000);
        return results;
    }

    private static DynamicNode told(TestResult result) {
        return DynamicTest.dynamicTest(
                "%s.%s (%d ms inside)".formatted(result.container(), result.name(), result.millis()), () -> {
                    if (result.end() != TestResult.End.PASSED) {
                        fail(result.end() + " in the guest: " + result.detail());
                    }
                });
    }

    /** Runs tests in a guest. That the guest itself came to a bad end is a result too. */
    private static List<TestResult> run(String group, Guest guest, List<String> tests) {
        Path results = guest.directory().resolve("results");
        try {
            Files.deleteIfExists(results);
            List<String> arguments = new ArrayList<>(List.of(results.toString()));
            arguments.addAll(tests);
            long begin = System.nanoTime();
            int status = guest.java(LIMIT, InsideMain.class, arguments.toArray(String[]::new));
            long millis = (System.nanoTime() - begin) / 1_000_000;
            List<TestResult> told = new ArrayList<>();
            if (Files.exists(results)) {
                Files.readAllLines(results).forEach(line -> told.add(TestResult.of(line)));
            }
            Files.readString(guest.log(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith(InsideMain.LEFT_OUT) || line.startsWith(InsideMain.SEEN))
                    .forEach(line -> System.out.println("guest group " + group + ": " + line));
            boolean well = status == 0 && !told.isEmpty();
            String last = well ? "" : "exit status " + status + "\n" + lastLines(guest.log());
            told.add(
                    new TestResult(group, "guest", well ? TestResult.End.PASSED : TestResult.End.FAILED, millis, last));
            return told;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lastLines(Path log) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }
}
