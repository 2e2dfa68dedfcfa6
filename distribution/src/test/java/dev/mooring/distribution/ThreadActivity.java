// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the threads of this process have done so far, as the kernel counts it. */
final class ThreadActivity {
    static final Path TASKS = Path.of("/proc/self/task");
    private static final int LOOKS = 600;
    /** Four seconds: a thread for store requests ends when it had none for two. */
    private static final int QUIET_LOOKS = 20;

    private static final int LOOK_MILLIS = 200;

    private ThreadActivity() {}

    /**
     * Voluntary context switches, processor time and, where the kernel counts them, read and write calls of every thread whose name begins
     * with one of these words.
     */
    static Map<String, String> of(List<String> names) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(TASKS)) {
            for (Path task : tasks.toList()) {
                describe(task, names)
                        .ifPresent(text -> found.put(task.getFileName().toString(), text));
            }
        }
        return found;
    }

    /**
     * The same once none has done anything for four seconds, or after two minutes as it is then: a thread that told that all is done has yet
     * to lie down itself, and on a busy machine that takes its time. One that has ended meanwhile is left out.
     */
    static Map<String, String> settled(List<String> names) throws IOException, InterruptedException {
        Map<String, String> seen = of(names);
        int quiet = 0;
        for (int look = 0; look < LOOKS && quiet < QUIET_LOOKS; look++) {
            new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            Map<String, String> now = of(names);
            quiet = seen.entrySet().containsAll(now.entrySet()) ? quiet + 1 : 0;
            seen = now;
        }
        return seen;
    }

    private static Optional<String> describe(Path task, List<String> names) throws IOException {
        try {
            String name = Files.readString(task.resolve("comm")).strip();
            if (names.stream().noneMatch(name::startsWith)) {
                return Optional.empty();
            }
            String switches = line(task.resolve("status"), "voluntary_ctxt_switches");
            String stat = Files.readString(task.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            Path io = task.resolve("io");
            String calls = Files.isReadable(io) ? " " + line(io, "syscr") + " " + line(io, "syscw") : "";
            return Optional.of(name + " " + switches + " user " + fields[11] + " system " + fields[12] + calls);
        } catch (IOException e) {
            if (Files.exists(task)) {
                throw e;
            }
            return Optional
                    .empty(); // a thread that ends: a file that is open already cannot be read then either (ESRCH)
        }
    }

    private static String line(Path file, String start) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElse("");
    }
}
