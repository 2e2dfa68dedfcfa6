// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that have a disk open, on a copy of the kernel's files. */
class DeviceOpenersTest {
    private static final String DISK = "8:16";
    private static final long SELF = 77;

    @TempDir
    private Path proc;

    private final Map<Path, String> numbers = new HashMap<>();
    private int descriptor;

    private void open(long pid, String name, String file, String number) throws IOException {
        Path process = proc.resolve(Long.toString(pid));
        Files.createDirectories(process.resolve("fd"));
        Files.writeString(process.resolve("comm"), name + "\n");
        Path link = process.resolve("fd").resolve(Integer.toString(descriptor++));
        Files.createSymbolicLink(link, Path.of(file));
        numbers.put(link, number);
    }

    private List<String> openers() {
        return new DeviceOpeners(proc, SELF, link -> Optional.ofNullable(numbers.get(link)))
                .of(DISK)
                .result()
                .orElseThrow();
    }

    @Test
    void i10_aProcessThatHasTheDiskOpenIsNamed() throws IOException {
        open(5, "qemu-system-x86", "/dev/sdb", DISK);
        open(6, "dd", "/dev/sdc", "8:32");
        assertThat(openers()).containsExactly("process 5 (qemu-system-x86)");
    }

    @Test
    void aContainersOwnNodeOfTheDiskIsTheDisk() throws IOException {
        open(5, "postgres", "/dev/data (deleted)", DISK);
        assertThat(openers()).containsExactly("process 5 (postgres)");
    }

    @Test
    void whatOpensEachDiskThatAppearsDoesNotCountAndNeitherDoesThisProcess() throws IOException {
        open(1, "systemd-udevd", "/dev/sdb", DISK);
        open(2, "(udev-worker)", "/dev/sdb", DISK);
        open(3, "multipathd", "/dev/sdb", DISK);
        open(4, "multipath", "/dev/sdb", DISK);
        open(5, "scsi_id", "/dev/sdb", DISK);
        open(SELF, "java", "/dev/sdb", DISK);
        assertThat(openers()).isEmpty();
    }

    /** A look at it could wait for its server. */
    @Test
    void aFileOutsideOfDevIsNotLookedAt() throws IOException {
        open(5, "cp", "/mnt/nfs/disk", DISK);
        assertThat(openers()).isEmpty();
    }

    @Test
    void aProcessThatEndsMeanwhileIsLeftOut() throws IOException {
        Files.createDirectory(proc.resolve("9"));
        open(5, "dd", "/dev/sdb", DISK);
        assertThat(openers()).containsExactly("process 5 (dd)");
    }

    /** A disk that may be in use is never taken for unused. */
    @Test
    void whereProcessesCannotBeListedTheAnswerIsDeferred() {
        DeviceOpeners blind = new DeviceOpeners(proc.resolve("absent"), SELF, link -> Optional.empty());
        Outcome<List<String>> answer = blind.of(DISK);
        assertThat(answer.isDone()).isFalse();
        assertThat(answer.message()).contains("device " + DISK);
    }
}
