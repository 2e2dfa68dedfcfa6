// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On the real kernel with the real tools, on loop devices. */
@Tag("long")
class LinuxFileSystemsTest {
    private static final long MIB = 1 << 20;
    /** XFS makes none on less. */
    private static final long SIZE = 320 * MIB;

    private final MemoryNotes notes = new MemoryNotes();
    private KernelMachine machine;
    private Path target;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        machine.directory("mounts");
        target = machine.base.resolve("mounts/volume");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private void needs(String type) {
        assumeTrue(machine.host.processes().locate("mkfs." + type).isPresent(), "needs mkfs." + type);
    }

    private FileSystemRequest request(String type, FormatPolicy policy) {
        return new FileSystemRequest(type, policy, false, false, List.of(), SIZE, notes);
    }

    private static FileSystemRequest readOnly(FileSystemRequest request, boolean shared) {
        return new FileSystemRequest(
                request.type(),
                request.policy(),
                true,
                shared,
                request.options(),
                request.leastBytes(),
                request.notes());
    }

    private Outcome<MountEntry> mount(BlockDevice disk, FileSystemRequest request) {
        return machine.host.fileSystems().mount(machine.context(), disk, target, request);
    }

    private MountEntry mounted(BlockDevice disk, FileSystemRequest request) {
        return KernelMachine.value(mount(disk, request));
    }

    private void unmount(MountEntry entry) {
        assertThat(machine.host
                        .mounts()
                        .unmount(machine.context(), target, MountExpectation.of(entry, false), UnmountForce.NONE))
                .isEqualTo(Outcome.done());
    }

    private Optional<String> probe(BlockDevice disk) {
        return KernelMachine.value(machine.host.fileSystems().probe(machine.context(), disk));
    }

