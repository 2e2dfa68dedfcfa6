// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HolderNameTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void isMadeOnceAndAnotherOneInAnotherDirectory() throws IOException {
        String name = HolderName.in(directory);
        assertThat(name).startsWith("mooring-node_");
        assertThat(HolderName.in(directory)).isEqualTo(name);
        assertThat(HolderName.in(Files.createDirectory(directory.resolve("other"))))
                .isNotEqualTo(name);
    }

    /** An agent without a name takes no other agent for a foreign one, and no other agent takes it for one. */
    @Test
    void anEmptyFileAsAFullDiskOrACrashLeavesItIsNoName() throws IOException {
        Files.writeString(directory.resolve("holder"), "");
        String name = HolderName.in(directory);
        assertThat(name).startsWith("mooring-node_");
        assertThat(HolderName.in(directory)).isEqualTo(name);
    }
}
