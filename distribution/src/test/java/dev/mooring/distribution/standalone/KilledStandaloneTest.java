// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole server is killed at random instants, also while it starts, while writers write, controllers bind, and watches listen.
 * {@code -Dmooring.kills=100} for more rounds.
 */
@Tag("long")
class KilledStandaloneTest {
    private static final int KILLS = Integer.getInteger("mooring.kills", 2);
    private static final int WRITERS = 4;
    private static final int WATCHES = 3;
    /** Every so many rounds the server is killed while it starts. */
    private static final int WHILE_STARTING = 10;

    private static final int LONGEST_START_MILLIS = 3_000;
    private static final int LONGEST_LOAD_MILLIS = 1_200;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    private final Random random = new Random(9);
    private final Revisions revisions = new Revisions();
    private final List<KillWriter> writers = new ArrayList<>();
    private final List<KillWatch> watches = new ArrayList<>();
    private final KillPairs pairs = new KillPairs(revisions);
    private final List<Long> millisToServe = new ArrayList<>();

    private int bound;

    private final Path data = directory.resolve("data");
    private final Path log = directory.resolve("log");

    @Test
    void nothingAcknowledgedIsLostNoRevisionRepeatedAndEveryWatchGoesOn() throws Exception {
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new KillWriter("w" + i, revisions, random.nextLong()));
        }
        for (int i = 0; i < WATCHES; i++) {
            watches.add(new KillWatch("watch " + i, revisions));
        }
        for (int round = 1; round <= KILLS; round++) {
            if (round % WHILE_STARTING == 0) {
                killWhileStarting();
            }
            try (ServerProcess server = serving()) {
                ProgramClient client = new ProgramClient(data.resolve("kubeconfig"));
                check(client);
                List<Thread> threads = load(client);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LOAD_MILLIS)); // the instant is what is random
                server.kill();
                for (Thread each : threads) {
                    each.join();
                }
            }
            assertThat(revisions.problems()).isEmpty();
        }
        try (ServerProcess server = serving()) {
            assertThat(server.isAlive()).isTrue();
            checkAtTheEnd(new ProgramClient(data.resolve("kubeconfig")));
        }
        report();
    }

    private void killWhileStarting() throws Exception {
        try (ServerProcess server = ServerProcess.start(data, log)) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_START_MILLIS)); // the instant is what is random
            server.kill();
        }
    }

    private ServerProcess serving() throws Exception {
        long begin = System.nanoTime();
        ServerProcess server = ServerProcess.start(data, log);
        assertThat(server.isServing()).as("it serves again; see %s", log).isTrue();
        millisToServe.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        return server;
    }

    private List<Thread> load(ProgramClient client) {
        List<Thread> threads = new ArrayList<>();
        writers.forEach(each -> threads.add(new Thread(() -> each.write(client))));
        threads.add(new Thread(() -> pairs.write(client)));
        watches.forEach(each -> threads.add(new Thread(() -> each.follow(client, Long.MAX_VALUE))));
        threads.forEach(Thread::start);
        return threads;
    }

    /** Every object is as its writer was told last, or as the write says that was under way at the kill. */
    private long check(ProgramClient client) throws Exception {
        Document list = client.get(KillWriter.PATH).body();
        long revision = Long.parseLong(list.text("metadata", "resourceVersion").orElseThrow());
        assertThat(revision).isGreaterThanOrEqualTo(revisions.highest());
        Map<String, Document> found = new TreeMap<>();
        for (Document object : ProgramClient.items(list)) {
            found.put(object.text("metadata", "name").orElseThrow(), object);
        }
        writers.forEach(each -> each.settle(found));
        assertThat(revisions.problems()).isEmpty();
        return revision;
    }

    private void checkAtTheEnd(ProgramClient client) throws Exception {
        check(client);
        // One more, so that every watch has something to arrive at.
        var last = client.json("POST", KillWriter.PATH, "{\"metadata\":{\"name\":\"end\"}}");
        assertThat(last.status()).isEqualTo(201);
        long end = Long.parseLong(last.text("metadata", "resourceVersion"));
        Map<String, String> truth = new TreeMap<>();
        writers.forEach(each -> truth.putAll(each.objects()));
        truth.put("end", "");
        for (KillWatch each : watches) {
            each.follow(client, end);
            assertThat(revisions.problems()).isEmpty();
            assertThat(each.objects()).isEqualTo(truth);
            assertThat(revisions.acknowledged()).allMatch(each::hasSeen);
        }
        assertThat(revisions.acknowledged()).hasSizeGreaterThan(KILLS);
        bound = pairs.checkAtTheEnd(client);
    }

    private void report() {
        List<Long> sorted = millisToServe.stream().sorted().toList();
        System.out.printf(
                "kill -9: %d kills, %d acknowledged writes, %d pairs bound, %d watches resumed %d times, told gone %d times; "
                        + "ms to serve again: min %d, median %d, max %d%n",
                KILLS + KILLS / WHILE_STARTING,
                revisions.acknowledged().size(),
                bound,
                WATCHES,
                watches.stream().mapToInt(KillWatch::resumed).sum(),
                watches.stream().mapToInt(KillWatch::gone).sum(),
                sorted.get(0),
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() - 1));
    }
}
