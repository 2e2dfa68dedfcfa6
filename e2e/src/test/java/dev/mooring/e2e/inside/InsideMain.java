// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import dev.mooring.e2e.TestResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.TestAbortedException;

/**
 * Runs test classes and writes what became of them. Arguments are the file to write, then names of classes, or directories of the class
 * path: of these the tests run that are tagged {@code guest} and not {@code kit}.
 */
public final class InsideMain implements TestExecutionListener {
    /** How the line begins that tells how many tests {@link TimeShare} has left out. */
    public static final String LEFT_OUT = "left out, as there was no time: ";

    /** How a line begins that tells a figure which the build shows and does not judge. */
    public static final String SEEN = "seen: ";

    private static final String TAG = "guest";
    /** The conformance kit takes long: it has groups of its own. */
    private static final String OTHER_TAG = "kit";

    private final Map<String, Long> begun = new ConcurrentHashMap<>();
    private final AtomicInteger leftOut = new AtomicInteger();
    private final Path results;

    private InsideMain(Path results) {
        this.results = results;
    }

    /** Runs the tests. */
    public static void main(String[] arguments) {
        Map<Boolean, List<String>> named =
                Arrays.stream(arguments).skip(1).collect(Collectors.partitioningBy(name -> name.startsWith("/")));
        List<String> classes = named.getOrDefault(false, List.of());
        List<String> directories = named.getOrDefault(true, List.of());
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true") // TimeShare
                .selectors(classes.stream().map(name -> selectClass(name)).toList());
        if (!directories.isEmpty()) {
            request.selectors(selectClasspathRoots(
                            directories.stream().map(Path::of).collect(Collectors.toSet())))
                    .filters(TagFilter.includeTags(TAG), TagFilter.excludeTags(OTHER_TAG));
        }
        InsideMain told = new InsideMain(Path.of(arguments[0]));
        LauncherFactory.create().execute(request.build(), told);
        System.out.println(LEFT_OUT + told.leftOut.get());
        // A thread that hangs on a dead server must not keep the guest.
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        begun.put(identifier.getUniqueId(), System.nanoTime());
        if (identifier.isTest()) {
            System.out.println("== " + container(identifier) + "." + name(identifier));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        add(identifier, TestResult.End.SKIPPED, reason);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (isLeftOut(result)) {
            leftOut.incrementAndGet();
            return;
        }
        // That a container failed is told too: its tests did not run.
        if (identifier.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            TestResult.End end = switch (result.getStatus()) {
                case SUCCESSFUL -> TestResult.End.PASSED;
                case ABORTED -> TestResult.End.SKIPPED;
                case FAILED -> TestResult.End.FAILED;
            };
            add(identifier, end, result.getThrowable().map(InsideMain::trace).orElse(""));
        }
    }

    private static boolean isLeftOut(TestExecutionResult result) {
        return result.getThrowable()
                .filter(thrown ->
                        thrown instanceof TestAbortedException && TimeShare.NO_TIME.equals(thrown.getMessage()))
                .isPresent();
    }

    private void add(TestIdentifier identifier, TestResult.End end, String detail) {
        long begin = begun.getOrDefault(identifier.getUniqueId(), System.nanoTime());
        long millis = (System.nanoTime() - begin) / 1_000_000;
        String container = container(identifier);
        System.out.println("-- " + end + " " + container + "." + name(identifier) + " " + millis + " ms");
        if (!detail.isEmpty()) {
            System.out.println(detail);
        }
        tell(new TestResult(container, name(identifier), end, millis, detail));
    }

    /** At once, and flushed: what comes after may end this machine. */
    private synchronized void tell(TestResult result) {
        try (FileChannel file = FileChannel.open(
                results, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            file.write(StandardCharsets.UTF_8.encode(result.line() + "\n"));
            file.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String container(TestIdentifier identifier) {
        return identifier.getUniqueIdObject().getSegments().stream()
                .filter(segment -> segment.getType().equals("class"))
                .map(segment -> segment.getValue().replaceAll(".*\\.", ""))
                .findFirst()
                .orElse("");
    }

    /** The method, and behind it what tells one run of it from another. */
    private static String name(TestIdentifier identifier) {
        String shown = identifier.getDisplayName();
        String method = identifier
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse("");
        return shown.startsWith(method) ? shown : method + " " + shown;
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
