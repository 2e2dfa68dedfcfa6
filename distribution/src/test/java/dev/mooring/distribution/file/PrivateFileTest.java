// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFileTest {
    @TempDir
    private Path directory = Path.of("");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void itsOwnerAloneCanReadIt() throws Exception {
        Path file = directory.resolve("token");
        PrivateFile.write(file, bytes("one"));
        PrivateFile.write(file, bytes("two"));
        assertThat(file).hasContent("two");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void whatCannotBeWrittenLeavesNothingBehind() throws Exception {
        Path taken = Files.createDirectories(directory.resolve("token/inner")).getParent();
        assertThatIOException().isThrownBy(() -> PrivateFile.write(taken, bytes("one")));
        assertThat(directory).isDirectoryNotContaining(each -> each.toString().endsWith(".new"));
    }
}
