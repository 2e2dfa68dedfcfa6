// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRecordLogTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("records.db");
    }

    private static Publish entry(int number, RecordPhase phase) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef("default", "pod-" + number, "uid-" + number))
                .podVolume("data")
                .volume("volume-" + number)
                .volumeId(new VolumeId(new PluginName("kubernetes.io/nfs"), "server:/export/" + number))
                .deviceMap(
                        number % 2 == 0
                                ? Optional.empty()
                                : Optional.of(Path.of("/var/lib/kubelet/plugins/p/" + number)))
                .state(new PluginState(3, "{\"line\":\"one\\ntwo\",\"sign\":\"\u00e9\u20ac\"}"))
                .target(Path.of("/var/lib/kubelet/pods/uid-" + number + "/volumes/kubernetes.io~nfs/data"))
                .phase(phase)
                .bootId("boot-1")
                .build();
    }

    @Test
    void aNewProcessReadsWhatWasAppended() {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            assertThat(log.replay()).isEmpty();
            assertThat(log.append(entry(1, RecordPhase.INTENT)).isDone()).isTrue();
            assertThat(log.append(entry(2, RecordPhase.INTENT)).isDone()).isTrue();
            assertThat(log.append(entry(1, RecordPhase.DONE)).isDone()).isTrue();
        }
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            assertThat(log.replay()).containsExactly(entry(2, RecordPhase.INTENT), entry(1, RecordPhase.DONE));
        }
    }

    private static Stage stage(boolean full) {
        return RecordEntryStageBuilder.builder()
                .volume("volume-1")
                .volumeId(new VolumeId(
                        new PluginName("kubernetes.io/iscsi"), "192.0.2.1:3260/iqn.2017-05.com.example:a/0"))
                .reportedName(full ? Optional.of("kubernetes.io/iscsi/name") : Optional.empty())
                .mode(full ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM)
                .stagingPath(
                        full
                                ? Optional.of(Path.of("/var/lib/kubelet/plugins/kubernetes.io/iscsi/a"))
                                : Optional.empty())
                .accessModes(full ? List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY) : List.of())
                .readOnly(full)
                .state(full ? new PluginState(2, "{}") : PluginState.NONE)
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .seLinuxLabel(full ? Optional.of("system_u:object_r:container_file_t:s0:c1,c2") : Optional.empty())
                .build();
    }

    @Test
    void volumesOfTheNodeComeBackAsTheyWereWritten() {
        for (boolean full : new boolean[] {true, false}) {
            try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
                log.append(stage(full));
            }
            try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
                assertThat(log.replay()).containsExactly(stage(full));
            }
        }
    }

    @Test
    void nothingIsLeftOfWhatIsGone() {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            log.append(entry(1, RecordPhase.DONE));
            log.append(entry(1, RecordPhase.GONE));
            log.append(entry(2, RecordPhase.GONE));
            assertThat(log.replay()).isEmpty();
        }
    }

    /** Any sequence of appends replays to what it says stands. */
    @Test
    void standsForEverySequenceOfAppends() {
        Random random = new Random(20_261_121);
        List<RecordEntry> appended = new ArrayList<>();
        RecordPhase[] phases = RecordPhase.values();
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            for (int i = 0; i < 500; i++) {
                RecordEntry entry = entry(random.nextInt(20), phases[random.nextInt(phases.length)]);
                appended.add(entry);
                assertThat(log.append(entry).isDone()).isTrue();
            }
            assertThat(RecordLog.standing(log.replay())).isEqualTo(RecordLog.standing(appended));
        }
    }

    @Test
    void manyThreadsAppendAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            List<Future<Outcome<Nothing>>> answers = IntStream.range(0, 400)
                    .mapToObj(i -> threads.submit(() -> log.append(entry(i, RecordPhase.INTENT))))
                    .toList();
            for (Future<Outcome<Nothing>> answer : answers) {
                assertThat(answer.get().isDone()).isTrue();
            }
            assertThat(log.replay()).hasSize(400);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void isForOneProcessAtATime() {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            log.append(entry(1, RecordPhase.INTENT));
            assertThatThrownBy(() -> EmbeddedRecordLog.open(file()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("another process");
        }
    }

    @Test
    void saysThatADamagedFileIsDamagedAndLeavesIt() throws IOException {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            for (int i = 0; i < 200; i++) {
                log.append(entry(i, RecordPhase.DONE));
            }
        }
        byte[] bytes = Files.readAllBytes(file());
        new Random(7).nextBytes(bytes);
        byte[] header = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(header, 0, bytes, 0, header.length);
        Files.write(file(), bytes);
        assertRefused("");
        assertThat(Files.readAllBytes(file())).isEqualTo(bytes);
    }

    @Test
    void saysWhichEntryIsDamaged() throws SQLException {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            log.append(entry(1, RecordPhase.DONE));
        }
        change("UPDATE record SET entry = replace(entry, 'boot-1', 'boot-2')");
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            assertThatThrownBy(log::replay)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("publish/uid-1/data")
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void refusesWhatIsNoRecordLog() throws Exception {
        Files.writeString(
                file(), "a text, longer than the header of a database would be, and of another kind altogether");
        assertRefused("not a database");
        Files.delete(file());
        change("CREATE TABLE recipe (name TEXT)");
        assertRefused("not a record log");
    }

    @Test
    void refusesTheFileOfANewerVersion() throws SQLException {
        EmbeddedRecordLog.open(file()).close();
        change("PRAGMA user_version = 99");
        assertRefused("version is 99");
    }

    @Test
    void anAppendAfterTheEndIsSurelyNotWritten() {
        EmbeddedRecordLog log = EmbeddedRecordLog.open(file());
        log.close();
        log.close();
        assertThat(log.append(entry(1, RecordPhase.INTENT))).isInstanceOf(Outcome.Deferred.class);
    }

    /** The process was killed on its very first start, before anything but the header was written. */
    @Test
    void beginsAnewWhereAFirstStartWasCutShort() throws SQLException, IOException {
        change("PRAGMA journal_mode = WAL");
        assertThat(Files.size(file())).isPositive();
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            assertThat(log.append(entry(1, RecordPhase.INTENT)).isDone()).isTrue();
        }
    }

    /** An entry that cannot be put into words is its caller's problem; those that go to the disk with it are not lost. */
    @Test
    void anEntryThatCannotBeWrittenHoldsUpNoOtherEntry() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Publish slow = saying(1, () -> {
            reached.countDown();
            awaitUnlessInterrupted(goOn);
            return "/slow";
        });
        Publish broken = saying(2, () -> {
            throw new IllegalStateException("no words");
        });
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                Future<Outcome<Nothing>> first = threads.submit(() -> log.append(slow));
                reached.await();
                List<Thread> queued = new CopyOnWriteArrayList<>();
                Future<Outcome<Nothing>> failing = threads.submit(() -> {
                    queued.add(Thread.currentThread());
                    return log.append(broken);
                });
                Future<Outcome<Nothing>> good = threads.submit(() -> {
                    queued.add(Thread.currentThread());
                    return log.append(entry(3, RecordPhase.INTENT));
                });
                while (!failing.isDone() && !good.isDone() && !allWait(queued)) {
                    Thread.onSpinWait();
                }
                goOn.countDown();
                assertThat(first.get().isDone()).isTrue();
                assertThat(good.get().isDone()).isTrue();
                assertThatThrownBy(failing::get).hasCauseInstanceOf(IllegalStateException.class);
            } finally {
                threads.shutdownNow();
            }
            assertThat(log.replay()).contains(entry(3, RecordPhase.INTENT));
        }
    }

    private static boolean allWait(List<Thread> threads) {
        return threads.size() == 2 && threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An entry whose target says something else whenever it is asked. */
    private static Publish saying(int number, Supplier<String> words) {
        Path target = (Path) Proxy.newProxyInstance(
                EmbeddedRecordLogTest.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("toString")) {
                        return words.get();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        return entry(number, RecordPhase.INTENT).withTarget(target);
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> EmbeddedRecordLog.open(file()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining(why);
    }

    private void change(String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }
}
