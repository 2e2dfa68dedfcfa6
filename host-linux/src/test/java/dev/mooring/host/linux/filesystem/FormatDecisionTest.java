// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a device is formatted, checked, mounted: every decision of §1.5, without a kernel. */
class FormatDecisionTest {
    private static final String UUID = "11111111-2222-3333-4444-555555555555";

    private FakeDisk disk = new FakeDisk();

    private FileSystemRequest request(FormatPolicy policy, boolean readOnly, boolean shared) {
        return new FileSystemRequest("ext4", policy, readOnly, shared, List.of("noatime"), 4096, disk.notes);
    }

    private FileSystemRequest request() {
        return request(FormatPolicy.IF_BLANK, false, false);
    }

    private Outcome<MountEntry> mount(FileSystemRequest request) {
        return disk.fileSystems().mount(TimedCall.of(HostServices.none()), FakeDisk.DEVICE, FakeDisk.TARGET, request);
    }

    private static CommandResult ended(Ending ending, int exit, String output, String errors) {
        return new CommandResult(ending, exit, output, errors);
    }

    @Test
    void theStepsComeInTheirOrder() {
        mount(request());

        String uuid = disk.notes.history.get(0).replace("pending:ext4:", "");
        assertThat(disk.commands)
                .containsExactly(
                        "blkid -p -o export /dev/sda",
                        "blkid -p -o export /dev/sda",
                        "blkid -p -o export /dev/sda",
                        "mkfs.ext4 -F -m0 -U " + uuid + " /dev/sda",
                        "blkid -p -o export /dev/sda",
                        "flush");
        assertThat(disk.notes.history).containsExactly("pending:ext4:" + uuid, "ext4:" + uuid);
        assertThat(disk.mounted).containsExactly("ext4 [noatime]");
    }

    @ParameterizedTest(name = "blkid {0} {1} {2} → {3}")
    @CsvSource(
            delimiter = ';',
            value = {
                "EXITED; 0; TYPE=ext4; ; done ext4",
                "EXITED; 0; PTTYPE=gpt; ; done gpt partition table",
                "EXITED; 2; ; ; done",
                "EXITED; 2; ; error: /dev/sda: Input/output error; deferred",
                "EXITED; 2; TYPE=x; ; deferred",
                "EXITED; 4; ; usage; uncertain",
                "EXITED; 8; ; ; CORRUPT",
                "EXITED; 0; ; ; uncertain",
                "EXITED; 139; ; ; uncertain",
                "KILLED; 143; ; ; deferred",
                "STILL_RUNNING; -1; ; ; deferred"
            })
    void m11_blkidIsReadByItsExitCode(Ending ending, int exit, String output, String errors, String expected) {
        disk.blkid = ended(ending, exit, output == null ? "" : output, errors == null ? "" : errors);

        Outcome<Optional<String>> outcome =
                disk.fileSystems().probe(TimedCall.of(HostServices.none()), FakeDisk.DEVICE);

        String answer = KernelMachine.kindOf(outcome)
                + outcome.result()
                        .flatMap(found -> found)
                        .map(type -> " " + type)
                        .orElse("");
        assertThat(answer).isEqualTo(expected);
    }

    @Test
    void m11_aDeviceThatCannotBeReadIsNotBlank() {
        disk.firstOther = Outcome.deferred("input/output error");

        assertThat(KernelMachine.kindOf(disk.fileSystems().probe(TimedCall.of(HostServices.none()), FakeDisk.DEVICE)))
                .isEqualTo("deferred");
        assertThat(KernelMachine.kindOf(mount(request()))).isEqualTo("deferred");
        assertThat(disk.made()).isZero();
    }

