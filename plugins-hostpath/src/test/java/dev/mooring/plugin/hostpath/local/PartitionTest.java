// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A disk and its partitions, where both are volumes: what happens to the one happens to the other. */
class PartitionTest {
    private LocalNode local;
    private Path disk;
    private final Set<Integer> known = new TreeSet<>();

    @BeforeEach
    void setUp() {
        local = new LocalNode();
        disk = local.disk("one", 64L << 20);
        local.hideNames();
        local.told.put("/serial", Optional.of("S1"));
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.node.unmountAll();
            forgetPartitions();
            local.close();
        }
    }

    private Path partition(int number) {
        HostPathNode.tool("addpart", disk.toString(), "" + number, "" + (number * 40_000 - 32_000), "32768");
        known.add(number);
        return Path.of(disk + "p" + number);
    }

    /** A loop device reads no table, so the kernel has to be told. */
    private void forgetPartitions() {
        known.forEach(number -> HostPathNode.tool("delpart", disk.toString(), "" + number));
        known.clear();
    }

    private String deletedWithItsPartitions(VolumeSpec volume) {
        forgetPartitions();
        return local.delete(volume);
    }

    /** What was noted of another volume is not noted of this one. */
    private VolumeSpec volume(String name, Path device, String... notes) {
        local.node.notes.all.clear();
        for (int i = 0; i < notes.length; i += 2) {
            local.node.notes.all.put(notes[i], notes[i + 1]);
        }
        return local.volume(name, device, VolumeMode.BLOCK);
    }

    private String staged(VolumeSpec volume) {
        return HostPathNode.answer(local.stage(volume));
    }

    private List<FoundVolume> found() {
        local.node.told.clear();
        return HostPathNode.value(local.plugin.discover(local.context(), Map.of()));
    }

    private static String identity(String disk) {
        return "kind=device;node=node-uid-1;inode=;disk=serial:" + disk;
    }

    @Test
    @DisplayName("L7 a disk is not a volume's while one of its partitions holds the data of another")
    void l07_aDiskIsNotUsedOverItsPartition() throws IOException {
        Path partition = partition(1);
        assertThat(staged(volume("part", partition))).isEqualTo("done");
        assertThat(local.node.notes.all).containsEntry(DiskIdentity.NOTE, identity("S1/1"));
        Files.writeString(partition, "data");

        assertThat(staged(volume("whole", disk))).isEqualTo("IN_USE");
        assertThat(local.delete(volume("whole", disk, DiskIdentity.NOTE, identity("S1"))))
                .isEqualTo("IN_USE");
        assertThat(Files.readString(partition, StandardCharsets.ISO_8859_1)).startsWith("data");

        assertThat(local.delete(volume("part", partition))).isEqualTo("done");
        assertThat(staged(volume("whole", disk))).isEqualTo("done");
    }

    @Test
    @DisplayName("L7 a partition is not a volume's while its disk holds the data of another, unless it is said to be")
    void l07_aPartitionIsNotUsedUnderItsDisk() {
        assertThat(staged(volume("whole", disk))).isEqualTo("done");
        Path partition = partition(1);

        assertThat(staged(volume("part", partition))).isEqualTo("IN_USE");
        assertThat(local.delete(volume("part", partition, DiskIdentity.NOTE, identity("S1/1"))))
                .isEqualTo("IN_USE");

        assertThat(staged(volume("part", partition, DiskAdmission.ADOPT, "true")))
                .isEqualTo("done");
        assertThat(local.delete(volume("whole", disk))).isEqualTo("IN_USE");
        assertThat(local.delete(volume("part", partition, DiskAdmission.ADOPT, "true")))
                .isEqualTo("done");
        assertThat(deletedWithItsPartitions(volume("whole", disk))).isEqualTo("done");
        assertThat(staged(volume("next", partition(1)))).isEqualTo("done");
    }

    @Test
    @DisplayName("L7 a disk that is taken over is taken over with its partitions")
    void l07_adoptsADiskWithItsPartitions() {
        Path partition = partition(1);
        assertThat(staged(volume("part", partition))).isEqualTo("done");

        assertThat(staged(volume("whole", disk, DiskAdmission.ADOPT, "true"))).isEqualTo("done");
        assertThat(staged(volume("part", partition))).isEqualTo("IN_USE");
        assertThat(local.delete(volume("part", partition))).isEqualTo("DENIED");
        assertThat(deletedWithItsPartitions(volume("whole", disk))).isEqualTo("done");
    }

    @Test
    @DisplayName("L7 two partitions of a disk are two volumes")
    void l07_partitionsDoNotDisturbEachOther() {
        Path one = partition(1);
        Path two = partition(2);
        assertThat(staged(volume("one", one))).isEqualTo("done");
        assertThat(staged(volume("two", two))).isEqualTo("done");
        assertThat(local.delete(volume("one", one))).isEqualTo("done");
        assertThat(staged(volume("two", two))).isEqualTo("done");
        assertThat(staged(volume("next", one))).isEqualTo("done");
    }

    @Test
    @DisplayName(
            "L13 a partition that a pod made on its disk is not offered before the disk was cleaned, nor a disk before its partition")
    void l13_offersNeitherForTheOther() throws IOException {
        Path offered = local.node.directory("offered");
        local.set(Map.of("discover.fast", offered.toString()));
        Files.createSymbolicLink(offered.resolve("disk"), disk);
        assertThat(found()).hasSize(1);
        assertThat(staged(volume("whole", disk))).isEqualTo("done");
        Path partition = partition(1);
        Files.createSymbolicLink(offered.resolve("disk-part1"), partition);

        assertThat(found()).isEmpty();
        assertThat(local.node.told)
                .anySatisfy(text -> assertThat(text).contains("disk-part1").contains("data of volume whole"));

        assertThat(deletedWithItsPartitions(volume("whole", disk))).isEqualTo("done");
        partition(1);
        assertThat(found()).hasSize(2);
        assertThat(staged(volume("part", partition))).isEqualTo("done");
        assertThat(found()).isEmpty();
        assertThat(local.node.told)
                .hasSize(2)
                .allSatisfy(text -> assertThat(text).contains("data of volume part"));
    }
}
