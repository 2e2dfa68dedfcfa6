// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node puts aside is not forgotten, and nothing of it is lost. */
class SetAsideTest {
    @TempDir
    Path root;

    private SetAside aside;

    @BeforeEach
    void make() {
        aside = new SetAside(root);
    }

    @Test
    void nothingIsToldWhereNothingWasPutAside() {
        aside.tell();
        assertThat(aside.warning()).isEmpty();
        assertThat(aside.metric().samples())
                .singleElement()
                .satisfies(sample -> assertThat(sample.value()).isZero());
    }

    @Test
    void whatIsThereIsCountedAndOnlyWhatIsEmptyIsRemoved() throws IOException {
        Path orphans = Files.createDirectories(root.resolve("orphans"));
        Files.createDirectories(orphans.resolve("1-empty"));
        Path data = Files.writeString(
                Files.createDirectories(orphans.resolve("2-vol")).resolve("data"), "x");
        Path file = Files.writeString(orphans.resolve("3-file"), "");
        Path link = Files.createSymbolicLink(orphans.resolve("4-link"), root);

        aside.tell();

        assertThat(orphans).isDirectoryNotContaining("glob:**/1-empty");
        assertThat(data).hasContent("x");
        assertThat(file).exists();
        assertThat(link).isSymbolicLink();
        assertThat(aside.warning())
                .contains(
                        orphans + " has 3 entries with data that volumes left behind. Look at each, keep what you need,"
                                + " and remove it");
        assertThat(aside.metric().samples())
                .singleElement()
                .satisfies(sample -> assertThat(sample.value()).isEqualTo(3));
    }
}
