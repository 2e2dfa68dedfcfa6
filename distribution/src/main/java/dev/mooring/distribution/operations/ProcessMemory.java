// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The memory of a process as the kernel counts it, in {@code /proc/PID/status}. Linux only. */
public final class ProcessMemory {
    private static final String RESIDENT = "VmRSS:";
    private static final String MOST_RESIDENT = "VmHWM:";
    private static final String UNIT = "kB";
    private static final long KIB = 1024;

    private final Path status;

    private ProcessMemory(String process) {
        this.status = Path.of("/proc", process, "status");
    }

    /** The memory of another process. */
    public static ProcessMemory of(long pid) {
        return new ProcessMemory(Long.toString(pid));
    }

    /** The memory of this process. */
    public static ProcessMemory ofThis() {
        return new ProcessMemory("self");
    }

    /**
     * The bytes that are in memory now.
     *
     * @throws IOException if the kernel does not say
     */
    public long resident() throws IOException {
        return bytes(RESIDENT);
    }

    /**
     * The most bytes that were in memory at once.
     *
     * @throws IOException if the kernel does not say
     */
    public long mostResident() throws IOException {
        return bytes(MOST_RESIDENT);
    }

    private long bytes(String field) throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(field))
                    .map(line ->
                            line.substring(field.length()).replace(UNIT, "").strip())
                    .map(kib -> Long.parseLong(kib) * KIB)
                    .findFirst()
                    .orElseThrow(() -> new IOException(status + " has no " + field));
        }
    }
}
