// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every failure of a file says which and why, and no class. */
class FileFailuresTest {
    @TempDir
    private Path directory = Path.of("");

    private String told(ThrowingCallable act) {
        return FileFailures.text(catchThrowableOfType(IOException.class, act));
    }

    @Test
    void theFileAndTheReasonAreSaid() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), directory.resolve("loop"));
        Path none = directory.resolve("none");
        assertThat(told(() -> Files.readString(none))).isEqualTo(none + ": there is no such file or directory");
        assertThat(told(() -> Files.createFile(file))).isEqualTo(file + ": something else has that name");
        assertThat(FileFailures.text(new NotDirectoryException("/x"))).isEqualTo("/x: it is not a directory");
        assertThat(told(() -> Files.readString(loop))).startsWith(loop + ": ").containsIgnoringCase("symbolic links");
        assertThat(FileFailures.text(new AccessDeniedException("/x"))).isEqualTo("/x: permission denied");
    }

    @Test
    void whatIsNoFailureOfAFileSaysWhatItSays() {
        assertThat(FileFailures.text(new IOException("the address is taken"))).isEqualTo("the address is taken");
        assertThat(FileFailures.text(new IOException())).isEqualTo("the system does not say why");
    }
}
