// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a file system is made again whose making was cut off: only if the medium itself proves that it was never mounted. */
class MadeAgainTest {
    private static final String UUID = "11111111-2222-3333-4444-555555555555";

    private final FakeDisk disk = new FakeDisk();

    private Outcome<MountEntry> mount(FileSystemRequest request) {
        return disk.fileSystems().mount(TimedCall.of(HostServices.none()), FakeDisk.DEVICE, FakeDisk.TARGET, request);
    }

    /** The first bytes of a device, as far as they say what is on it. */
    private static byte[] head(String superblock) {
        ByteBuffer head = ByteBuffer.allocate(Superblock.LENGTH);
        String[] words = superblock.split(" ", -1);
        java.util.UUID id = java.util.UUID.fromString(UUID);
        byte[] uuid = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        boolean another = words[words.length - 1].equals("another");
        uuid[0] = another ? 0x7f : uuid[0];
        switch (words[0]) {
            case "ext4" ->
                head.put(1024 + 0x38, (byte) 0x53)
                        .put(1024 + 0x39, (byte) 0xef)
                        .put(1024 + 0x68, uuid)
                        .put(1024 + 0x34, (byte) (words[1].equals("mounted") ? 1 : 0));
            case "xfs" ->
                head.put(0, "XFSB".getBytes(StandardCharsets.US_ASCII))
                        .put(32, uuid)
                        .put(126, (byte) (words[1].equals("unfinished") ? 1 : 0));
            case "btrfs" ->
                head.put(
                                65600,
                                (words[1].equals("unfinished") ? "!BHRfS_M" : "_BHRfS_M")
                                        .getBytes(StandardCharsets.US_ASCII))
                        .put(65568, uuid);
            default -> {}
        }
        return head.array();
    }

    /** {@code seen}: what blkid recognises; {@code medium}: what is read past every cache; the note is on the volume or the node's own. */
    @ParameterizedTest(name = "{0} | {1} | {2} | {3} -> {4}")
    @CsvSource(delimiter = '|', textBlock = """
                    pending:ext4 | ext4  | ext4 fresh              | volume | made, mounted
                    pending:ext4 | ext4  | ext4 fresh              | node   | made, mounted
                    pending:ext4 | ext4  | ext4 mounted            | volume | mounted
                    pending:ext4 | ext4  | ext4 mounted            | node   | mounted
                    pending:ext4 | ext4  | ext4 fresh another      | node   | mounted
                    pending:ext4 | ext4  | none                    | node   | mounted
                    pending:ext4 | other | ext4 fresh              | node   | CORRUPT, remove the note, wipe it
                    ext4         | ext4  | ext4 fresh              | volume | mounted
                    ext4         | ext4  | ext4 fresh              | node   | mounted
                    none         | ext4  | ext4 fresh              | volume | mounted
                    pending:xfs  | xfs   | xfs unfinished          | volume | made, mounted
                    pending:xfs  | xfs   | xfs unfinished          | node   | made, mounted
                    pending:xfs  | xfs   | xfs whole               | node   | mounted
                    pending:xfs  | xfs   | xfs unfinished another  | node   | CORRUPT, wipe it, remove the note
                    xfs          | xfs   | xfs unfinished          | volume | CORRUPT, wipe it, remove the note
                    none         | xfs   | xfs unfinished          | volume | CORRUPT, wipe it
                    pending:ext4 | xfs   | xfs unfinished          | node   | INCOMPATIBLE
                    pending:btrfs| btrfs | btrfs whole             | node   | mounted
                    pending:btrfs| data  | btrfs unfinished        | node   | made, mounted
                    pending:btrfs| data  | btrfs unfinished another| node   | CORRUPT, wipe it
                    pending:btrfs| data  | btrfs unfinished another| volume | made, mounted
                    pending:ext4 | data  | none                    | node   | CORRUPT, wipe it
                    pending:ext4 | data  | none                    | volume | made, mounted
                    pending:ext4 | blank | none                    | node   | made, mounted
                    ext4         | blank | none                    | node   | CORRUPT, remove the note
                    none         | data  | btrfs unfinished        | node   | CORRUPT, wipe it
                    """)
    void whatIsThereIsMadeAgainOnlyIfItSaysItselfThatItWasNeverMounted(
            String note, String seen, String medium, String where, String expected) {
        String type = note.equals("none") ? seen.equals("xfs") ? "xfs" : "ext4" : note.substring(note.indexOf(':') + 1);
        MemoryNotes kept = where.equals("node") ? new MemoryNotes() : disk.notes;
        disk.local.put("sda", kept);
        if (!note.equals("none")) {
            kept.values.put(FileSystems.NOTE, note + ":" + UUID);
        }
        disk.firstOther = Outcome.done(seen.equals("data") ? OptionalLong.of(4711) : OptionalLong.empty());
        disk.blkid = switch (seen) {
            case "blank", "data" -> FakeDisk.exit(2);
            case "other" -> FakeDisk.found("ext4", "99999999-2222-3333-4444-555555555555");
            default -> FakeDisk.found(seen, UUID);
        };
        disk.head = Outcome.done(head(medium));

        Outcome<MountEntry> outcome = mount(new FileSystemRequest(
                type,
                FormatPolicy.IF_BLANK,
                false,
                false,
                List.of(),
                4096,
                where.equals("node") ? VolumeNotes.NONE : disk.notes));

        List<String> done = new ArrayList<>();
        if (disk.made() > 0) {
            done.add("made");
        }
        if (!disk.mounted.isEmpty()) {
            done.add("mounted");
            assertThat(kept.values.getOrDefault(FileSystems.NOTE, "")).doesNotContain("pending");
        } else {
            done.add(KernelMachine.kindOf(outcome));
            Map<Integer, String> advice = new TreeMap<>();
            for (String word : List.of("wipe it", "remove the note")) {
                if (outcome.message().contains(word)) {
                    advice.put(outcome.message().indexOf(word), word);
                }
            }
            done.addAll(advice.values());
        }
        assertThat(String.join(", ", done)).as(outcome::message).isEqualTo(expected);
    }

