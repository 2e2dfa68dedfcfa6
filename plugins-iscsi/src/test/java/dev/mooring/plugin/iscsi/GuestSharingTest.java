// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.serviceAt;
import static dev.mooring.plugin.iscsi.IscsiMachine.tool;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several users of one target on a real kernel. */
@Tag("guest")
class GuestSharingTest {
    private static final String SECOND = "127.0.0.2:3260";
    private static final Path RECORD = Path.of("/etc/iscsi/nodes", IQN, "127.0.0.1,3260");

    private IscsiMachine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() {
        machine = new IscsiMachine();
        before = IscsiMachine.traces();
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(IscsiMachine.traces()).isEqualTo(before);
            assertThat(machine.ledger()).isEmpty();
            service("lio-stop", IQN);
        }
    }

    private static void target(int units) {
        service("lio-start", IQN);
        for (int i = 0; i < units; i++) {
            service("lio-lun", IQN, Integer.toString(i), "/tmp/disk" + i, "64M");
        }
    }

    private static VolumeSpec fileSystem(long lun) {
        return Volumes.fileSystem(Volumes.source(IQN, lun).toSource());
    }

    private static VolumeSpec block(long lun) {
        return Volumes.block(Volumes.source(IQN, lun).toSource());
    }

    private static void byHand(String... words) {
        tool(Stream.concat(
                        Stream.of("iscsiadm", "-m", "node", "-T", IQN, "-p", PORTAL, "-I", "default"), Stream.of(words))
                .toArray(String[]::new));
    }

    @Test
    void i07_aSessionLivesAsLongAsItsLastVolume() {
        target(2);
        PluginState one = value(machine.stage(fileSystem(0)));
        PluginState other = value(machine.stage(block(1)));
        assertThat(IscsiMachine.names("/sys/class/iscsi_session")).hasSize(1);

        assertThat(answer(machine.unstage(fileSystem(0), one))).isEqualTo("done");
        assertThat(IscsiMachine.names("/sys/class/iscsi_session")).hasSize(1);
        assertThat(machine.device(block(1)).sizeBytes()).isPositive();
        assertThat(answer(machine.unstage(block(1), other))).isEqualTo("done");
        assertThat(IscsiMachine.names("/sys/class/iscsi_session")).isEmpty();
    }

    @Test
    void i09_aSessionMadeByHandIsNeverEndedAndItsRecordNeverChanged() throws IOException {
        target(1);
        byHand("-o", "new");
        byHand("-o", "update", "-n", "node.session.scan", "-v", "manual");
        byHand("--login");
        String record = Files.readString(RECORD);

        PluginState state = value(machine.stage(fileSystem(0)));
        assertThat(answer(machine.unstage(fileSystem(0), state))).isEqualTo("done");

        assertThat(IscsiMachine.names("/sys/class/iscsi_session")).hasSize(1);
        assertThat(RECORD).hasContent(record);
        byHand("--logout");
        byHand("-o", "delete");
    }

    @Test
    void i10_aDiskInUseIsNotTakenAway() {
        target(1);
        PluginState state = value(machine.stage(block(0)));
        String loop = tool(
                        "losetup",
                        "-f",
                        "--show",
                        machine.device(block(0)).path().toString())
                .strip();

        assertThat(answer(machine.unstage(block(0), state))).isEqualTo("IN_USE");
        assertThat(machine.device(block(0)).sizeBytes()).isPositive();
        tool("losetup", "-d", loop);
        assertThat(answer(machine.unstage(block(0), state))).isEqualTo("done");
    }

    @Test
    void i11_whereTheUnmountFailsDiskAndSessionStay() throws IOException {
        target(1);
        PluginState state = value(machine.stage(fileSystem(0)));
        try (var open = Files.newOutputStream(machine.staging(fileSystem(0)).resolve("file"))) {
            open.write(1);
            assertThat(answer(machine.unstage(fileSystem(0), state))).isEqualTo("IN_USE");
            assertThat(IscsiMachine.names("/sys/class/iscsi_session")).hasSize(1);
            open.write(2);
        }
        assertThat(answer(machine.unstage(fileSystem(0), state))).isEqualTo("done");
    }

    @Test
    void i13_anotherDiskBehindTheSameNumberIsRefused() {
        target(1);
        PluginState state = value(machine.stage(fileSystem(0)));
        assertThat(answer(machine.unstage(fileSystem(0), state))).isEqualTo("done");
        service("lio-stop", IQN);
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/another", "64M");

        assertThat(answer(machine.stage(fileSystem(0)))).isEqualTo("CORRUPT");
        assertThat(answer(machine.stage(block(0)))).isEqualTo("CORRUPT");
    }

    @Test
    void i14_theDiskOfAnEarlierScanIsRemovedFirst() {
        target(1);
        byHand("-o", "new");
        byHand("--login");
        tool("udevadm", "settle");
        assertThat(IscsiMachine.names("/sys/block")).contains("sda");

        PluginState state = value(machine.stage(block(0)));
        assertThat(state.content()).contains("device ").contains(" ours");
        assertThat(answer(machine.unstage(block(0), state))).isEqualTo("done");
        byHand("--logout");
        byHand("-o", "delete");
    }

    @Test
    void i15_aMapGoesOnWhenOnePathIsLost() throws IOException {
        serviceAt(PORTAL + " " + SECOND, "lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        service("multipath-start");
        try {
            VolumeSpec volume =
                    Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
            PluginState state = value(machine.stage(volume));
            assertThat(IscsiMachine.names("/sys/class/iscsi_session")).hasSize(2);
            assertThat(machine.device(volume).name()).startsWith("dm-");

            Files.writeString(Path.of("/sys/block/sda/device/state"), "offline\n");
            Path file = machine.staging(volume).resolve("file");
            Files.writeString(file, "kept");
            tool("sync", "-f", file.toString());
            Files.writeString(Path.of("/sys/block/sda/device/state"), "running\n");

            // Back, it carries all there is.
            awaitPath("sda");
            Files.writeString(Path.of("/sys/block/sdb/device/state"), "offline\n");
            long written = completedWrites("sda");
            Path second = machine.staging(volume).resolve("second");
            Files.writeString(second, "kept too");
            tool("sync", "-f", second.toString());
            assertThat(completedWrites("sda")).isGreaterThan(written);
            Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3\n");
            assertThat(file).hasContent("kept");
            assertThat(second).hasContent("kept too");
            Files.writeString(Path.of("/sys/block/sdb/device/state"), "running\n");

            assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
        } finally {
            IscsiMachine.attempt("multipathd", "shutdown");
        }
    }

    /** Waits until multipathd has found out that a path is good again: it looks every few seconds. */
    private static void awaitPath(String disk) {
        while (!tool("multipathd", "show", "paths", "raw", "format", "%d %t")
                .lines()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .toList()
                .contains(disk + " active")) {
            assertThat(Thread.interrupted()).as("it lasts too long").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private static long completedWrites(String disk) throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/sys/block", disk, "stat")).strip().split("\\s+", -1)[4]);
    }

    @Test
    void i20_theRecordIsManual() {
        target(1);
        PluginState state = value(machine.stage(block(0)));
        assertThat(RECORD).content().contains("node.startup = manual", "node.session.scan = manual");
        assertThat(answer(machine.unstage(block(0), state))).isEqualTo("done");
    }

    @Test
    void i21_diskAndFileSystemGrowWhileInUse() {
        target(2);
        Quantity wanted = Quantity.parse("256Mi");
        PluginState one = value(machine.stage(fileSystem(0)));
        PluginState other = value(machine.stage(block(1)));
        assertThat(answer(machine.expand(fileSystem(0), wanted))).isEqualTo("deferred");
        service("lio-grow", "/tmp/disk0", "256M");
        service("lio-grow", "/tmp/disk1", "256M");

        long before = machine.staging(fileSystem(0)).toFile().getTotalSpace();
        value(machine.expand(fileSystem(0), wanted));
        value(machine.expand(fileSystem(0), wanted));
        assertThat(machine.staging(fileSystem(0)).toFile().getTotalSpace()).isGreaterThan(2 * before);
        assertThat(value(machine.expand(block(1), wanted))).isEqualTo(wanted);
        BlockDevice device = machine.device(block(1));
        assertThat(device.sizeBytes()).isEqualTo(256L << 20);

        assertThat(answer(machine.unstage(fileSystem(0), one))).isEqualTo("done");
        assertThat(answer(machine.unstage(block(1), other))).isEqualTo("done");
    }

    @Test
    void i28_whatIsSharedIsNeverWritten() throws IOException {
        target(1);
        PluginState writer = value(machine.stage(fileSystem(0)));
        Files.writeString(machine.staging(fileSystem(0)).resolve("file"), "kept");
        assertThat(answer(machine.unstage(fileSystem(0), writer))).isEqualTo("done");
        VolumeSpec shared = Volumes.withModes(fileSystem(0), AccessMode.READ_ONLY_MANY);

        PluginState state = value(machine.stage(shared));
        assertThat(machine.staging(shared).resolve("file")).hasContent("kept");
        BlockDevice device = machine.device(shared);
        assertThat(device.readOnly()).isTrue();
        assertThat(completedWrites(device.name())).as("completed writes").isZero();
        assertThat(answer(machine.unstage(shared, state))).isEqualTo("done");
    }

    /** What a kubelet leaves: a session with the disk below, its note in the directory, and the mount over the note. */
    private Path stagedByAKubelet(String note) throws IOException {
        target(1);
        byHand("-o", "new");
        byHand("-o", "update", "-n", "node.session.scan", "-v", "manual");
        byHand("--login");
        String host = IscsiMachine.names("/sys/class/iscsi_host").get(0).replace("host", "");
        Files.writeString(Path.of("/sys/class/scsi_host/host" + host + "/scan"), "0 0 0");
        String disk = "/dev/" + diskOf("/sys/bus/scsi/devices/" + host + ":0:0:0/block");
        tool("udevadm", "settle");
        tool("mkfs.ext4", "-q", disk);
        Path directory =
                Files.createDirectories(machine.base.resolve("iface-default").resolve(PORTAL + "-" + IQN + "-lun-0"));
        if (!note.isEmpty()) {
            Files.writeString(directory.resolve("iscsi.json"), note);
        }
        tool("mount", disk, directory.toString());
        Files.writeString(directory.resolve("file"), "kept");
        return directory;
    }

    /** The kernel looks at a new disk in a thread of its own. */
    private static String diskOf(String directory) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (IscsiMachine.names(directory).isEmpty() && System.nanoTime() < giveUp) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return IscsiMachine.names(directory).get(0);
    }

    private static final String NOTE = "{\"VolName\":\"pv\",\"Portals\":[\"" + PORTAL + "\"],\"Iqn\":\"" + IQN
            + "\",\"Lun\":\"0\",\"InitIface\":\"default\",\"Iface\":\"default\",\"InitiatorName\":\"\"}\n";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void i32_whatAKubeletHasStagedIsTakenOver(boolean noted) throws IOException {
        Path directory = stagedByAKubelet(noted ? NOTE : "");
        VolumeSpec volume = fileSystem(0);

        Reconstructing.Adopted adopted = value(machine.reconstruct(volume, directory));
        assertThat(directory.resolve("file")).as("nothing was unmounted").hasContent("kept");
        assertThat(machine.plugin.identify(adopted.source())).isEqualTo(machine.plugin.identify(volume.source()));
        assertThat(IscsiSource.of(adopted.source()).orElseThrow().targetPortal())
                .isEqualTo(PORTAL);
        // a pod gets it, and staging finds it staged
        value(machine.stageAt(volume, directory));
        PluginState published = value(machine.publishFrom(volume, "pod", directory));
        assertThat(machine.target("pod").resolve("file")).hasContent("kept");
        assertThat(answer(machine.unpublish(volume, "pod", published))).isEqualTo("done");

        assertThat(answer(machine.unstageAt(volume, directory, adopted.state())))
                .isEqualTo("done");
        assertThat(machine.mounts()).isEmpty();
        assertThat(directory).doesNotExist();
        assertThat(IscsiMachine.names("/sys/class/iscsi_session"))
                .as("the session is the kubelet's")
                .hasSize(1);
        byHand("--logout");
        byHand("-o", "delete");
    }

    @Test
    void i32_aNoteAboutAnotherDiskThanTheMountedOneProvesNothing() throws IOException {
        Path directory = stagedByAKubelet(NOTE.replace("\"Lun\":\"0\"", "\"Lun\":\"1\""));
        assertThat(answer(machine.reconstruct(fileSystem(0), directory))).isEqualTo("NOT_FOUND");
        assertThat(answer(machine.reconstruct(fileSystem(0), machine.base))).isEqualTo("NOT_FOUND");
        assertThat(directory.resolve("file")).hasContent("kept");
        tool("umount", directory.toString());
        byHand("--logout");
        byHand("-o", "delete");
    }
}
