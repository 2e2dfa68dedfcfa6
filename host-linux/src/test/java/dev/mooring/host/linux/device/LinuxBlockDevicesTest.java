// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DeviceCalls;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinuxBlockDevicesTest {
    private static final long SIZE = 16 << 20;

    private KernelMachine machine;
    private BlockDevices devices;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        devices = machine.host.blockDevices();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private List<String> users(BlockDevice device) {
        return KernelMachine.value(devices.users(machine.context(), device));
    }

    @Test
    void findsADeviceByPathLinkAndName() throws IOException {
        BlockDevice disk = machine.disk("disk", SIZE);
        Path link = Files.createSymbolicLink(machine.base.resolve("link"), disk.path());

        assertThat(disk.sizeBytes()).isEqualTo(SIZE);
        assertThat(disk.readOnly()).isFalse();
        assertThat(disk.wwid()).isEmpty();
        assertThat(devices.find(disk.path())).isEqualTo(Outcome.done(disk));
        assertThat(devices.find(link)).isEqualTo(Outcome.done(disk));
        assertThat(devices.named(disk.name())).isEqualTo(Outcome.done(disk));
    }

    @Test
    void saysWhatIsNoDevice() {
        assertThat(KernelMachine.refusal(devices.find(Path.of("/dev/no-such-device"))))
                .contains(Refusal.NOT_FOUND);
        assertThat(KernelMachine.refusal(devices.find(Path.of("/dev/null")))).contains(Refusal.INCOMPATIBLE);
        assertThat(KernelMachine.refusal(devices.named("no-such-device"))).contains(Refusal.NOT_FOUND);
        assertThat(KernelMachine.refusal(devices.named("../block"))).contains(Refusal.NOT_FOUND);
        assertThat(KernelMachine.refusal(devices.named(".."))).contains(Refusal.INVALID);
    }

    @Test
    void tellsZerosFromData() throws IOException {
        BlockDevice disk = machine.disk("disk", SIZE);
        assertThat(devices.isZero(machine.context(), disk, 0, SIZE)).isEqualTo(Outcome.done(true));

        try (var channel = FileChannel.open(disk.path(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), (5 << 20) + 4095);
        }

        assertThat(devices.isZero(machine.context(), disk, 0, SIZE)).isEqualTo(Outcome.done(false));
        assertThat(devices.isZero(machine.context(), disk, 0, 5 << 20)).isEqualTo(Outcome.done(true));
        assertThat(devices.isZero(machine.context(), disk, 5 << 20, 4096)).isEqualTo(Outcome.done(false));
        assertThat(devices.isZero(machine.context(), disk, (5 << 20) + 4096, SIZE))
                .isEqualTo(Outcome.done(true));
    }

    @Test
    void aFileHasOneLoopDevice() {
        BlockDevice disk = machine.disk("disk", SIZE);

        assertThat(devices.attachLoop(machine.context(), machine.base.resolve("disk")))
                .isEqualTo(Outcome.done(disk));
        assertThat(devices.detachLoop(machine.context(), machine.base.resolve("disk")))
                .isEqualTo(Outcome.done());
        assertThat(devices.detachLoop(machine.context(), machine.base.resolve("disk")))
                .isEqualTo(Outcome.done());
        assertThat(Files.exists(Path.of("/sys/block", disk.name(), "loop"))).isFalse();
    }

    /** Since its name was read, another program may have let go of it, and another file may have got it. */
    @Test
    void aLoopDeviceThatShowsAnotherFileByNowIsLeftAlone() throws Exception {
        BlockDevice disk = machine.disk("disk", SIZE);
        LoopDevices loops = new LoopDevices(new DeviceCalls(machine.kernel), machine.host.sysfs());
        LoopDevices.Backing now = KernelMachine.value(loops.all()).stream()
                .filter(each -> each.name().equals(disk.name()))
                .findFirst()
                .orElseThrow();

        loops.detach(new LoopDevices.Backing(disk.name(), machine.base.resolve("another"), false));
        assertThat(Path.of("/sys/block", disk.name(), "loop")).exists();

        loops.detach(now);
        assertThat(Path.of("/sys/block", disk.name(), "loop")).doesNotExist();
    }

    /** The place of each pod's hold of a device (semantics/plugins §1.7). */
    @Test
    void eachPlaceOfADeviceHasALoopDeviceOfItsOwn() {
        BlockDevice disk = machine.disk("disk", SIZE);
        Path one = bound(disk, "one");
        Path other = bound(disk, "other");

        BlockDevice first = KernelMachine.value(devices.attachLoop(machine.context(), one));
        BlockDevice second = KernelMachine.value(devices.attachLoop(machine.context(), other));
        assertThat(second.name()).isNotEqualTo(first.name());
        assertThat(devices.attachLoop(machine.context(), one)).isEqualTo(Outcome.done(first));

        KernelMachine.value(devices.detachLoop(machine.context(), one));
        assertThat(users(disk)).containsExactly(second.name() + " shows " + disk.name());
        KernelMachine.value(devices.detachLoop(machine.context(), other));
        assertThat(users(disk)).isEmpty();
    }

    private Path bound(BlockDevice disk, String name) {
        Path place = machine.file(name, "");
        KernelMachine.tool("mount", "--bind", disk.path().toString(), place.toString());
        return place;
    }

    @Test
    void letsGoOfAFileThatHasBeenDeleted() throws IOException {
        BlockDevice disk = machine.disk("disk", SIZE);
        Files.delete(machine.base.resolve("disk"));
        machine.file("disk", "another file of that name");

        BlockDevice other = KernelMachine.value(devices.attachLoop(machine.context(), machine.base.resolve("disk")));
        assertThat(other.name()).isNotEqualTo(disk.name());
        assertThat(devices.detachLoop(machine.context(), machine.base.resolve("disk")))
                .isEqualTo(Outcome.done());

        assertThat(Files.exists(Path.of("/sys/block", disk.name(), "loop"))).isFalse();
        assertThat(Files.exists(Path.of("/sys/block", other.name(), "loop"))).isFalse();
    }

    @Test
    void aLoopDeviceOfAnotherProgramForAPartIsNotOurs() {
        Path file = machine.base.resolve("disk");
        machine.disk("disk", SIZE);
        KernelMachine.value(devices.detachLoop(machine.context(), file));
        String part = KernelMachine.tool("losetup", "-f", "--show", "-o", "1048576", file.toString())
                .strip();
        try {
            BlockDevice whole = KernelMachine.value(devices.attachLoop(machine.context(), file));

            assertThat(whole.path()).isNotEqualTo(Path.of(part));
            KernelMachine.value(devices.detachLoop(machine.context(), file));
            assertThat(Files.exists(
                            Path.of("/sys/block", Path.of(part).getFileName().toString(), "loop")))
                    .isTrue();
        } finally {
            KernelMachine.tool("losetup", "-d", part);
        }
    }

    @Test
    void tellsEveryUser() {
        BlockDevice disk = machine.disk("disk", SIZE);
        assertThat(users(disk)).isEmpty();

        KernelMachine.tool("mkfs.ext4", "-q", disk.path().toString());
        Path mounted = machine.directory("mounted");
        KernelMachine.tool("mount", disk.path().toString(), mounted.toString());
        assertThat(users(disk)).containsExactly("mounted on " + mounted);
        KernelMachine.tool("umount", mounted.toString());

        BlockDevice above = KernelMachine.value(devices.attachLoop(machine.context(), disk.path()));
        assertThat(users(disk)).containsExactly(above.name() + " shows " + disk.name());
        KernelMachine.value(devices.detachLoop(machine.context(), disk.path()));
        assertThat(users(disk)).isEmpty();
    }

    @Test
    void seesAProcessThatHasItOpenExclusively() throws Exception {
        BlockDevice disk = machine.disk("disk", SIZE);
        DeviceCalls calls = new DeviceCalls(machine.kernel);
        try (Descriptor held = calls.open(Kernel.name(disk.path()), Kernel.O_RDONLY | Kernel.O_EXCL)) {
            assertThat(held.number()).isPositive();
            assertThat(users(disk)).containsExactly("a process has " + disk.name() + " open exclusively");
        }
        assertThat(users(disk)).isEmpty();
    }

    @Test
    void flushesToTheMedium() throws IOException {
        BlockDevice disk = machine.disk("disk", SIZE);
        Files.write(disk.path(), new byte[] {1, 2, 3}, StandardOpenOption.WRITE);

        assertThat(devices.flush(machine.context(), disk)).isEqualTo(Outcome.done());

        try (var file = Files.newByteChannel(machine.base.resolve("disk"))) {
            ByteBuffer start = ByteBuffer.allocate(3);
            file.read(start);
            assertThat(start.array()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void forbidsAndAllowsWrites() {
        BlockDevice disk = machine.disk("disk", SIZE);

        assertThat(devices.setReadOnly(machine.context(), disk, true)).isEqualTo(Outcome.done());
        assertThat(KernelMachine.value(devices.named(disk.name())).readOnly()).isTrue();
        assertThat(devices.setReadOnly(machine.context(), disk, false)).isEqualTo(Outcome.done());
        assertThat(KernelMachine.value(devices.named(disk.name())).readOnly()).isFalse();
    }

    @Test
    void aDeviceOfNoScsiIsNeitherScannedNorTakenAway() {
        BlockDevice disk = machine.disk("disk", SIZE);

        assertThat(devices.rescan(machine.context(), disk)).isEqualTo(Outcome.done(disk));
        assertThat(KernelMachine.refusal(devices.remove(machine.context(), disk)))
                .contains(Refusal.UNSUPPORTED);
    }

    @Test
    void readsTheMediumDirectly() throws Exception {
        BlockDevice disk = machine.disk("disk", SIZE);
        Files.write(disk.path(), new byte[] {1, 2, 3}, StandardOpenOption.WRITE);
        DeviceCalls calls = new DeviceCalls(machine.kernel);
        try (Descriptor opened = calls.open(Kernel.name(disk.path()), Kernel.O_RDONLY | machine.kernel.directFlag())) {
            assertThat(calls.readDirect(opened, 0, 4096)).hasSize(4096).startsWith(1, 2, 3);
            assertThat(calls.readDirect(opened, SIZE - 4096, 8192)).hasSize(4096);
            assertThat(calls.size(opened)).isEqualTo(SIZE);
        }
    }
}
