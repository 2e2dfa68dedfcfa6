// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What outlives the process, and what becomes of files that are not as they should be. */
class EmbeddedClusterStoreTest {
    private static final ObjectKey KEY = ObjectKey.of("x", "a");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Path file() {
        return directory.resolve("cluster.db");
    }

    private static Revision revision(DocumentStore store) {
        return store.listDocuments(Kinds.CONFIG_MAP).orThrow().revision();
    }

    /** The same writes to this store and to one in memory, this one reopened now and then: both have the same objects and history. */
    @Test
    void reopeningChangesNothing() {
        Random random = new Random(11);
        EmbeddedClusterStore store = EmbeddedStores.open(file());
        List<String> told = new ArrayList<>();
        try (MemoryClusterStore model = new MemoryClusterStore(EmbeddedStores.options())) {
            EmbeddedStores.Steps all = new EmbeddedStores.Steps();
            model.watchDocuments(Kinds.CONFIG_MAP, ListOptions.ALL, Revision.ZERO, all);
            Revision seen = Revision.ZERO;
            for (int i = 0; i < 1_500; i++) {
                int verb = random.nextInt(3);
                String name = "c" + random.nextInt(12);
                step(verb, name, i, store);
                step(verb, name, i, model);
                if (random.nextInt(60) == 0) {
                    store.close();
                    store = EmbeddedStores.open(file());
                    EmbeddedStores.Steps since = new EmbeddedStores.Steps();
                    store.watchDocuments(Kinds.CONFIG_MAP, ListOptions.ALL, seen, since)
                            .close();
                    told.addAll(since.seen);
                    seen = revision(store);
                    assertThat(seen).isEqualTo(revision(model));
                    assertThat(data(store)).isEqualTo(data(model));
                }
            }
            assertThat(told).hasSizeGreaterThan(500).isEqualTo(all.seen.subList(0, told.size()));
        } finally {
            store.close();
        }
    }

    private static List<String> data(DocumentStore store) {
        return store.listDocuments(Kinds.CONFIG_MAP).orThrow().items().stream()
                .map(object -> object.text("metadata", "name") + "=" + object.text("data", "k") + "@"
                        + object.text("metadata", "resourceVersion"))
                .toList();
    }

