// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.kernel.Architecture;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.process.LinuxProcessRunner;
import dev.mooring.host.linux.process.ProcessLedger;
import dev.mooring.host.linux.process.Tools;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules about devices that the machine at hand may not have, on a copy of the kernel's files. */
class SysfsDevicesTest {
    private static final String NAA = "naa.60014051234567890123456789012345";

    @TempDir
    private Path root;

    private LinuxSysfs sysfs;
    private SysfsDevices devices;

    @BeforeEach
    void setUp() {
        sysfs = new LinuxSysfs(
                new LinuxProcessRunner(
                        new Kernel(Architecture.ofThisMachine().orElse(Architecture.X86_64)),
                        Tools.ofSystem(),
                        new ProcessLedger(root.resolve("processes"))),
                root);
        devices = new SysfsDevices(sysfs);
    }

    private void device(String name, String number, String... files) {
        put(name + "/dev", number + "\n");
        put(name + "/size", "2048\n");
        put(name + "/ro", "0\n");
        for (String file : files) {
            String[] parts = file.split("=", 2);
            put(name + "/" + parts[0], parts[1] + "\n");
        }
        Path link = root.resolve("sys/dev/block").resolve(number);
        try {
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, root.resolve("sys/class/block").resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void put(String file, String content) {
        Path path = root.resolve("sys/class/block").resolve(file);
        try {
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<String> map(String name) {
        return KernelMachine.value(devices.multipathMap(name));
    }

    @Test
    void readsTheFactsOfADisk() {
        device("sda", "8:0", "device/wwid=" + NAA);

        BlockDevice expected = new BlockDevice("sda", Path.of("/dev/sda"), "8:0", 2048 * 512, false, Optional.of(NAA));
        assertThat(devices.named("sda")).isEqualTo(Outcome.done(expected));
        assertThat(devices.numbered("8:0")).isEqualTo(Outcome.done(expected));
        assertThat(KernelMachine.refusal(devices.numbered("8:16"))).contains(Refusal.NOT_FOUND);
    }

    @ParameterizedTest(name = "{0} = {1} → {2}")
    @CsvSource({
        "dm/uuid, mpath-360014051234567890123456789012345, naa.60014051234567890123456789012345",
        "dm/uuid, mpath-20017380006c00033, eui.0017380006c00033",
        "dm/uuid, mpath-1QEMU_disk, 1QEMU_disk",
        "dm/uuid, LVM-abcdef, ",
        "dm/uuid, part1-mpath-360014051234567890123456789012345, ",
        "device/wwid, t10.ATA     disk, t10.ATA     disk",
        "wwid, eui.0025388b710f86d6, eui.0025388b710f86d6"
    })
    void aMapHasTheIdentityOfItsPaths(String file, String text, String wwid) {
        device("dm-0", "253:0", file + "=" + text);

        assertThat(KernelMachine.value(devices.named("dm-0")).wwid()).isEqualTo(Optional.ofNullable(wwid));
    }

    @Test
    void onlyAMultipathMapIsAMap() {
        device("sda", "8:0");
        device("sdb", "8:16");
        device("dm-0", "253:0", "dm/uuid=part1-mpath-3600");
        device("dm-1", "253:1", "dm/uuid=LVM-x");
        device("dm-2", "253:2", "dm/uuid=mpath-3600");
        put("sda/holders/dm-0", "");
        put("sda/holders/dm-1", "");
        put("sdb/holders/dm-1", "");
        put("sdb/holders/dm-2", "");

        assertThat(map("sda")).isEmpty();
        assertThat(map("sdb")).contains("dm-2");
        assertThat(map("dm-2")).contains("dm-2");
        assertThat(map("dm-1")).isEmpty();
    }

    @Test
    void partitionsBelongToTheirDisk() {
        device("sda", "8:0");
        put("sda/sda1/partition", "1");
        put("sda/sda2/partition", "2");
        put("sda/queue/rotational", "1");

        assertThat(devices.withPartitions("sda")).isEqualTo(Outcome.done(List.of("sda", "sda1", "sda2")));
    }

    @Test
    void namesWithASlashAreFound() {
        device("cciss!c0d0", "104:0");

        assertThat(KernelMachine.value(devices.named("cciss/c0d0")).path()).isEqualTo(Path.of("/dev/cciss/c0d0"));
    }

    @Test
    void onlyTheKernelsOwnFilesAreTouched() throws IOException {
        Files.writeString(root.resolve("etc"), "secret");

        assertThat(KernelMachine.refusal(sysfs.read(Path.of("/etc")))).contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(sysfs.read(Path.of("/sys/../etc")))).contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(sysfs.list(Path.of("/")))).contains(Refusal.INVALID);
    }

    @Test
    void absenceIsAnAnswer() {
        assertThat(sysfs.read(Path.of("/sys/none"))).isEqualTo(Outcome.done(Optional.empty()));
        assertThat(sysfs.list(Path.of("/sys/none"))).isEqualTo(Outcome.done(List.of()));
        assertThat(sysfs.resolve(Path.of("/sys/none"))).isEqualTo(Outcome.done(Optional.empty()));
    }

    @Test
    void writesAndSaysIfThereIsNothingToWriteTo() throws IOException {
        put("sda/device/delete", "");
        Path file = Path.of("/sys/class/block/sda/device/delete");

        Outcome<Nothing> written = sysfs.write(TimedCall.of(HostServices.none()), file, "1");

        assertThat(written).isEqualTo(Outcome.done());
        assertThat(root.resolve("sys/class/block/sda/device/delete")).hasContent("1");
        assertThat(KernelMachine.refusal(sysfs.write(
                        TimedCall.of(HostServices.none()), Path.of("/sys/class/block/sdb/device/delete"), "1")))
                .contains(Refusal.NOT_FOUND);
        assertThat(root.resolve("sys/class/block/sdb")).doesNotExist();
    }

    @Test
    void saysWhatTheKernelSaidToAWrite() {
        LinuxSysfs real = new LinuxSysfs(
                new LinuxProcessRunner(
                        new Kernel(Architecture.ofThisMachine().orElse(Architecture.X86_64)),
                        Tools.ofSystem(),
                        new ProcessLedger(root.resolve("processes"))),
                Path.of("/"));

        assertThat(KernelMachine.refusal(
                        real.write(TimedCall.of(HostServices.none()), Path.of("/proc/sys/kernel/pid_max"), "nonsense")))
                .contains(Refusal.INVALID);
        assertThat(KernelMachine.value(real.read(Path.of("/proc/sys/kernel/ostype"))))
                .contains("Linux");
    }
}
