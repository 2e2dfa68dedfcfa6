// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is there can be changed and deleted on a full disk, or nothing would ever make room; what is new is refused. */
@Tag("long")
class StoreOnFullDiskTest {
    @TempDir
    private Path directory;

    private final Set<String> acknowledged = new TreeSet<>();
    private Path disk;

    @BeforeEach
    void mounts() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        assumeThat(EmbeddedStores.run("mount", "-t", "tmpfs", "-o", "size=16m", "none", disk.toString()))
                .as("mounting")
                .isZero();
    }

    @AfterEach
    void unmounts() throws Exception {
        EmbeddedStores.run("umount", disk.toString());
    }

    private EmbeddedClusterStore open() {
        return EmbeddedStores.open(disk.resolve("cluster.db"));
    }

    /** Another program takes all that is left. */
    private Path ballast() throws IOException {
        Path ballast = disk.resolve("ballast");
        try (var file = Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                file.write(new byte[512]);
            }
        } catch (IOException full) {
            assertThat(disk.toFile().getUsableSpace()).isLessThan(4096);
            return ballast;
        }
    }

    private StoreResult<Document> create(EmbeddedClusterStore store, String name) {
        var result = store.createDocument(Kinds.CONFIG_MAP, EmbeddedStores.configMap(name, "x".repeat(5_000)));
        if (result.failure().isEmpty()) {
            acknowledged.add(name);
        }
        return result;
    }

    private static StoreResult<Document> change(EmbeddedClusterStore store, String name, String value) {
        Document patch = Document.of(Map.of("data", Map.of("k", value)));
        return store.patchDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", name), "", patch);
    }

    private void delete(EmbeddedClusterStore store, String name) {
        assertThat(store.deleteObject(Kinds.CONFIG_MAP, ObjectKey.of("x", name), DeleteOptions.DEFAULT)
                        .failure())
                .as(name)
                .isEmpty();
        acknowledged.remove(name);
    }

    private void checkAfterANewStart() {
        try (EmbeddedClusterStore store = open()) {
            Set<String> found = new TreeSet<>();
            store.listDocuments(Kinds.CONFIG_MAP)
                    .orThrow()
                    .items()
                    .forEach(each -> found.add(each.text("metadata", "name").orElseThrow()));
            assertThat(found).isEqualTo(acknowledged);
        }
    }

    private int fillWithObjects(EmbeddedClusterStore store) {
        int next = 0;
        StoreResult<Document> result = create(store, "c" + next);
        while (result.failure().isEmpty() && next < 10_000) {
            result = create(store, "c" + ++next);
        }
        assertThat(result.failure()).contains(Failure.UNAVAILABLE);
        assertThat(result.toString()).contains("the disk is full").contains("cluster.db");
        return next;
    }

    @Test
    void readsGoOnAndWritesComeBackWithRoom() throws Exception {
        Path ballast = Files.write(disk.resolve("ballast"), new byte[4_000_000]);
        try (EmbeddedClusterStore store = open()) {
            int next = fillWithObjects(store);
            assertThat(next).isPositive();
            assertThat(store.getDocument(Kinds.CONFIG_MAP, ObjectKey.of("x", "c0"))
                            .failure())
                    .isEmpty();
            assertThat(store.listDocuments(Kinds.CONFIG_MAP).orThrow().items()).hasSize(acknowledged.size());
            Files.delete(ballast);
            assertThat(create(store, "c" + next).failure()).isEmpty();
        }
        checkAfterANewStart();
    }

    @Test
    void whatIsThereIsChangedAndDeletedWhereOtherProgramsLeaveNothing() throws Exception {
        try (EmbeddedClusterStore store = open()) {
            for (int i = 0; i < 100; i++) {
                assertThat(create(store, "c" + i).failure()).isEmpty();
            }
            Path ballast = ballast();
            assertThat(create(store, "new").toString()).contains("takes nothing new, as the disk is full");
            for (int i = 0; i < 3_000; i++) {
                assertThat(change(store, "c" + i % 100, "y".repeat(4_500) + i).failure())
                        .as("change %d", i)
                        .isEmpty();
            }
            for (int i = 0; i < 100; i++) {
                delete(store, "c" + i);
            }
            Files.delete(ballast);
            assertThat(create(store, "new").failure()).isEmpty();
        }
        checkAfterANewStart();
    }

    @Test
    void theStoreThatFilledTheDiskItselfMakesRoomByDeletions() throws Exception {
        try (EmbeddedClusterStore store = open()) {
            int next = fillWithObjects(store);
            ballast();
            int grown = 0;
            while (grown < next
                    && change(store, "c" + grown, "z".repeat(50_000)).failure().isEmpty()) {
                grown++;
            }
            assertThat(grown).as("what the room takes").isBetween(1, next - 1);
            for (int i = 0; i < next; i++) {
                delete(store, "c" + i);
            }
        }
        checkAfterANewStart();
    }
}
