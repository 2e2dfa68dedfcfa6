// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes with several threads is killed again and again; each new one goes on with the same file. What was acknowledged
 * is there, no revision means two things, a watch of an earlier life goes on. {@code -Dmooring.store.kills=100} for more rounds.
 */
@Tag("long")
class KilledStoreTest {
    private static final int KILLS = Integer.getInteger("mooring.store.kills", 5);
    private static final int WRITERS = 4;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final Random random = new Random(3);
    /** What each acknowledged revision wrote: name and value. */
    private final Map<Long, String> acknowledged = new HashMap<>();

    private long last;

    @Test
    void nothingAcknowledgedIsLostAndNoRevisionIsRepeated() throws Exception {
        Path file = directory.resolve("cluster.db");
        Revision seen = Revision.ZERO;
        for (int round = 0; round < KILLS; round++) {
            killAfter(file, round, random.nextInt(300));
            try (EmbeddedClusterStore store = EmbeddedClusterStore.open(file, EmbeddedStores.options())) {
                seen = check(store, seen);
            }
        }
        assertThat(acknowledged).hasSizeGreaterThan(KILLS);
    }

    private Revision check(EmbeddedClusterStore store, Revision seen) {
        Revision now = store.listDocuments(Kinds.CONFIG_MAP).orThrow().revision();
        assertThat(now.value()).isGreaterThanOrEqualTo(last);
        for (int writer = 0; writer < WRITERS; writer++) {
            String name = "w" + writer;
            long best = -1;
            for (String each : acknowledged.values()) {
                if (each.startsWith(name + "=")) {
                    best = Math.max(best, Long.parseLong(each.substring(name.length() + 1)));
                }
            }
            long found = store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", name))
                    .value()
                    .flatMap(object -> object.text("data", "k"))
                    .map(Long::parseLong)
                    .orElse(-1L);
            assertThat(found).as(name).isGreaterThanOrEqualTo(best);
        }
        EmbeddedStores.Steps steps = new EmbeddedStores.Steps();
        store.watchDocuments(Kinds.CONFIG_MAP, ListOptions.ALL, seen, steps).close();
        assertThat(steps.seen).hasSize((int) (now.value() - seen.value()));
        return now;
    }

    private void killAfter(Path file, int round, int acknowledgements) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", ""),
                        Writer.class.getName(),
                        file.toString(),
                        Integer.toString(round))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < acknowledgements; i++) {
                acknowledge(String.valueOf(lines.readLine()));
            }
            process.toHandle().destroyForcibly();
            String line = lines.readLine();
            while (line != null) {
                acknowledge(line);
                line = lines.readLine();
            }
        }
        process.waitFor();
    }

    private void acknowledge(String line) {
        if (!line.endsWith(".")) {
            return; // cut off by the kill
        }
        int colon = line.indexOf(':');
        long revision = Long.parseLong(line.substring(0, colon));
        String before = acknowledged.put(revision, line.substring(colon + 1, line.length() - 1));
        assertThat(before).as("revision %s was given before", revision).isNull();
        last = Math.max(last, revision);
    }

    /** Writes for ever with several threads and tells each write that was acknowledged. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            EmbeddedClusterStore store = EmbeddedClusterStore.open(Path.of(arguments[0]), EmbeddedStores.options());
            long start = 1_000_000L * Long.parseLong(arguments[1]);
            for (int writer = 0; writer < WRITERS; writer++) {
                String name = "w" + writer;
                new Thread(() -> write(store, name, start)).start();
            }
        }

        private static void write(EmbeddedClusterStore store, String name, long start) {
            for (long i = start; ; i++) {
                Document written = store.applyDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap(name, "" + i))
                        .orThrow();
                String line = written.text("metadata", "resourceVersion").orElseThrow() + ":" + name + "=" + i + ".\n";
                tell(line);
            }
        }

        private static synchronized void tell(String line) {
            try {
                System.out.write(line.getBytes(StandardCharsets.UTF_8));
                System.out.flush();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