    @ParameterizedTest(name = "exit {0}, failed {1} times → {2}")
    @CsvSource({
        "0, 0, done",
        "1, 0, done",
        "2, 0, done",
        "3, 0, done",
        "4, 0, CORRUPT",
        "5, 0, CORRUPT",
        "6, 0, CORRUPT",
        "7, 0, CORRUPT",
        "12, 1, CORRUPT",
        "20, 1, CORRUPT",
        "36, 0, CORRUPT",
        "132, 1, CORRUPT",
        "8, 1, deferred",
        "9, 3, deferred",
        "8, 4, CORRUPT",
        "16, 1, deferred",
        "32, 0, deferred",
        "33, 0, deferred",
        "64, 0, deferred",
        "128, 1, deferred",
        "137, 1, deferred"
    })
    void m15_theCodeOfTheCheckIsASetOfBits(int exit, int failed, String expected) {
        assertThat(KernelMachine.kindOf(Checking.classify(FakeDisk.DEVICE, FakeDisk.exit(exit), failed)))
                .isEqualTo(expected);
    }

    @Test
    void m15_aCheckThatFailsThreeTimesFailsForGood() {
        disk.blkid = FakeDisk.found("ext4", UUID);
        disk.fsck = FakeDisk.exit(8);
        LinuxFileSystems systems = disk.fileSystems();

        for (String expected : List.of("deferred", "deferred", "deferred", "CORRUPT")) {
            assertThat(KernelMachine.kindOf(systems.mount(
                            TimedCall.of(HostServices.none()), FakeDisk.DEVICE, FakeDisk.TARGET, request())))
                    .isEqualTo(expected);
        }
        assertThat(disk.mounted).isEmpty();
    }

    @Test
    void aReadOnlyVolumeIsNeitherCheckedNorFormattedAndItsDeviceCannotBeWritten() {
        disk.blkid = FakeDisk.found("ext4", UUID);
        mount(request(FormatPolicy.IF_BLANK, true, true));
        assertThat(disk.commands).containsExactly("setro", "blkid -p -o export /dev/sda");
        assertThat(disk.mounted).containsExactly("ext4 ro [noatime]");
        assertThat(disk.notes.history).isEmpty();

        disk = new FakeDisk();
        assertThat(KernelMachine.refusal(mount(request(FormatPolicy.IF_BLANK, true, false))))
                .contains(Refusal.INCOMPATIBLE);
        assertThat(disk.mounted).isEmpty();
    }

    private static BlockDevice readOnly(Optional<String> wwid) {
        BlockDevice device = FakeDisk.DEVICE;
        return new BlockDevice(device.name(), device.path(), device.number(), device.sizeBytes(), true, wwid);
    }

    private Outcome<MountEntry> mount(FileSystems systems, BlockDevice device, boolean readOnly) {
        disk.now = device;
        FileSystemRequest request = request(FormatPolicy.IF_BLANK, readOnly, false);
        return systems.mount(TimedCall.of(HostServices.none()), device, FakeDisk.TARGET, request);
    }

    @Test
    void aDeviceMadeReadOnlyHereIsMadeWritableOnceAndNotAfterAnotherProgramMadeItReadOnly() {
        disk.blkid = FakeDisk.found("ext4", UUID);
        FileSystems systems = disk.fileSystems();
        BlockDevice same = readOnly(FakeDisk.DEVICE.wwid());
        mount(systems, FakeDisk.DEVICE, true);
        mount(systems, same, false);
        assertThat(disk.commands).startsWith("setro").contains("setrw");

        assertThat(KernelMachine.refusal(mount(systems, same, false))).contains(Refusal.DENIED);
    }

    @Test
    void anotherDeviceThatHasTheNumberByNowStaysReadOnly() {
        disk.blkid = FakeDisk.found("ext4", UUID);
        FileSystems systems = disk.fileSystems();
        mount(systems, FakeDisk.DEVICE, true);

        assertThat(KernelMachine.refusal(mount(systems, readOnly(Optional.of("naa.2")), false)))
                .contains(Refusal.DENIED);
        assertThat(disk.commands).doesNotContain("setrw");
    }

