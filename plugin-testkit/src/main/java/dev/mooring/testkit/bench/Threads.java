// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The threads and child processes of this JVM at one moment. */
final class Threads {
    private static final long PATIENCE_MILLIS = 2_000;
    /** What the kernel says of each thread of this process. */
    private static final Path TASKS = Path.of("/proc/self/task");
    /** The platform's own, which it starts when it likes and keeps for a while. */
    private static final Set<String> OF_PLATFORM = Set.of("JNA Cleaner", "Common-Cleaner");

    private final Set<Long> before;
    private final Set<Long> processes;

    private Threads(Set<Long> before, Set<Long> processes) {
        this.before = before;
        this.processes = processes;
    }

    static Threads now() {
        return new Threads(
                Thread.getAllStackTraces().keySet().stream().map(Thread::getId).collect(Collectors.toSet()),
                children());
    }

    private static Set<Long> children() {
        return descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    /** The platform looks at every process of the machine to find those of this one, which mostly has none. */
    private static Stream<ProcessHandle> descendants() {
        return isChildless() ? Stream.empty() : ProcessHandle.current().descendants();
    }

    private static boolean isChildless() {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (!Files.readString(task.resolve("children")).isEmpty()) {
                    return false;
                }
            }
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            return false; // a thread has ended meanwhile, and another has its children now; or the kernel does not say
        }
    }

    /** What is there now and was not, after it has had some time to end; for people. */
    Optional<String> left() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread.getId()) && !isOfPlatform(thread) && !ends(thread)) {
                return Optional.of("the thread '" + thread.getName() + "' still runs");
            }
        }
        return descendants()
                .filter(process -> !processes.contains(process.pid()) && process.isAlive())
                .findFirst()
                .map(process -> "the process " + process.pid() + " still runs: "
                        + process.info().command().orElse("(unknown)"));
    }

    private static boolean isOfPlatform(Thread thread) {
        String name = thread.getName();
        return OF_PLATFORM.contains(name)
                || name.startsWith("process reaper") // of which process follows
                || name.startsWith("ForkJoinPool.commonPool")
                || name.startsWith("junit")
                || name.startsWith("surefire")
                || name.startsWith("ForkJoinPool-");
    }

    private static boolean ends(Thread thread) {
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
