// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

    /** As for a kept file while a pod has a hostPath volume of a directory above it. */
    @Test
    void aFileThatIsHiddenElsewhereIsWrittenOver() throws Exception {
        Path above = Files.createDirectory(directory.resolve("above"));
        Path shown = Files.createDirectory(directory.resolve("shown"));
        Path mask = Files.writeString(directory.resolve("mask"), "");
        Path file = Files.writeString(above.resolve("token"), "the one that was before");
        assumeTrue(run("mount", "--bind", above.toString(), shown.toString()), "needs the right to mount");
        try {
            assertThat(run(
                            "mount",
                            "--bind",
                            mask.toString(),
                            shown.resolve("token").toString()))
                    .isTrue();
            PrivateFile.write(file, bytes("two"));
            assertThat(file).hasContent("two");
            assertThat(shown.resolve("token")).isEmptyFile();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        } finally {
            run("umount", "-R", shown.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
