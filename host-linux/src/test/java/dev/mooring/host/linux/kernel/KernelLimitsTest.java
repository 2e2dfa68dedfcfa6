// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages about a limit name its value. */
class KernelLimitsTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({"64, 64", "unlimited, -1", "x, -1"})
    void theLimitOfOpenFilesIsTheSoftOne(String soft, long expected) throws IOException {
        Path limits = temp.resolve("limits");
        Files.writeString(limits, """
                Limit                     Soft Limit           Hard Limit           Units
                Max core file size        0                    unlimited            bytes
                Max open files            %s                   1048576              files
                """.formatted(soft));
        assertThat(KernelLimits.openFiles(limits).orElse(-1)).isEqualTo(expected);
    }

    @Test
    void whatCannotBeReadIsUnknown() {
        assertThat(KernelLimits.openFiles(temp.resolve("none"))).isEmpty();
    }

    @Test
    void theMessagesHaveTheValues() throws IOException {
        String mounts = Files.readString(Path.of("/proc/sys/fs/mount-max")).strip();
        String files = Files.readString(Path.of("/proc/sys/fs/file-max")).strip();
        assertThat(new KernelException(Errno.ENOSPC, "open_tree").getMessage())
                .contains("the mount table is full (" + mounts + ")");
        assertThat(new KernelException(Errno.ENFILE, "open x").getMessage()).contains("may (" + files + ")");
        assertThat(KernelLimits.openFiles()).isPresent();
        assertThat(new KernelException(Errno.EMFILE, "open x").getMessage())
                .contains("may (" + KernelLimits.openFiles().getAsLong() + ")");
    }
}