    private void write(String image, long at, byte[] bytes) {
        try (RandomAccessFile file =
                new RandomAccessFile(machine.base.resolve(image).toFile(), "rw")) {
            file.seek(at);
            file.write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private BlockDevice now(BlockDevice disk) {
        return KernelMachine.value(machine.host.blockDevices().named(disk.name()));
    }

    private long sectorsWritten(BlockDevice disk) {
        Path statistics = Path.of("/sys/block", disk.name(), "stat");
        String text = KernelMachine.value(machine.host.sysfs().read(statistics)).orElseThrow();
        return Long.parseLong(text.strip().split("\\s+", -1)[6]);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext3", "ext4", "xfs", "btrfs"})
    void aBlankDeviceIsGivenItsFileSystemOnce(String type) throws IOException {
        needs(type);
        BlockDevice disk = machine.disk("disk", SIZE);
        assertThat(probe(disk)).isEmpty();

        MountEntry entry = mounted(disk, request(type, FormatPolicy.IF_BLANK));
        Files.writeString(target.resolve("data"), "precious");
        assertThat(mounted(disk, request(type, FormatPolicy.IF_BLANK)).id()).isEqualTo(entry.id());
        unmount(entry);

        assertThat(entry.fsType()).isEqualTo(type);
        assertThat(probe(disk)).contains(type);
        assertThat(notes.history).hasSize(2);
        assertThat(notes.history.get(0)).isEqualTo("pending:" + notes.history.get(1));
        String uuid = KernelMachine.tool(
                "blkid", "-p", "-s", "UUID", "-o", "value", disk.path().toString());
        assertThat(notes.history.get(1)).isEqualTo(type + ":" + uuid.strip());

        mounted(disk, request(type, FormatPolicy.IF_BLANK));
        assertThat(target.resolve("data")).hasContent("precious");
        assertThat(notes.history).hasSize(2);
    }

    @Test
    void aFileSystemThatIsThereIsNotedBeforeItIsMounted() {
        BlockDevice disk = machine.disk("disk", SIZE);
        KernelMachine.tool(
                "mkfs.ext4",
                "-q",
                "-U",
                "11111111-2222-3333-4444-555555555555",
                disk.path().toString());

        mounted(disk, request("ext4", FormatPolicy.NEVER));

        assertThat(notes.history).containsExactly("ext4:11111111-2222-3333-4444-555555555555");
    }

    @Test
    void m12_ext4WithWipedPrimarySuperblockIsNotFormatted() {
        BlockDevice disk = machine.disk("disk", SIZE);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        write("disk", 0, new byte[2 * (int) MIB]);
        notes.values.clear();
        assertThat(probe(disk)).isEmpty();

        assertThat(KernelMachine.refusal(mount(disk, request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.CORRUPT);
        assertThat(probe(disk)).isEmpty();
        assertThat(notes.values).isEmpty();
    }

    @Test
    void m13_garbageWithoutSignatureIsRefusedUnlessThePolicyAllowsIt() {
        BlockDevice disk = machine.disk("disk", SIZE);
        write("disk", SIZE - 5000, new byte[] {42});

        Outcome<MountEntry> refused = mount(disk, request("ext4", FormatPolicy.IF_BLANK));
        assertThat(KernelMachine.refusal(refused)).contains(Refusal.CORRUPT);
        assertThat(refused.message()).contains(Long.toString(SIZE - 5000));
        assertThat(KernelMachine.refusal(mount(disk, request("ext4", FormatPolicy.NEVER))))
                .contains(Refusal.INCOMPATIBLE);
        assertThat(notes.values).isEmpty();

        assertThat(mounted(disk, request("ext4", FormatPolicy.IF_NO_SIGNATURE)).fsType())
                .isEqualTo("ext4");
    }

    @Test
    void m18_aPartitionTableIsNotFormatted() {
        BlockDevice disk = machine.disk("disk", SIZE);
        byte[] table = new byte[66];
        table[0] = 0;
        table[4] = (byte) 0x83;
        table[9] = 8;
        table[14] = 16;
        table[64] = 0x55;
        table[65] = (byte) 0xaa;
        write("disk", 446, table);

        assertThat(probe(disk)).contains("dos partition table");
        for (FormatPolicy policy : FormatPolicy.values()) {
            assertThat(KernelMachine.refusal(mount(disk, request("ext4", policy))))
                    .contains(Refusal.INCOMPATIBLE);
        }
        assertThat(notes.values).isEmpty();
    }

    @Test
    void whatWasNotedAndLooksBlankIsDamaged() {
        BlockDevice disk = machine.disk("disk", SIZE);
        notes.values.put(FileSystems.NOTE, "ext4:11111111-2222-3333-4444-555555555555");

        for (FormatPolicy policy : List.of(FormatPolicy.IF_BLANK, FormatPolicy.IF_NO_SIGNATURE)) {
            assertThat(KernelMachine.refusal(mount(disk, request("ext4", policy))))
                    .contains(Refusal.CORRUPT);
        }
        assertThat(probe(disk)).isEmpty();
    }

    @Test
    void anotherFileSystemIsLeftAlone() {
        BlockDevice disk = machine.disk("disk", SIZE);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        notes.values.clear();

        assertThat(KernelMachine.refusal(mount(disk, request("xfs", FormatPolicy.IF_BLANK))))
                .contains(Refusal.INCOMPATIBLE);
        assertThat(probe(disk)).contains("ext4");
    }

    @Test
    void withoutAPlaceForTheNoteNothingIsFormatted() {
        BlockDevice disk = machine.disk("disk", SIZE);
        FileSystemRequest inline =
                new FileSystemRequest("ext4", FormatPolicy.IF_BLANK, false, false, List.of(), SIZE, VolumeNotes.NONE);

        assertThat(KernelMachine.refusal(mount(disk, inline))).contains(Refusal.UNSUPPORTED);
        assertThat(probe(disk)).isEmpty();
    }

    @Test
    void aUsedDeviceIsLeftAlone() {
        BlockDevice disk = machine.disk("disk", SIZE);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        Path other = machine.directory("other");
        KernelMachine.tool("mount", disk.path().toString(), other.toString());

        assertThat(KernelMachine.refusal(mount(disk, request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.IN_USE);
    }

    @Test
    void aDeviceThatIsTooSmallIsNotTheOneThatIsMeant() {
        BlockDevice disk = machine.disk("disk", SIZE - MIB);

        assertThat(KernelMachine.refusal(mount(disk, request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.CORRUPT);
        assertThat(probe(disk)).isEmpty();
    }

    @Test
    void m14_aBegunFormatIsFinishedWithTheSameIdentity() {
        BlockDevice disk = machine.disk("disk", SIZE);
        String uuid = "11111111-2222-3333-4444-555555555555";
        notes.values.put(FileSystems.NOTE, "pending:ext4:" + uuid);
        // what a tool that was cut off may leave
        write("disk", 70000, new byte[] {1, 2, 3});

        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        assertThat(notes.values).containsEntry(FileSystems.NOTE, "ext4:" + uuid);

        notes.values.put(FileSystems.NOTE, "pending:ext4:" + uuid);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        assertThat(notes.values).containsEntry(FileSystems.NOTE, "ext4:" + uuid);

        notes.values.put(FileSystems.NOTE, "pending:ext4:99999999-2222-3333-4444-555555555555");
        assertThat(KernelMachine.refusal(mount(disk, request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.CORRUPT);
    }

    @Test
    void m16_aDirtyXfsLogMountsWithoutRepair() throws IOException {
        needs("xfs");
        BlockDevice disk = machine.disk("disk", SIZE);
        BlockDevice dirty = dirtyCopy(disk, "xfs");

        mounted(dirty, request("xfs", FormatPolicy.NEVER));

        assertThat(target.resolve("data")).hasContent("precious");
    }

    /** A disk as a node leaves it that loses its power. */
    private BlockDevice dirtyCopy(BlockDevice disk, String type) throws IOException {
        MountEntry entry = mounted(disk, request(type, FormatPolicy.IF_BLANK));
        Files.writeString(target.resolve("data"), "precious");
        KernelMachine.tool("sync", "-f", target.resolve("data").toString());
        Path image = machine.base.resolve("disk");
        KernelMachine.tool(
                "cp",
                "--sparse=always",
                image.toString(),
                machine.base.resolve("copy").toString());
        unmount(entry);
        machine.host.blockDevices().detachLoop(machine.context(), image);
        return machine.disk("copy", SIZE);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext4", "xfs"})
    void m17_aReadOnlyMountOfASharedDeviceWritesNoBlock(String type) throws IOException {
        needs(type);
        BlockDevice disk = machine.disk("disk", SIZE);
        MountEntry first = mounted(disk, request(type, FormatPolicy.IF_BLANK));
        Files.writeString(target.resolve("data"), "precious");
        unmount(first);
        long before = sectorsWritten(disk);

        MountEntry entry = mounted(disk, readOnly(request(type, FormatPolicy.IF_BLANK), true));
        assertThat(target.resolve("data")).hasContent("precious");
        unmount(entry);

        assertThat(entry.readOnly()).isTrue();
        assertThat(sectorsWritten(disk)).isEqualTo(before);
        assertThat(now(disk).readOnly()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext4", "xfs"})
    void m17_aDirtyLogIsNotReplayedForAReadOnlyMount(String type) throws IOException {
        needs(type);
        BlockDevice dirty = dirtyCopy(machine.disk("disk", SIZE), type);
        long before = sectorsWritten(dirty);

        assertThat(KernelMachine.refusal(mount(dirty, readOnly(request(type, FormatPolicy.IF_BLANK), true))))
                .contains(Refusal.INCOMPATIBLE);
        assertThat(sectorsWritten(dirty)).isEqualTo(before);
    }

    @Test
    void aDeviceMadeReadOnlyHereIsWrittenAgainWhenThatIsAsked() {
        BlockDevice disk = machine.disk("disk", SIZE);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        unmount(mounted(disk, readOnly(request("ext4", FormatPolicy.IF_BLANK), false)));

        assertThat(mounted(now(disk), request("ext4", FormatPolicy.IF_BLANK)).readOnly())
                .isFalse();
    }

    @Test
    void aDeviceThatAnotherProgramMadeReadOnlyStaysSo() {
        BlockDevice disk = machine.disk("disk", SIZE);
        unmount(mounted(disk, request("ext4", FormatPolicy.IF_BLANK)));
        KernelMachine.tool("blockdev", "--setro", disk.path().toString());

        assertThat(KernelMachine.refusal(mount(now(disk), request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.DENIED);
        unmount(mounted(now(disk), readOnly(request("ext4", FormatPolicy.IF_BLANK), false)));
        assertThat(KernelMachine.refusal(mount(now(disk), request("ext4", FormatPolicy.IF_BLANK))))
                .contains(Refusal.DENIED);
        assertThat(now(disk).readOnly()).isTrue();
    }

    /** Needs a capability that machines of a build do not have. */
    @Tag("guest")
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext4", "xfs", "btrfs"})
    void m19_growsOnlineAndASecondTimeChangesNothing(String type) {
        needs(type);
        assumeTrue(machine.mayGrow(), "needs CAP_SYS_RESOURCE");
        BlockDevice disk = machine.disk("disk", SIZE);
        mounted(disk, request(type, FormatPolicy.IF_BLANK));
        assertThat(grow(disk)).matches(outcome -> outcome.isDone());
        long before = KernelMachine.value(grow(disk));
        assertThat(before).isBetween(SIZE / 16 * 15, SIZE);

        machine.resize("disk", 2 * SIZE);
        BlockDevice larger = KernelMachine.value(machine.host.blockDevices().rescan(machine.context(), disk));

        assertThat(larger.sizeBytes()).isEqualTo(2 * SIZE);
        long after = KernelMachine.value(grow(larger));
        assertThat(after).isBetween(2 * SIZE / 16 * 15, 2 * SIZE);
        assertThat(grow(larger)).isEqualTo(Outcome.done(after));
    }

    private Outcome<Long> grow(BlockDevice disk) {
        return machine.host.fileSystems().grow(machine.context(), disk, target);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"ext4", "xfs"})
    void m19_aDeviceSmallerThanItsFileSystemIsDamaged(String type) {
        needs(type);
        BlockDevice disk = machine.disk("disk", SIZE);
        mounted(disk, request(type, FormatPolicy.IF_BLANK));
        machine.resize("disk", SIZE - 64 * MIB);
        BlockDevice smaller = KernelMachine.value(machine.host.blockDevices().rescan(machine.context(), disk));

        assertThat(smaller.sizeBytes()).isEqualTo(SIZE - 64 * MIB);
        assertThat(KernelMachine.refusal(grow(smaller))).contains(Refusal.CORRUPT);
        machine.resize("disk", SIZE);
        KernelMachine.value(machine.host.blockDevices().rescan(machine.context(), disk));
    }

    @Test
    void whatIsNotMountedThereIsNotGrown() {
        assertThat(KernelMachine.refusal(grow(machine.disk("disk", SIZE)))).contains(Refusal.NOT_FOUND);
    }
}
