// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.distribution.operations.ProcessMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command of {@code mooring} as it is shipped, and what the machine says of its process. Linux only. */
final class MeasuredProcess implements AutoCloseable {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final int USER_TICKS = 11;
    private static final double TICKS_PER_SECOND = 100;
    private static final long END_SECONDS = 30;
    private static final long PAUSE_MILLIS = 20;

    private final Process process;
    private final Path log;

    /** What starts Mooring: the file that the variable MOORING names, else ./mooring. */
    static Path launcher() {
        return Path.of(Optional.ofNullable(System.getenv("MOORING")).orElse("./mooring"));
    }

    /** The launcher of another build: itself, or that of the checkout or unpacked archive whose directory it is. */
    static Path launcher(Path given) {
        if (!Files.isDirectory(given)) {
            return given;
        }
        Path ofCheckout = given.resolve("mooring");
        return Files.exists(ofCheckout) ? ofCheckout : given.resolve("bin/mooring");
    }

    /**
     * Starts it.
     *
     * @param command the launcher and its arguments
     * @param log what it says
     */
    MeasuredProcess(List<String> command, Path log) throws IOException {
        this(command, Map.of(), log);
    }

    /**
     * Starts it.
     *
     * @param command the launcher and its arguments
     * @param environment what it is told beside what this process was told
     * @param log what it says
     */
    MeasuredProcess(List<String> command, Map<String, String> environment, Path log) throws IOException {
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /** Waits until its log has some words. */
    void awaitWords(String words) throws IOException, InterruptedException {
        while (!Files.readString(log).contains(words)) {
            checkAlive();
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Waits until it has ended; what it answered. */
    int end() throws InterruptedException {
        return process.waitFor();
    }

    /** Fails with its words if it has ended. */
    void checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("it has ended: " + Files.readString(log));
        }
    }

    /** Processor time since its start. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / TICKS_PER_SECOND;
    }

    /** What the machine holds for it in memory now. */
    long residentBytes() throws IOException {
        return ProcessMemory.of(process.pid()).resident();
    }

    /** The most that the machine has held for it. */
    long mostResidentBytes() throws IOException {
        return ProcessMemory.of(process.pid()).mostResident();
    }

    /** What lives on its heap; makes it collect. */
    long liveBytes() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram"))
                .redirectErrorStream(true)
                .start();
        String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = TOTAL.matcher(text);
        if (!matcher.find()) {
            throw new IOException("jcmd says nothing of the heap: " + text);
        }
        return Long.parseLong(matcher.group(1));
    }

    /** Ends it as a crash would. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
