// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that can be read, and those that cannot. */
class ListingTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void namesAreSorted() throws IOException {
        for (String name : new String[] {"b.jar", "a.jar", "c.txt"}) {
            Files.createFile(directory.resolve(name));
        }
        assertThat(Listing.of(directory, "*.jar"))
                .containsExactly(directory.resolve("a.jar"), directory.resolve("b.jar"));
    }

    @Test
    void aDirectoryThatFailsHalfWayFailsAsOneThatCannotBeOpened() {
        IOException stale = new IOException("Stale file handle");
        assertThatThrownBy(() -> Listing.sorted(() -> new Iterator<>() {
                    private boolean began;

                    @Override
                    public boolean hasNext() {
                        if (began) {
                            throw new DirectoryIteratorException(stale);
                        }
                        return true;
                    }

                    @Override
                    public Path next() {
                        began = true;
                        return directory;
                    }
                }))
                .isSameAs(stale);
    }
}