    @Test
    void whatOtherNodesMayUseIsNotWritten() {
        disk.blkid = FakeDisk.found("ext4", UUID);

        assertThat(KernelMachine.refusal(mount(request(FormatPolicy.NEVER, false, true))))
                .contains(Refusal.INCOMPATIBLE);
        assertThat(disk.commands).isEmpty();
    }

    @Test
    void m14_afterACrashTheSameIdentityIsTakenUpAndAForeignOneRefused() {
        disk.notes.values.put(FileSystems.NOTE, "pending:ext4:" + UUID);
        disk.firstOther = Outcome.done(OptionalLong.of(4711));
        mount(request());
        assertThat(disk.commands).contains("mkfs.ext4 -F -m0 -U " + UUID + " /dev/sda");
        assertThat(disk.notes.history).containsExactly("ext4:" + UUID);

        disk = new FakeDisk();
        disk.notes.values.put(FileSystems.NOTE, "pending:ext4:" + UUID);
        disk.blkid = FakeDisk.found("ext4", UUID);
        mount(request());
        assertThat(disk.made()).isZero();
        assertThat(disk.notes.history).containsExactly("ext4:" + UUID);
        assertThat(disk.mounted).hasSize(1);

        disk = new FakeDisk();
        disk.notes.values.put(FileSystems.NOTE, "pending:ext4:" + UUID);
        disk.blkid = FakeDisk.found("ext4", "99999999-2222-3333-4444-555555555555");
        assertThat(KernelMachine.refusal(mount(request()))).contains(Refusal.CORRUPT);
        assertThat(disk.mounted).isEmpty();
    }

    @Test
    void m14_whereverTheProcessDiesTheNextOneFinishesTheSameFileSystem() {
        int points = 0;
        boolean died = true;
        while (died) {
            disk = new FakeDisk();
            disk.dieAt = points;
            FileSystemRequest request = new FileSystemRequest(
                    "ext4", FormatPolicy.IF_BLANK, false, false, List.of(), 4096, disk.mortalNotes());
            try {
                mount(request);
                died = false;
            } catch (FakeDisk.Crash crash) {
                disk.dieAt = -1;
                mount(request);
                points++;
            }
            assertThat(disk.mounted).as("died at %d", disk.dieAt).hasSize(1);
            assertThat(disk.commands.stream()
                            .filter(command -> command.startsWith("mkfs"))
                            .distinct())
                    .hasSize(1);
            assertThat(disk.notes.history).hasSize(2);
        }
        assertThat(points).isEqualTo(6);
    }

    @Test
    void aToolThatStillRunsIsWaitedForAndKeepsItsPermit() {
        disk.mkfs = ended(Ending.STILL_RUNNING, -1, "", "");
        LinuxFileSystems systems = disk.fileSystems();
        TimedCall context = TimedCall.of(HostServices.none());

        assertThat(KernelMachine.kindOf(systems.mount(context, FakeDisk.DEVICE, FakeDisk.TARGET, request())))
                .isEqualTo("uncertain");
        assertThat(disk.onSettled).hasSize(1);
        assertThat(KernelMachine.kindOf(systems.mount(context, FakeDisk.DEVICE, FakeDisk.TARGET, request())))
                .isEqualTo("deferred");
        assertThat(disk.made()).isEqualTo(1);

        // it has ended well; the note of its beginning says whose it is
        disk.changing.clear();
        disk.onSettled.forEach(Runnable::run);
        disk.blkid = FakeDisk.found("ext4", disk.notes.history.get(0).replace("pending:ext4:", ""));
        systems.mount(context, FakeDisk.DEVICE, FakeDisk.TARGET, request());
        assertThat(disk.made()).isEqualTo(1);
        assertThat(disk.notes.history).hasSize(2);
        assertThat(disk.mounted).hasSize(1);
    }

