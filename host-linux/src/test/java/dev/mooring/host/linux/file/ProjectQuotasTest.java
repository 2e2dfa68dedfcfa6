// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.kernel.QuotaCalls;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On file systems that were made to count projects, where the kernel can: the guest's can. */
class ProjectQuotasTest {
    private static final int MIB = 1 << 20;

    private KernelMachine machine;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    /** A mounted file system that counts projects; the test is skipped where there is none. */
    private Path mounted(String type, String options) {
        assumeTrue(machine.host.processes().locate("mkfs." + type).isPresent(), "needs mkfs." + type);
        Path disk = machine.base.resolve("disk");
        Path place = machine.directory("counted");
        KernelMachine.tool("truncate", "-s", "320M", disk.toString());
        if (type.equals("ext4")) {
            KernelMachine.tool("mkfs.ext4", "-q", "-O", "project,quota", "-E", "quotatype=prjquota", disk.toString());
        } else {
            KernelMachine.tool("mkfs." + type, "-q", disk.toString());
        }
        try {
            KernelMachine.tool("mount", "-o", "loop," + options, disk.toString(), place.toString());
        } catch (IllegalStateException e) {
            assumeTrue(false, () -> "needs a kernel with project quotas of " + type + ": " + e.getMessage());
        }
        return place;
    }

    private Outcome<Long> limit(Path directory, String key, long bytes) {
        try (PinnedPath pinned = open(directory)) {
            return machine.host.quotas().limit(pinned, key, bytes);
        }
    }

    private PinnedPath open(Path path) {
        return KernelMachine.value(machine.host.files().open(path, LinkRule.REFUSE));
    }

    /** Without the one right that lets root exceed a limit of ext4. */
    private static void write(Path file, int bytes) {
        KernelMachine.tool(
                "setpriv",
                "--bounding-set=-sys_resource",
                "dd",
                "if=/dev/zero",
                "of=" + file,
                "bs=64K",
                "iflag=count_bytes",
                "count=" + bytes);
    }

    @Tag("guest")
    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void noUserWritesMoreThanTheLimitUntilItIsRaised(String type) throws IOException {
        Path root = mounted(type, "prjquota");
        Path mine = Files.createDirectory(root.resolve("mine"));
        Path other = Files.createDirectory(root.resolve("other"));
        assertThat(KernelMachine.value(limit(mine, "mine", 2 * MIB - 100))).isEqualTo(2 * MIB);
        assertThat(KernelMachine.value(limit(other, "other", MIB))).isEqualTo(MIB);
        Path deep = Files.createDirectories(mine.resolve("a/b"));
        write(deep.resolve("one"), MIB);
        assertThatThrownBy(() -> write(mine.resolve("two"), 3 * MIB / 2)).isInstanceOf(IllegalStateException.class);
        write(other.resolve("small"), MIB / 2);

        assertThat(KernelMachine.value(limit(mine, "mine", 4 * MIB))).isEqualTo(4 * MIB);
        write(mine.resolve("two"), 3 * MIB / 2);
        assertThat(KernelMachine.value(limit(mine, "mine", MIB)))
                .as("never smaller")
                .isEqualTo(4 * MIB);
        try (PinnedPath pinned = open(mine)) {
            KernelMachine.value(machine.host.quotas().lift(pinned, "other"));
            assertThatThrownBy(() -> write(mine.resolve("three"), 3 * MIB)).isInstanceOf(IllegalStateException.class);
            KernelMachine.value(machine.host.quotas().lift(pinned, "mine"));
        }
        write(mine.resolve("three"), 3 * MIB);
    }

    @Tag("guest")
    @Test
    void whatIsInADirectoryAlreadyWouldNotBeCounted() throws IOException {
        Path root = mounted("xfs", "prjquota");
        Path full = Files.createDirectory(root.resolve("full"));
        Files.createDirectory(full.resolve("inner"));
        assertThat(KernelMachine.refusal(limit(full, "full", MIB))).contains(Refusal.INCOMPATIBLE);
        Path file = Files.createFile(root.resolve("file"));
        assertThat(KernelMachine.refusal(limit(file, "file", MIB))).contains(Refusal.INCOMPATIBLE);
    }

    @Tag("guest")
    @Test
    void aNumberThatAnotherProgramUsesIsLeftToIt() throws IOException {
        Path root = mounted("ext4", "prjquota");
        QuotaCalls calls = new QuotaCalls(machine.kernel);
        int taken = ProjectQuotas.numbers("mine").get(0);
        try (PinnedPath pinned = open(root);
                Descriptor opened = machine.kernel.openDirectory(
                        LinuxPinnedPath.descriptorOf(pinned).orElseThrow())) {
            calls.setLimit(opened, taken, 7 * MIB);
            Path mine = Files.createDirectory(root.resolve("mine"));
            KernelMachine.value(limit(mine, "mine", MIB));
            assertThat(calls.usage(opened, taken)).isEqualTo(new QuotaCalls.Usage(7 * MIB, 0, 0));
            assertThat(calls.usage(opened, ProjectQuotas.numbers("mine").get(1)).limit())
                    .isEqualTo(MIB);
        } catch (KernelException e) {
            throw new IllegalStateException(e);
        }
    }

    @Tag("guest")
    @Test
    void whatIsCountedButNotEnforcedIsNoLimit() throws IOException {
        Path root = mounted("xfs", "pqnoenforce");
        Outcome<Long> answer = limit(Files.createDirectory(root.resolve("mine")), "mine", MIB);
        assertThat(KernelMachine.refusal(answer)).contains(Refusal.UNSUPPORTED);
        assertThat(answer.message()).contains("prjquota");
    }

    @Test
    void aFileSystemThatDoesNotCountIsRefused() {
        Path plain = machine.directory("plain");
        KernelMachine.tool("mount", "-t", "tmpfs", "tmpfs", plain.toString());
        Outcome<Long> answer = limit(plain, "mine", MIB);
        assertThat(KernelMachine.refusal(answer)).as(answer::toString).contains(Refusal.UNSUPPORTED);
    }

    @Test
    void numbersAreTheSameEachTimeAndNeverThoseThatPeopleGive() {
        assertThat(ProjectQuotas.numbers("a")).isEqualTo(ProjectQuotas.numbers("a"));
        assertThat(IntStream.range(0, 1_000)
                        .boxed()
                        .flatMap(i -> ProjectQuotas.numbers("volume-" + i).stream())
                        .collect(Collectors.toSet()))
                .hasSizeGreaterThan(3_990)
                .allMatch(number -> number >= 1 << 16);
    }
}
