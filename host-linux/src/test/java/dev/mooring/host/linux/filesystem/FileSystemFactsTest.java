// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.device.DeviceProbe;
import dev.mooring.host.linux.device.DirectReader;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read off a device and off what tools say: places, sizes, growth, content. */
class FileSystemFactsTest {
    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({
        "512, 0+512",
        "2097152, 0+2097152",
        "2097664, 0+2097152 2097152+512",
        "16777216, 0+2097152 8388608+8192 14680064+2097152",
        "1073741824, 0+2097152 8388608+8192 33554432+8192 134217728+8192 1071644672+2097152",
        "134217728, 0+2097152 8388608+8192 33554432+8192 132120576+2097152"
    })
    void thePlacesCoverBothEndsAndTheCopies(long size, String expected) {
        assertThat(DirectReader.places(size).stream()
                        .map(place -> place.start() + "+" + place.length())
                        .toList())
                .containsExactly(expected.split(" "));
    }

    @Test
    void theSizeOfAnExtFileSystemIsThatOfItsBlocks() {
        ByteBuffer superblock = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(KernelMachine.refusal(FileSystemSize.extSize(superblock))).contains(Refusal.CORRUPT);

        superblock
                .putShort(0x38, (short) 0xef53)
                .putInt(0x4, 1000)
                .putInt(0x18, 2)
                .putInt(0x150, 1);
        assertThat(FileSystemSize.extSize(superblock)).isEqualTo(Outcome.done(4096L * 1000));
        superblock.putInt(0x60, 0x80);
        assertThat(FileSystemSize.extSize(superblock)).isEqualTo(Outcome.done(4096L * (1000 + (1L << 32))));
    }

    @ParameterizedTest(name = "exit {0}: {1} → {2} of {3} is {4}")
    @CsvSource({
        "0, 1000, 2000, 2000, done",
        "1, 1000, 2000, 2000, done",
        "0, 2000, 2000, 2000, done",
        "1, 2000, 2000, 2000, done",
        "0, 1000, 1000, 2000, uncertain",
        "1, 1000, 1000, 2000, uncertain",
        "1, 1000, 1500, 2000, uncertain",
        "0, 10737418240, 10737418240, 10871635968, done",
        "1, 10737418240, 10737418240, 10871635968, uncertain",
        "1, 10737418240, 10871631872, 10871635968, done"
    })
    void growthIsWhatIsSeenNotWhatTheToolSays(int exit, long before, long after, long size, String expected) {
        assertThat(KernelMachine.kindOf(Growing.judge(other("naa.1", size), FakeDisk.exit(exit), before, after)))
                .isEqualTo(expected);
    }

    @Test
    void aToolThatWasKilledHasNotGrownWhatIsNotWhole() {
        CommandResult killed = new CommandResult(Ending.KILLED, 137, "", "");

        assertThat(KernelMachine.kindOf(
                        Growing.judge(other("naa.1", 10L << 30), killed, 9L << 30, (10L << 30) - (64 << 20))))
                .isEqualTo("uncertain");
        assertThat(KernelMachine.kindOf(Growing.judge(other("naa.1", 10L << 30), killed, 9L << 30, 10L << 30)))
                .isEqualTo("done");
    }

    @Test
    void identitiesAreSafeFileNames() {
        assertThat(LocalNotes.fileName("naa.6001")).isEqualTo("naa.6001");
        assertThat(LocalNotes.fileName("t10.IET  /../x")).isEqualTo("t10.IET_20_20_2f.._2fx");
    }

    /** As blkid 2.38 answers for a partition on which nothing was ever written. */
    @Test
    void whatThePartitionTableSaysIsNoContent() {
        String entry = """
                DEVNAME=/dev/sda1
                PART_ENTRY_SCHEME=dos
                PART_ENTRY_TYPE=0x83
                PART_ENTRY_NUMBER=1
                PART_ENTRY_OFFSET=2048
                PART_ENTRY_SIZE=40960
                PART_ENTRY_DISK=8:0
                """;
        assertThat(KernelMachine.value(
                        DeviceProbe.classify(FakeDisk.DEVICE, new CommandResult(Ending.EXITED, 0, entry, ""))))
                .isEmpty();
        assertThat(KernelMachine.value(DeviceProbe.classify(
                        FakeDisk.DEVICE, new CommandResult(Ending.EXITED, 0, entry + "PTTYPE=dos\n", ""))))
                .isPresent();
        assertThat(KernelMachine.value(DeviceProbe.classify(
                        FakeDisk.DEVICE, new CommandResult(Ending.EXITED, 0, "SOMETHING=new\n" + entry, ""))))
                .isPresent();
    }

    private static BlockDevice other(String wwid, long size) {
        BlockDevice device = FakeDisk.DEVICE;
        return new BlockDevice(device.name(), device.path(), device.number(), size, false, Optional.of(wwid));
    }
}