    @Test
    void theNoteLeavesPendingBeforeTheFirstMountAlsoOfAReadOnlyOne() {
        disk.notes.values.put(FileSystems.NOTE, "pending:xfs:" + UUID);
        disk.blkid = FakeDisk.found("xfs", UUID);
        disk.head = Outcome.done(head("xfs whole"));

        mount(new FileSystemRequest("xfs", FormatPolicy.IF_BLANK, true, false, List.of(), 4096, disk.notes));

        assertThat(disk.notes.history).containsExactly("xfs:" + UUID);
        assertThat(disk.mounted).hasSize(1);
    }

    @ParameterizedTest(name = "{0}, read-only {1}, shared {2}, {3} bytes")
    @CsvSource({
        "NEVER, false, false, 4096, INCOMPATIBLE",
        "IF_BLANK, true, false, 4096, INCOMPATIBLE",
        "IF_BLANK, true, true, 4096, INCOMPATIBLE",
        "IF_BLANK, false, false, 4294967296, CORRUPT"
    })
    void whatMayNotBeMadeIsNotMadeAgainEither(
            FormatPolicy policy, boolean readOnly, boolean shared, long leastBytes, Refusal expected) {
        disk.notes.values.put(FileSystems.NOTE, "pending:ext4:" + UUID);
        disk.blkid = FakeDisk.found("ext4", UUID);
        disk.head = Outcome.done(head("ext4 fresh"));

        Outcome<MountEntry> outcome =
                mount(new FileSystemRequest("ext4", policy, readOnly, shared, List.of(), leastBytes, disk.notes));

        assertThat(KernelMachine.refusal(outcome)).as(outcome::message).contains(expected);
        assertThat(disk.made()).isZero();
        assertThat(disk.mounted).isEmpty();
    }

    @Test
    void aMediumThatCannotBeReadProvesNothingAndWaits() {
        disk.notes.values.put(FileSystems.NOTE, "pending:ext4:" + UUID);
        disk.blkid = FakeDisk.found("ext4", UUID);
        disk.head = Outcome.deferred("input/output error");

        assertThat(KernelMachine.kindOf(mount(new FileSystemRequest(
                        "ext4", FormatPolicy.IF_BLANK, false, false, List.of("noatime"), 4096, disk.notes))))
                .isEqualTo("deferred");
        assertThat(disk.made()).isZero();
        assertThat(disk.mounted).isEmpty();
    }
}
