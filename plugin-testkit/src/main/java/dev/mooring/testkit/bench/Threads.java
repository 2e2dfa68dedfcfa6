// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The threads and child processes of this JVM at one moment. */
final class Threads {
    private static final long PATIENCE_MILLIS = 2_000;
    /** The platform's own, which it starts when it likes and keeps for a while. */
    private static final Set<String> OF_PLATFORM = Set.of("process reaper", "JNA Cleaner", "Common-Cleaner");

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
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    /** What is there now and was not, after it has had some time to end; for people. */
    Optional<String> left() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread.getId()) && !isOfPlatform(thread) && !ends(thread)) {
                return Optional.of("the thread '" + thread.getName() + "' still runs");
            }
        }
        return ProcessHandle.current()
                .descendants()
                .filter(process -> !processes.contains(process.pid()) && process.isAlive())
                .findFirst()
                .map(process -> "the process " + process.pid() + " still runs: "
                        + process.info().command().orElse("(unknown)"));
    }

    private static boolean isOfPlatform(Thread thread) {
        String name = thread.getName();
        return OF_PLATFORM.contains(name)
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
