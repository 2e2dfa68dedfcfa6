// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceIdentityTest {
    @TempDir
    private Path root;

    private String identity(String name, Optional<String> wwid) {
        BlockDevice device = new BlockDevice(name, Path.of("/dev", name), "8:0", 1 << 20, false, wwid);
        return new DeviceIdentity(new LinuxSysfs(HostServices.none().processes(), root)).apply(device);
    }

    private Path linked(String name, String to) throws IOException {
        Path directory = Files.createDirectories(root.resolve("sys/devices").resolve(to));
        Path link = root.resolve("sys/class/block").resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, directory);
        return directory;
    }

    @Test
    void aDiskIsAnotherOneEachTimeTheKernelShowsIt() throws IOException {
        Path sda = linked("sda", "block/sda");
        Files.writeString(sda.resolve("diskseq"), "7\n");
        String before = identity("sda", Optional.of("naa.1"));
        assertThat(identity("sda", Optional.of("naa.1"))).isEqualTo(before);

        Files.writeString(sda.resolve("diskseq"), "8\n");
        assertThat(identity("sda", Optional.of("naa.1"))).isNotEqualTo(before);
    }

    @Test
    void aPartitionIsAsNewAsItsDisk() throws IOException {
        Path sda = linked("sda", "block/sda");
        linked("sda1", "block/sda/sda1");
        Files.writeString(sda.resolve("diskseq"), "7\n");
        String before = identity("sda1", Optional.empty());

        Files.writeString(sda.resolve("diskseq"), "8\n");
        assertThat(identity("sda1", Optional.empty())).isNotEqualTo(before);
    }

    @Test
    void aKernelThatDoesNotCountDisksTellsThemByWhatIdentifiesThem() throws IOException {
        linked("sda", "block/sda");

        assertThat(identity("sda", Optional.of("naa.1"))).isEqualTo(identity("sda", Optional.of("naa.1")));
        assertThat(identity("sda", Optional.of("naa.1"))).isNotEqualTo(identity("sda", Optional.of("naa.2")));
    }

    @Test
    void aLoopDeviceIsAnotherOneWithEachFile() throws IOException {
        assumeTrue(Files.exists(Path.of("/sys/block/loop0/diskseq")), "needs a kernel that counts disks");
        try (KernelMachine machine = new KernelMachine(HostFeature.ROOT)) {
            DeviceIdentity identity = new DeviceIdentity(machine.host.sysfs());
            BlockDevice first = machine.disk("first", 1 << 20);
            String before = identity.apply(first);
            assertThat(identity.apply(first)).isEqualTo(before);
            KernelMachine.value(
                    machine.host.blockDevices().detachLoop(machine.context(), machine.base.resolve("first")));

            assertThat(identity.apply(machine.disk("second", 1 << 20))).isNotEqualTo(before);
        }
    }
}