    @Test
    void aToolThatFailsLeavesTheNoteAndNoMount() {
        disk.mkfs = FakeDisk.exit(1);

        assertThat(KernelMachine.kindOf(mount(request()))).isEqualTo("uncertain");
        assertThat(disk.notes.history).singleElement().asString().startsWith("pending:ext4:");
        assertThat(disk.mounted).isEmpty();
    }

    @Test
    void withoutAnObjectTheNodeKeepsTheNote() {
        MemoryNotes onNode = new MemoryNotes();
        disk.local.put("sda", onNode);
        FileSystemRequest inline =
                new FileSystemRequest("ext4", FormatPolicy.IF_BLANK, false, false, List.of(), 4096, VolumeNotes.NONE);

        mount(inline);
        assertThat(onNode.history).hasSize(2);

        disk.blkid = FakeDisk.exit(2);
        assertThat(KernelMachine.refusal(mount(inline))).contains(Refusal.CORRUPT);
        assertThat(disk.made()).isEqualTo(1);
    }

    /** Every world of answers: a file system is made only if each of the eight conditions holds, by another way of reckoning. */
    @Test
    void noAnswersLeadToAFormatIfAConditionFails() {
        Random random = new Random(20240117);
        int made = 0;
        for (int round = 0; round < 20_000; round++) {
            disk = new FakeDisk();
            FormatPolicy policy = pick(random, FormatPolicy.values());
            boolean readOnly = random.nextInt(5) == 0;
            boolean shared = random.nextInt(5) == 0;
            disk.users = random.nextInt(5) == 0 ? List.of("mounted on /x") : List.of();
            String note =
                    pick(random, "", "", "", "", "ext4:" + UUID, "pending:ext4:" + UUID, "pending:xfs:" + UUID, "?");
            if (!note.isEmpty()) {
                disk.notes.values.put(FileSystems.NOTE, note);
            }
            disk.now = pick(
                    random,
                    FakeDisk.DEVICE,
                    FakeDisk.DEVICE,
                    FakeDisk.DEVICE,
                    other("naa.2", 1 << 30),
                    other("naa.1", 512));
            disk.firstOther = pick(
                    random,
                    Outcome.done(OptionalLong.empty()),
                    Outcome.done(OptionalLong.empty()),
                    Outcome.done(OptionalLong.of(1)),
                    Outcome.deferred("error"));
            disk.blkid = pick(
                    random,
                    FakeDisk.exit(2),
                    FakeDisk.exit(2),
                    FakeDisk.exit(2),
                    ended(Ending.EXITED, 2, "", "error"),
                    ended(Ending.KILLED, 2, "", ""),
                    FakeDisk.found("ext4", UUID),
                    FakeDisk.found("xfs", UUID),
                    FakeDisk.exit(0, "PTTYPE=dos"),
                    FakeDisk.exit(4),
                    FakeDisk.exit(8));
            boolean pending = note.equals("pending:ext4:" + UUID);
            boolean allowed = policy != FormatPolicy.NEVER
                    && !readOnly
                    && !shared
                    && disk.users.isEmpty()
                    && (note.isEmpty() || pending)
                    && disk.now.equals(FakeDisk.DEVICE)
                    && disk.firstOther.isDone()
                    && disk.blkid.equals(FakeDisk.exit(2))
                    && (policy == FormatPolicy.IF_NO_SIGNATURE
                            || pending
                            || disk.firstOther.equals(Outcome.done(OptionalLong.empty())));

            mount(request(policy, readOnly, shared));

            assertThat(disk.made()).as("round %d", round).isEqualTo(allowed ? 1 : 0);
            made += allowed ? 1 : 0;
        }
        assertThat(made).isGreaterThan(100);
    }

    private static BlockDevice other(String wwid, long size) {
        BlockDevice device = FakeDisk.DEVICE;
        return new BlockDevice(device.name(), device.path(), device.number(), size, false, Optional.of(wwid));
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }
}
