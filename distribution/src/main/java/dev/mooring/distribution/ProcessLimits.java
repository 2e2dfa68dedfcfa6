// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.host.linux.LinuxHost;
import java.util.Optional;
import java.util.OptionalLong;

/** Failures that come from a limit of this process, whatever they were about: the limit is the cause, and the way out. */
final class ProcessLimits {
    /** What the C library, the JDK and the JVM say. */
    private static final String FILES = "Too many open files";

    private static final String THREADS = "unable to create native thread";

    /** Read at the start: when it is reached, the file that tells it cannot be opened. */
    private static final OptionalLong OPEN_FILES = LinuxHost.openFilesLimit();

    private ProcessLimits() {}

    /** Reads the limits, as long as they can be read. */
    static void read() {
        reachedBy(new IllegalStateException(""));
    }

    /** The limit that a failure ran into, and how to raise it; empty if it has another cause. */
    static Optional<String> reachedBy(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String text = String.valueOf(each.getMessage());
            if (text.contains(FILES)) {
                String value = OPEN_FILES.isPresent() ? " (" + OPEN_FILES.getAsLong() + ")" : "";
                return Optional.of("this process has as many files open as it may" + value
                        + ": raise its limit (ulimit -n 1024, or LimitNOFILE= of the systemd unit)");
            } else if (text.contains(THREADS)) {
                return Optional.of(
                        "this process may start no more threads: raise the limit (ulimit -u, TasksMax= of the"
                                + " systemd unit, or the pids limit of the container), or give the machine more memory");
            }
        }
        return Optional.empty();
    }
}
