// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose objects are lost is not taken for a new one, which would unmount everything; and a new one can begin. */
class DataFilesTest {
    @TempDir
    private Path directory = Path.of("");

    private Path data() {
        return directory.resolve("data");
    }

    private Path cluster() {
        return data().resolve("store/cluster.db");
    }

    private void startAndStop() throws IOException {
        Standalone.start(StandaloneServers.options(data()), List.of()).close();
    }

    private void assertRefused(String why) {
        assertThatIOException()
                .isThrownBy(this::startAndStop)
                .withMessageContainingAll(
                        cluster().toString(), why, "unmount", "Restore a backup", "remove all of " + data());
    }

    @Test
    void objectsThatAreMissingOrEmptyBesideOtherFilesOfAClusterStopTheStart() throws IOException {
        startAndStop();
        Files.delete(cluster());
        assertRefused("is missing");
        assertThat(cluster()).doesNotExist();

        Files.createFile(cluster());
        assertRefused("is empty");
        assertThat(cluster()).isEmptyFile();
    }

    /** What is left if only the journal is taken away, and everything was still in it. */
    @Test
    void aStoreWithoutObjectsBesideOtherFilesOfAClusterStopsTheStart() throws IOException {
        startAndStop();
        Files.delete(cluster());
        EmbeddedClusterStore.open(
                        cluster(),
                        StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())))
                .close();
        assertRefused("has no objects");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store/node.db", "access/token", "backups/cluster-000001.db", "hostpath/pvc-1"})
    void eachOtherFileTellsOfACluster(String name) throws IOException {
        Path file = data().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");
        assertRefused("is missing");
        assertThat(file).hasContent("x");
    }

    /** Whatever is made before the first objects are written tells of none. */
    @Test
    void aFirstStartThatWasKilledInItsMiddleIsBegunAgain() throws IOException {
        for (String name : List.of("store", "hostpath", "native")) {
            Files.createDirectories(data().resolve(name));
        }
        Files.createFile(data().resolve("native/sqlite-1.so"));
        startsAnew();
        Files.createFile(cluster());
        startsAnew();
    }

    private void startsAnew() throws IOException {
        startAndStop();
        for (String name : List.of("store/node.db", "kubeconfig", "store/cluster.db")) {
            Files.delete(data().resolve(name));
        }
        try (var left = Files.list(data().resolve("access"))) {
            for (Path each : left.toList()) {
                Files.delete(each);
            }
        }
    }

    @Test
    void copiesThatAnEarlierVersionMadeBecomeTheirOwnersAlone() throws IOException {
        startAndStop();
        Path copy = data().resolve("backups/cluster-000001.db");
        Files.createDirectories(copy.getParent());
        Files.copy(cluster(), copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
        startAndStop();
        for (Path each : List.of(copy, cluster(), data().resolve("store/node.db"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .as(each.toString())
                    .isEqualTo("rw-------");
        }
    }
}
