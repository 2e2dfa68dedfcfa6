// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** XFS tells statfs the number of its device, which another boot gives to another disk. */
class XfsIdentityTest {
    private static final long SIZE = 320L << 20;

    private KernelMachine machine;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        assumeTrue(machine.host.processes().locate("mkfs.xfs").isPresent(), "needs mkfs.xfs");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private BlockDevice formatted(String name) {
        BlockDevice device = machine.disk(name, SIZE);
        KernelMachine.tool("mkfs.xfs", "-q", device.path().toString());
        return device;
    }

    private Path mounted(Path device, String place) {
        Path directory = machine.directory(place);
        try {
            KernelMachine.tool("mount", device.toString(), directory.toString());
        } catch (IllegalStateException e) {
            assumeTrue(false, () -> "needs a kernel with XFS: " + e.getMessage());
        }
        return directory;
    }

    private FileFacts facts(Path path) {
        try (PinnedPath opened = machine.open(path)) {
            return KernelMachine.value(opened.facts());
        }
    }

    @Test
    void aDirectoryIsTheSameOneWhenItsDeviceHasAnotherNumber() throws IOException {
        BlockDevice before = formatted("disk");
        Path place = mounted(before.path(), "place");
        Path directory = Files.createDirectory(place.resolve("data"));
        FileIdentity identity = facts(directory).identity();
        KernelMachine.tool("umount", place.toString());
        // the first device stays, so that the second has another number
        Path after = Path.of(KernelMachine.tool(
                        "losetup", "-f", "--show", machine.base.resolve("disk").toString())
                .strip());
        try {
            mounted(after, "place");

            assertThat(facts(directory).identity()).isEqualTo(identity);
            assertThat(FileIdentity.parse(identity.toString())).contains(identity);
        } finally {
            // goes with its last mount
            KernelMachine.tool("losetup", "-d", after.toString());
        }
    }

    @Test
    void twoFileSystemsAreTwo() {
        FileFacts one = facts(mounted(formatted("one").path(), "first"));
        FileFacts two = facts(mounted(formatted("two").path(), "second"));

        assertThat(one.identity().inode()).isEqualTo(two.identity().inode());
        assertThat(one.identity()).isNotEqualTo(two.identity());
    }

    @Test
    void whatIsNoDirectoryIsNotOpened() throws IOException {
        Path place = mounted(formatted("disk").path(), "place");
        Path pipe = place.resolve("pipe");
        KernelMachine.tool("mkfifo", pipe.toString());

        FileFacts facts = facts(pipe);

        assertThat(facts.identity().inode()).isEqualTo((long) (Long) Files.getAttribute(pipe, "unix:ino"));
    }
}