    private static void step(int verb, String name, int value, DocumentStore store) {
        if (verb == 0) {
            store.deleteObject(Kinds.CONFIG_MAP, ObjectKey.of("x", name), DeleteOptions.DEFAULT);
        } else {
            store.applyDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap(name, "" + value))
                    .orThrow();
        }
    }

    @Test
    void whatWasWrittenIsReadHoweverLongItsKeysAndNumbers() {
        Document odd = EmbeddedStores.configMap("a", "1")
                .with(new BigDecimal("9".repeat(997) + "e9"), "long", "k".repeat(60_000));
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            store.applyDocument(Kinds.CONFIG_MAP, odd).orThrow();
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).orThrow().at("long"))
                    .isEqualTo(odd.at("long"));
        }
    }

    @Test
    void aWatchOfAForgottenRevisionIsGoneAfterReopening() {
        Revision early;
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
            early = revision(store);
            EmbeddedStores.fill(store);
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.Steps steps = new EmbeddedStores.Steps();
            store.watchDocuments(Kinds.CONFIG_MAP, ListOptions.ALL, early, steps);
            assertThat(steps.seen).containsExactly("GONE");
            assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).orThrow().text("data", "k"))
                    .contains("1");
        }
    }

    @Test
    void noRevisionIsRepeatedThoughTheLastStepsAreForgotten() {
        Revision last;
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.fill(store);
            store.deleteObject(Kinds.CONFIG_MAP, ObjectKey.of("x", "filler"), DeleteOptions.DEFAULT)
                    .orThrow();
            last = revision(store);
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            assertThat(revision(store)).isEqualTo(last);
            Document next = store.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("a", "1"))
                    .orThrow();
            assertThat(next.text("metadata", "resourceVersion")).contains(Long.toString(last.value() + 1));
        }
    }

    @Test
    void theFileDoesNotGrowWithWhatIsForgotten() throws Exception {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.fill(store);
            EmbeddedStores.fill(store);
        }
        long size = Files.size(file());
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            for (int i = 0; i < 5; i++) {
                EmbeddedStores.fill(store);
            }
        }
        assertThat(Files.size(file())).isLessThan(size + size / 5);
    }

    @Test
    void bigDocumentsShortenHistory() {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            Revision start = revision(store);
            for (int i = 0; i < 12; i++) {
                store.applyDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("big", i + "x".repeat(100_000)))
                        .orThrow();
            }
            EmbeddedStores.Steps steps = new EmbeddedStores.Steps();
            store.watchDocuments(Kinds.CONFIG_MAP, ListOptions.ALL, start, steps);
            assertThat(steps.seen).containsExactly("GONE");
        }
    }

    @Test
    void everyTextSurvives() {
        String odd = "\0 \uD800 \uDC00\uD800 \uD83D\uDE00 \"\\ \u2028";
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            store.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("a", odd))
                    .orThrow();
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).orThrow().text("data", "k"))
                    .contains(odd);
        }
    }

    @Test
    void writersShareTheWayToTheDiskAndEachGetsARevisionOfItsOwn() throws Exception {
        Set<String> revisions = new TreeSet<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            List<Callable<List<String>>> writers = new ArrayList<>();
            for (int writer = 0; writer < 8; writer++) {
                int me = writer;
                writers.add(() -> {
                    List<String> mine = new ArrayList<>();
                    for (int i = 0; i < 40; i++) {
                        mine.add(
                                store.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("c" + me + "-" + i, ""))
                                        .orThrow()
                                        .text("metadata", "resourceVersion")
                                        .orElseThrow());
                    }
                    return mine;
                });
            }
            for (Future<List<String>> future : threads.invokeAll(writers)) {
                revisions.addAll(future.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(revisions).hasSize(320);
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            assertThat(store.listDocuments(Kinds.CONFIG_MAP).orThrow().items()).hasSize(320);
        }
    }

    @Test
    void aBackupIsAStore() throws Exception {
        Path copy = directory.resolve("copy.db");
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
            store.backup(copy);
            step(1, "a", 2, store);
            assertThatIOException().isThrownBy(() -> store.backup(copy)).withMessageContaining("exists");
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(copy)) {
            assertThat(store.getDocument(Kinds.CONFIG_MAP, KEY).orThrow().text("data", "k"))
                    .contains("1");
            step(1, "a", 3, store);
        }
    }

    @Test
    void aBackupThatFailsLeavesNothingBehind() throws Exception {
        Path backups = Files.createDirectory(directory.resolve("backups"));
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            for (int i = 0; i < 60; i++) {
                store.applyDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("c" + i, "x".repeat(100_000)))
                        .orThrow();
            }
        }
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            try (RandomAccessFile damaged = new RandomAccessFile(file().toFile(), "rw")) {
                damaged.seek(damaged.length() / 2);
                byte[] nonsense = new byte[1 << 20];
                Arrays.fill(nonsense, (byte) 0xff);
                damaged.write(nonsense);
            }
            assertThatIOException()
                    .isThrownBy(() -> store.backup(backups.resolve("copy.db")))
                    .withMessageContaining("malformed");
        }
        assertThat(backups).isEmptyDirectory();
    }

    @Test
    void whatABackupThatWasKilledLeftIsReplaced() throws Exception {
        Path backups = Files.createDirectory(directory.resolve("backups"));
        Files.writeString(backups.resolve("copy.db.part"), "half of it");
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            store.backup(backups.resolve("copy.db"));
            assertThatIOException()
                    .isThrownBy(() -> store.backup(directory.resolve("absent/copy.db")))
                    .withMessageContaining("its directory is missing or cannot be written");
        }
        assertThat(backups).isDirectoryContaining(each -> each.endsWith("copy.db"));
        assertThat(backups).isDirectoryNotContaining(each -> each.toString().endsWith(".part"));
        EmbeddedStores.open(backups.resolve("copy.db")).close();
    }

    @Test
    void aDatabaseOfAnotherProgramIsLeftAsItIs() throws Exception {
        sql("CREATE TABLE theirs (a TEXT)");
        byte[] before = Files.readAllBytes(file());
        assertRefused("it is a database, but not a cluster store");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        sql("PRAGMA application_id = 5");
        before = Files.readAllBytes(file());
        assertRefused("it is a database, but not a cluster store");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void aDryRunChangesNothing() {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
            Revision before = revision(store);
            DocumentStore dry = store.dryRun();
            step(1, "a", 2, dry);
            step(0, "a", 0, dry);
            assertThat(dry.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("b", "1"))
                            .orThrow()
                            .text("metadata", "uid"))
                    .isPresent();
            assertThat(dry.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap("a", "1"))
                            .failure())
                    .contains(Failure.ALREADY_EXISTS);
            assertThat(revision(store)).isEqualTo(before);
            assertThat(data(store)).hasSize(1);
        }
    }

    @Test
    void aSecondProcessIsRefused() {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
            assertRefused("another process");
        }
    }

    @Test
    void whatIsNoStoreIsLeftAsItIs() throws Exception {
        Files.writeString(
                file(), "something else, and long enough to be read as a header of a database, or so".repeat(9));
        byte[] before = Files.readAllBytes(file());
        assertRefused("not a database");
        assertThat(Files.readAllBytes(file())).isEqualTo(before);

        Files.delete(file());
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file())) {
            assertThat(log.replay()).isEmpty();
        }
        assertRefused("not a cluster store");
    }

    @Test
    void aDamagedVersionIsNamed() throws Exception {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
        }
        sql("UPDATE version SET document = replace(document, 'k', 'j') WHERE revision = 1");
        assertRefused("revision 1 is not as it was written");
    }

    @Test
    void everyFlippedByteIsFoundOrHarmless() throws Exception {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            for (int i = 0; i < 40; i++) {
                step(1, "c" + i, i, store);
            }
        }
        byte[] whole = Files.readAllBytes(file());
        List<String> expected;
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            expected = data(store);
        }
        Random random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 150; i++) {
            Path copy = directory.resolve("flipped" + i + ".db");
            byte[] flipped = whole.clone();
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(copy, flipped);
            try (EmbeddedClusterStore store = EmbeddedStores.open(copy)) {
                assertThat(data(store)).isEqualTo(expected);
            } catch (java.io.UncheckedIOException e) {
                assertThat(e).hasMessageContaining(copy.toString());
                refused++;
            }
            assertThat(Files.size(copy)).isEqualTo(flipped.length);
        }
        assertThat(refused).isGreaterThan(20);
    }

    @Test
    void aFileThatWasCutOffIsRefused() throws Exception {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.fill(store);
        }
        try (RandomAccessFile cut = new RandomAccessFile(file().toFile(), "rw")) {
            cut.setLength(cut.length() / 2);
        }
        assertThatThrownBy(() -> EmbeddedStores.open(file())).hasMessageContaining(file().toString());
    }

    @Test
    void aFileOfANewerProgramIsRefused() throws Exception {
        EmbeddedStores.open(file()).close();
        sql("PRAGMA user_version = 7");
        assertRefused("its version is 7");
    }

    @Test
    void anOlderFileIsBroughtForward() throws Exception {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            step(1, "a", 1, store);
        }
        List<String> layouts = new ArrayList<>(VersionFile.LAYOUTS);
        layouts.add("CREATE TABLE added (x INTEGER); INSERT INTO added VALUES (5)");
        EmbeddedDocumentEngine newer = EmbeddedDocumentEngine.open(
                file(), Kinds.standard(), new CustomKinds(), EmbeddedStoreLimits.STANDARD, layouts);
        assertThat(newer.get(Kinds.CONFIG_MAP, KEY)).isPresent();
        newer.close();
        assertRefused("its version is " + layouts.size());
    }

    /** A disk of two megabytes. */
    @Test
    void onAFullDiskReadsGoOnAndWritesComeBack() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Assumptions.assumeTrue(
                EmbeddedStores.run("mount", "-t", "tmpfs", "-o", "size=2m", "none", disk.toString()) == 0,
                "no mounts here");
        Path ballast = disk.resolve("ballast");
        try {
            Files.write(ballast, new byte[1_000_000]);
            Set<String> acknowledged = new TreeSet<>();
            try (EmbeddedClusterStore store = EmbeddedStores.open(disk.resolve("cluster.db"))) {
                int next = fillDisk(store, acknowledged);
                assertThat(store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", "c0"))
                                .failure())
                        .isEmpty();
                assertThat(store.listDocuments(Kinds.CONFIG_MAP).orThrow().items())
                        .hasSize(acknowledged.size());
                Files.delete(ballast);
                assertThat(create(store, "c" + next).failure()).isEmpty();
                acknowledged.add("c" + next);
            }
            try (EmbeddedClusterStore store = EmbeddedStores.open(disk.resolve("cluster.db"))) {
                Set<String> found = new TreeSet<>();
                store.listDocuments(Kinds.CONFIG_MAP)
                        .orThrow()
                        .items()
                        .forEach(each -> found.add(each.text("metadata", "name").orElseThrow()));
                assertThat(found).isEqualTo(acknowledged);
            }
        } finally {
            EmbeddedStores.run("umount", disk.toString());
        }
    }

    private static int fillDisk(EmbeddedClusterStore store, Set<String> acknowledged) {
        for (int i = 0; i < 1_000; i++) {
            var result = create(store, "c" + i);
            if (result.failure().isPresent()) {
                assertThat(result.failure()).contains(Failure.UNAVAILABLE);
                assertThat(result.toString()).contains("the disk is full").contains("cluster.db");
                return i;
            }
            acknowledged.add("c" + i);
        }
        throw new AssertionError("the disk did not get full");
    }

    private static dev.mooring.storage.store.StoreResult<Document> create(EmbeddedClusterStore store, String name) {
        return store.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap(name, "x".repeat(5_000)));
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> EmbeddedStores.open(file()))
                .hasMessageContaining(file().toString())
                .hasMessageContaining(why);
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement each = connection.createStatement()) {
            each.executeUpdate(statement);
        }
    }
}
