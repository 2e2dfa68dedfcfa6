// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets lie in the files of a cluster: only their owner reads them, also after a move. */
@Tag("long")
class OwnersFileTest {
    private static final String PRIVATE = "rw-------";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Path file() {
        return directory.resolve("cluster.db");
    }

    /** Of all files, each with its name. */
    private Set<String> modes() throws IOException {
        Set<String> modes = new TreeSet<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                modes.add(file.getFileName() + " " + mode(file));
            }
        }
        return modes;
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void theFilesOfAClusterAreTheirOwnersAloneFromTheBeginning() throws IOException {
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.fill(store);
            store.backup(directory.resolve("copy.db"));
            EmbeddedRecordLog.open(directory.resolve("node.db")).close();
            assertThat(modes())
                    .contains("cluster.db " + PRIVATE, "copy.db " + PRIVATE, "node.db " + PRIVATE)
                    .allMatch(each -> each.endsWith(PRIVATE));
        }
        EmbeddedStores.open(directory.resolve("copy.db")).close();
    }

    @Test
    void filesOfAnEarlierVersionBecomeSoAtTheNextStart() throws IOException {
        EmbeddedStores.open(file()).close();
        Path journal = Files.createFile(directory.resolve("cluster.db-wal"));
        for (Path each : Set.of(file(), journal)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rw-r--r--"));
        }
        EmbeddedStores.open(file()).close();
        assertThat(mode(file())).isEqualTo(PRIVATE);
        try (EmbeddedClusterStore store = EmbeddedStores.open(file())) {
            EmbeddedStores.fill(store);
            assertThat(mode(journal)).isEqualTo(PRIVATE);
        }
    }

    @Test
    void aFileOfSomethingElseKeepsItsMode() throws IOException {
        Files.createDirectory(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rwxr-xr-x"));
        OwnersFile.make(file());
        assertThat(mode(file())).isEqualTo("rwxr-xr-x");
    }
}
