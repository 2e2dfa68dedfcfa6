// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.FaultyHost;
import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices without WWID and serial number: volumes of LVM, arrays, partitions, and disks that only their path tells from others. */
@Tag("long")
class NamelessDeviceTest {
    private static final long SIZE = 32L << 20;
    private static final String LVM = "LVM-ybmXrBUqXzGm2qdIEwTPlWjQcQeIhTiB4BcnLVYv8Hm5bWLqJXFDsjzw3sFzgD9T";

    private LocalNode local;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
        local.hideNames();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.close();
        }
    }

    private String noted() {
        return local.node.notes.all.get(DiskIdentity.NOTE);
    }

    /** A volume that was formatted and used by a pod. */
    private VolumeSpec used(String name, Path disk) {
        VolumeSpec volume = local.volume(name, disk);
        HostPathNode.value(local.stage(volume));
        volume = local.volume(name, disk);
        HostPathNode.value(local.unpublish(volume, "pod", HostPathNode.value(local.publish(volume, "pod", false))));
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(local.volume(name, disk)))));
        return local.volume(name, disk);
    }

    private static String content(Path disk) {
        return HostPathNode.tool("blkid", "-p", "-s", "UUID", "-o", "value", disk.toString())
                .strip();
    }

    /** Ends after all was written over and before it is read again. */
    private String deletedHalfWay(VolumeSpec volume) {
        FaultyHost host = new FaultyHost(
                local.host(),
                call -> call.equals("BlockDevices.flush")
                        ? Optional.of(Outcome.uncertain("time is up"))
                        : Optional.empty());
        return HostPathNode.answer(local.plugin.delete(local.node.context(host.services()), volume));
    }

    private static byte[] image(Path disk) throws IOException {
        return Files.readAllBytes(disk);
    }

    @Test
    @DisplayName(
            "L13 a device without a name is cleaned to the end though its file system has gone, and given to the next volume")
    void l13_cleansWhatOnlyItsPathTells() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = used("pv", disk);
        assertThat(noted()).contains(";content=" + content(disk) + ";disk=none:" + disk);

        assertThat(deletedHalfWay(volume)).isEqualTo("uncertain");
        assertThat(local.delete(volume)).isEqualTo("done");
        assertThat(local.delete(volume)).isEqualTo("done");
        local.node.notes.all.clear();
        assertThat(HostPathNode.answer(local.stage(local.volume("next", disk)))).isEqualTo("done");
        assertThat(local.delete(volume)).isEqualTo("CORRUPT");
    }

    @Test
    @DisplayName("L13 a volume that was known by its file system is cleaned to the end too")
    void l13_cleansWhatWasKnownByItsContent() throws IOException {
        Path disk = local.disk("one", SIZE);
        used("pv", disk);
        // as it was noted once, on the volume and on the node
        String before = "kind=device;node=node-uid-1;inode=;disk=uuid:" + content(disk);
        local.node.notes.all.put(DiskIdentity.NOTE, before);
        Path ledger = HostPathNode.value(local.node.host.stateDirectory(LocalPlugin.NAME));
        Files.delete(ledger.resolve(hash("device  none:" + disk) + ".json"));
        assertThat(ledger.resolve(hash("device  uuid:" + content(disk)) + ".json"))
                .exists();

        assertThat(HostPathNode.answer(local.stage(local.volume("other", disk))))
                .isEqualTo("IN_USE");
        local.node.notes.all.put(DiskIdentity.NOTE, before);
        VolumeSpec volume = local.volume("pv", disk);
        assertThat(deletedHalfWay(volume)).isEqualTo("uncertain");
        assertThat(local.delete(volume)).isEqualTo("done");
    }

    private static String hash(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("L7 what a pod writes to its device makes it neither another one nor that of another volume")
    void l07_thePodCannotChangeWhichDeviceItHas() {
        Path one = local.disk("one", SIZE);
        VolumeSpec first = used("first", one);
        local.node.notes.all.clear();
        Path two = local.disk("two", SIZE);
        VolumeSpec second = local.volume("second", two, VolumeMode.BLOCK);
        HostPathNode.value(local.unstage(second, HostPathNode.value(local.stage(second))));

        HostPathNode.tool("mkfs.ext4", "-q", "-U", content(one), two.toString());

        second = local.volume("second", two, VolumeMode.BLOCK);
        assertThat(HostPathNode.answer(local.stage(second))).isEqualTo("done");
        assertThat(local.delete(second)).isEqualTo("done");
        assertThat(content(one)).isNotEmpty();
        local.node.notes.all.clear();
        assertThat(HostPathNode.answer(local.stage(local.volume("third", one)))).isEqualTo("IN_USE");
        assertThat(local.delete(first)).isEqualTo("done");
    }

    @Test
    @DisplayName("L7 a second volume on a formatted device without a name is refused under another path too")
    void l07_refusesASecondVolumeUnderAnotherPath() throws IOException {
        Path disk = local.disk("one", SIZE);
        Path link = Files.createSymbolicLink(local.node.base.resolve("link"), disk);
        VolumeSpec first = used("first", disk);
        local.node.notes.all.clear();

        assertThat(HostPathNode.answer(local.stage(local.volume("second", link))))
                .isEqualTo("IN_USE");
        assertThat(local.delete(first)).isEqualTo("done");
        local.node.notes.all.clear();
        assertThat(HostPathNode.answer(local.stage(local.volume("second", link))))
                .isEqualTo("done");
    }

    @Test
    @DisplayName(
            "L5 two disks without names that were exchanged are told apart by their file systems, and neither is touched")
    void l05_refusesSwappedDevices() throws IOException {
        Path one = local.disk("one", SIZE);
        VolumeSpec volume = used("pv", one);
        local.node.notes.all.clear();
        Path two = local.disk("two", SIZE);
        used("other", two);
        local.unplug(one);
        local.unplug(two);
        Path swapped = local.plug(local.node.base.resolve("two.img"));
        assertThat(swapped).isEqualTo(one);
        byte[] before = image(swapped);

        assertThat(HostPathNode.answer(local.stage(volume))).isEqualTo("CORRUPT");
        assertThat(local.delete(volume)).isEqualTo("CORRUPT");

        assertThat(image(swapped)).isEqualTo(before);
    }

    @Test
    @DisplayName("L13 a volume of LVM is known by LVM's name for it, whatever it holds")
    void l13_knowsAVolumeOfLvm() {
        local.told.put("/dm/uuid", Optional.of(LVM));
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = used("pv", disk);
        assertThat(noted()).isEqualTo("kind=device;node=node-uid-1;inode=;disk=dm:" + LVM);

        assertThat(deletedHalfWay(volume)).isEqualTo("uncertain");
        assertThat(local.delete(volume)).isEqualTo("done");
        local.told.put("/dm/uuid", Optional.of(LVM.replace('9', '8')));
        assertThat(local.delete(volume)).isEqualTo("CORRUPT");
    }

    @Test
    @DisplayName("L5 a volume that was known by its file system is known by its name from the next use on")
    void l05_learnsTheNameOfADevice() {
        Path disk = local.disk("one", SIZE);
        used("pv", disk);
        local.told.put("/md/uuid", Optional.of("e38a3b2c:5b2f1d0e:1e2d3c4b:5a697887"));
        local.node.notes.all.put(DiskIdentity.NOTE, "kind=device;node=node-uid-1;inode=;disk=uuid:" + content(disk));

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isEqualTo("done");

        assertThat(noted()).endsWith(";disk=md:e38a3b2c:5b2f1d0e:1e2d3c4b:5a697887");
    }

    @Test
    @DisplayName("L5 an array without a superblock has no name")
    void l05_takesZerosForNoName() {
        local.told.put("/md/uuid", Optional.of("00000000-0000-0000-0000-000000000000"));
        Path disk = local.disk("one", SIZE);
        HostPathNode.value(local.stage(local.volume("pv", disk)));

        assertThat(noted()).endsWith(";disk=none:" + disk);
    }

    @Test
    @DisplayName("L5 a partition is known by the table of its disk, whatever it holds")
    void l05_knowsAPartitionByTheTable() throws IOException {
        Path disk = local.disk("one", SIZE);
        try (var channel = Files.newByteChannel(disk, StandardOpenOption.WRITE)) {
            channel.write(table());
        }
        HostPathNode.tool("addpart", disk.toString(), "1", "2048", "32768");
        try {
            Path partition = Path.of(disk + "p1");
            VolumeSpec volume = local.volume("pv", partition, VolumeMode.BLOCK);
            HostPathNode.value(local.stage(volume));
            assertThat(noted()).endsWith(";disk=partuuid:1234abcd-01");
            HostPathNode.tool("mkfs.ext4", "-q", partition.toString());

            volume = local.volume("pv", partition, VolumeMode.BLOCK);
            assertThat(HostPathNode.answer(local.stage(volume))).isEqualTo("done");
            assertThat(deletedHalfWay(volume)).isEqualTo("uncertain");
            assertThat(local.delete(volume)).isEqualTo("done");
        } finally {
            HostPathNode.tool("delpart", disk.toString(), "1");
        }
    }

    /** A table of the type dos with one partition of 16 MiB. */
    private static ByteBuffer table() {
        return ByteBuffer.allocate(512)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(440, 0x1234abcd)
                .put(450, (byte) 0x83)
                .putInt(454, 2048)
                .putInt(458, 32_768)
                .put(510, (byte) 0x55)
                .put(511, (byte) 0xaa);
    }
}
