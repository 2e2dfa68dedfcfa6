// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.ToyCall;
import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller runtime without work")
class IdleRuntimeTest extends RunningToys {
    @Test
    @DisplayName("idle, wakes no thread and uses no time of a processor")
    void idle() throws Exception {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/task")), "there is no /proc here");
        List<String> calls = List.of("a");
        toys.when(
                A,
                (situation, state) ->
                        situation.results().isEmpty() ? Decision.act(ToyCall.effect("call", "v")) : Decision.nothing());
        for (int i = 0; i < 1_000; i++) {
            create("t" + i);
        }
        calls.forEach(this::create);
        try (ControllerRuntime runtime = runtime(options().withName("idle").withCalls((call, ticket) -> Outcome.done()))
                .start()) {
            runtime.whenQuiescent().join();
            for (Thread thread : threads.all) {
                if (thread.getName().startsWith("idle-call") || thread.getName().startsWith("idle-store")) {
                    thread.join(); // an idle one ends
                }
            }
            int window = Integer.getInteger("mooring.idle.seconds", 3);
            Map<String, String> before = settled();
            assertThat(before).as("the decider").hasSize(1);
            new CountDownLatch(1).await(window, TimeUnit.SECONDS); // the passing of time is what is tested
            assertThat(activity()).isEqualTo(before);
        }
    }

    /** The same once nothing has changed for a second: who told that all is done has yet to lie down, and that may take a while. */
    private static Map<String, String> settled() throws IOException, InterruptedException {
        Map<String, String> seen = activity();
        int quiet = 0;
        for (int look = 0; look < 600 && quiet < 5; look++) {
            new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
            Map<String, String> now = activity();
            quiet = now.equals(seen) ? quiet + 1 : 0;
            seen = now;
        }
        return seen;
    }

    /** Switches and processor time of our threads by their number and name. */
    private static Map<String, String> activity() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                try {
                    describe(task, found);
                } catch (NoSuchFileException e) {
                    found.remove(task.getFileName().toString()); // it has ended: none of those that wait for work
                }
            }
        }
        return found;
    }

    private static void describe(Path task, Map<String, String> found) throws IOException {
        String name = Files.readString(task.resolve("comm")).strip();
        if (name.startsWith("idle-") && !name.startsWith("idle-call")) {
            String switches = Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                    .findFirst()
                    .orElse("");
            String stat = Files.readString(task.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            found.put(task.getFileName() + " " + name, switches + " user " + fields[11] + " system " + fields[12]);
        }
    }
}
