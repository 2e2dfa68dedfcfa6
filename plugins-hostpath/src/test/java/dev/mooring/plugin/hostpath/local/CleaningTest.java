// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.FaultyHost;
import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class CleaningTest {
    private static final long SIZE = 16L << 20;
    private static final byte[] SECRET = "the secret of the last claim".getBytes(StandardCharsets.US_ASCII);

    private LocalNode local;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.close();
        }
    }

    /** A disk of a volume that was used as a device and holds a secret at its beginning, in its middle and at its end. */
    private VolumeSpec used(Path disk, long size) {
        VolumeSpec volume = local.volume("pv", disk, VolumeMode.BLOCK);
        HostPathNode.value(local.stage(volume));
        try (FileChannel channel = FileChannel.open(disk, StandardOpenOption.WRITE)) {
            for (long at : List.of(0L, size / 2 + 12345, size - SECRET.length)) {
                channel.write(ByteBuffer.wrap(SECRET), at);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return local.volume("pv", disk, VolumeMode.BLOCK);
    }

    private static boolean holdsSecret(Path image) {
        try {
            return new String(Files.readAllBytes(image), StandardCharsets.US_ASCII)
                    .contains(new String(SECRET, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isZero(Path image) throws IOException {
        for (byte one : Files.readAllBytes(image)) {
            if (one != 0) {
                return false;
            }
        }
        return true;
    }

    private String state() {
        return local.node.notes.all.get(DiskAdmission.CLEAN_NOTE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zero", "discard", "secure-discard", "shred:2", "shred"})
    @DisplayName("L12 after each method the medium holds zeros only")
    void l12_cleansDevices(String method) throws IOException {
        Path disk = local.disk("one", SIZE);
        local.node.notes.all.put(CleanMethod.ANNOTATION, method);
        VolumeSpec volume = used(disk, SIZE);
        assertThat(state()).isEqualTo("dirty");
        assertThat(holdsSecret(local.node.base.resolve("one.img"))).isTrue();

        assertThat(local.delete(volume)).isEqualTo("done");

        assertThat(isZero(local.node.base.resolve("one.img"))).isTrue();
        assertThat(state()).isEqualTo("clean");
        assertThat(local.delete(volume)).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 2048, 4096})
    @DisplayName("L12 a disk that was cleaned of its signatures is blank enough to be formatted for the next volume")
    void l12_signaturesIncludeTheCopiesOfASuperblock(int block) {
        Path disk = local.disk("one", 160L << 20);
        HostPathNode.tool("mkfs.ext4", "-q", "-b", "" + block, disk.toString());
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        local.node.notes.all.put(CleanMethod.ANNOTATION, "signatures");

        assertThat(local.delete(local.volume("pv", disk))).isEqualTo("done");

        local.node.notes.all.clear();
        assertThat(HostPathNode.answer(local.stage(local.volume("next", disk)))).isEqualTo("done");
    }

    @Test
    @DisplayName("L12 a discard that the device only promises is followed by zeros")
    void l12_fallsBackToZeros() throws IOException {
        Path disk = local.disk("one", SIZE);
        local.node.notes.all.put(CleanMethod.ANNOTATION, "discard");
        VolumeSpec volume = used(disk, SIZE);
        AtomicInteger runs = new AtomicInteger();
        // the first tool that is run is the discard: it says yes and does nothing
        FaultyHost promising = new FaultyHost(
                local.node.host,
                call -> call.equals("ProcessRunner.run") && runs.getAndIncrement() == 0
                        ? Optional.of(Outcome.done(new CommandResult(CommandResult.Ending.EXITED, 0, "", "")))
                        : Optional.empty());

        assertThat(HostPathNode.answer(local.plugin.delete(local.node.context(promising.services()), volume)))
                .isEqualTo("done");
        assertThat(runs.get()).isGreaterThan(1);
        assertThat(isZero(local.node.base.resolve("one.img"))).isTrue();
    }

    /** A large disk with a secret where a look at samples does not find it; the first tool to be run is answered for. */
    private Path cleanedLarge(CommandResult discarded, String answer) throws IOException {
        long size = 300L << 20;
        Path disk = local.disk("one", size);
        local.node.notes.all.put(CleanMethod.ANNOTATION, "discard");
        VolumeSpec volume = local.volume("pv", disk, VolumeMode.BLOCK);
        HostPathNode.value(local.stage(volume));
        try (FileChannel channel = FileChannel.open(disk, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(SECRET), size / 65 * 7 + (2 << 20));
            channel.force(true);
        }
        AtomicInteger runs = new AtomicInteger();
        FaultyHost host = new FaultyHost(
                local.node.host,
                call -> call.equals("ProcessRunner.run") && runs.getAndIncrement() == 0
                        ? Optional.of(Outcome.done(discarded))
                        : Optional.empty());
        volume = local.volume("pv", disk, VolumeMode.BLOCK);
        assertThat(HostPathNode.answer(local.plugin.delete(local.node.context(host.services()), volume)))
                .isEqualTo(answer);
        return disk;
    }

    private static String secretOf(Path disk) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(SECRET.length);
        try (FileChannel channel = FileChannel.open(disk)) {
            channel.read(read, (300L << 20) / 65 * 7 + (2 << 20));
        }
        return new String(read.array(), StandardCharsets.US_ASCII);
    }

    @Test
    @DisplayName("L12 a device that cannot discard is written over, however blank its samples look")
    void l12_writesOverWhatCannotBeDiscarded() throws IOException {
        Path disk = cleanedLarge(
                new CommandResult(
                        CommandResult.Ending.EXITED, 1, "", "BLKDISCARD ioctl failed: Operation not supported"),
                "done");

        assertThat(secretOf(disk)).isNotEqualTo(new String(SECRET, StandardCharsets.US_ASCII));
        assertThat(local.node.told).anyMatch(text -> text.contains("Operation not supported"));
    }

    @Test
    @DisplayName("L12 a discard that was ended before its time is begun again")
    void l12_repeatsADiscardThatWasEnded() throws IOException {
        Path disk = cleanedLarge(new CommandResult(CommandResult.Ending.KILLED, 137, "", ""), "uncertain");

        assertThat(state()).startsWith("cleaning/discard/");
        assertThat(local.delete(local.volume("pv", disk, VolumeMode.BLOCK))).isEqualTo("done");
        assertThat(secretOf(disk)).isNotEqualTo(new String(SECRET, StandardCharsets.US_ASCII));
    }

    @Test
    @DisplayName("L13 an entry that does not say that all was discarded is no proof of it")
    void l13_believesOnlyARecordedDiscard() {
        DiskEntry.Progress whole = DiskEntry.Progress.begun("discard").next(true);
        DiskEntry entry = DiskEntry.dirty("uid", "pv", "disk", SIZE)
                .cleaning(CleanMethod.ZERO)
                .at(whole);

        assertThat(DiskEntry.read(entry.write())).contains(entry);
        assertThat(DiskEntry.read(entry.write().replace(",\"discarded\":\"true\"", "")))
                .contains(entry.at(DiskEntry.Progress.begun("discard").next(false)));
    }

    @Test
    @DisplayName("L12 a device that still holds data after cleaning is never called clean")
    void l12_neverCallsClean() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = used(disk, SIZE);
        FaultyHost lying = new FaultyHost(
                local.node.host,
                call -> call.equals("ProcessRunner.run")
                        ? Optional.of(Outcome.done(new CommandResult(CommandResult.Ending.EXITED, 0, "", "")))
                        : Optional.empty());

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(HostPathNode.answer(local.plugin.delete(local.node.context(lying.services()), volume)))
                    .isEqualTo("uncertain");
            assertThat(state()).startsWith("cleaning/zero/");
        }
        assertThat(local.delete(volume)).isEqualTo("done");
    }

    @Test
    @DisplayName("L12 a directory is emptied and kept, lost+found too")
    void l12_emptiesDirectories() throws IOException {
        Path disk = local.mountedDisk("one");
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.unpublish(volume, "pod", HostPathNode.value(local.publish(volume, "pod", false))));
        Files.createDirectories(disk.resolve("a/b/.hidden"));
        Files.writeString(disk.resolve("lost+found/found"), "x");
        Path precious = local.node.file("precious", "x");
        Files.createSymbolicLink(disk.resolve("a/link"), precious);

        assertThat(local.delete(local.volume("pv", disk))).isEqualTo("done");

        try (Stream<Path> left = Files.walk(disk)) {
            assertThat(left).containsExactly(disk, disk.resolve("lost+found"));
        }
        assertThat(precious).exists();
        assertThat(state()).isEqualTo("clean");
    }

    @Test
    @DisplayName("L12 a method that does not fit is refused")
    void l12_refusesMethodsThatDoNotFit() {
        Path disk = local.disk("one", SIZE);
        for (String method : List.of("contents", "burn", "shred:0")) {
            local.node.notes.all.put(CleanMethod.ANNOTATION, method);
            assertThat(local.delete(local.volume("pv", disk, VolumeMode.BLOCK))).isEqualTo("INVALID");
        }
        local.node.notes.all.clear();
        local.node.notes.all.put(CleanMethod.ANNOTATION, "zero");
        assertThat(local.delete(local.volume("pv", local.node.directory("data"))))
                .isEqualTo("INVALID");
    }

    @Test
    @DisplayName("L13 a crash before any action: the disk is dirty or being cleaned until it surely is clean")
    void l13_survivesACrashAtEveryStep() throws IOException {
        Path disk = local.disk("one", SIZE);
        Path image = local.node.base.resolve("one.img");
        int crashes = 0;
        for (boolean crashed = true; crashed; crashes++) {
            local.node.notes.all.clear();
            VolumeSpec volume = used(disk, SIZE);
            FaultyHost host = FaultyHost.crashingBefore(local.node.host, crashes);
            try {
                HostPathNode.value(local.plugin.delete(local.node.context(host.services()), volume));
                crashed = false;
            } catch (FaultyHost.Crash crash) {
                if (holdsSecret(image)) {
                    assertThat(state()).isNotEqualTo("clean");
                    // the next volume does not get it
                    assertThat(HostPathNode.answer(local.stage(local.volume("next", disk, VolumeMode.BLOCK))))
                            .isEqualTo("IN_USE");
                }
                assertThat(local.delete(local.volume("pv", disk, VolumeMode.BLOCK)))
                        .isEqualTo("done");
            }
            assertThat(holdsSecret(image)).isFalse();
            assertThat(state()).isEqualTo("clean");
        }
        assertThat(crashes).isGreaterThan(10);
    }

    @Test
    @DisplayName("L13 the object of a volume deleted by hand: no volume gets its disk before it has been cleaned")
    void l13_remembersADiskWhoseVolumeIsGone() {
        Path disk = local.disk("one", SIZE);
        used(disk, SIZE);
        local.node.notes.all.clear();

        VolumeSpec next = local.volume("next", disk, VolumeMode.BLOCK);
        assertThat(HostPathNode.answer(local.stage(next))).isEqualTo("IN_USE");
        assertThat(local.delete(next)).isEqualTo("IN_USE");

        VolumeSpec first = local.volume("pv", disk, VolumeMode.BLOCK);
        assertThat(local.delete(first)).isEqualTo("done");
        local.node.notes.all.clear();
        assertThat(HostPathNode.answer(local.stage(next))).isEqualTo("done");
        assertThat(state()).isEqualTo("dirty");
        // and now it is not the first one's any more
        assertThat(local.delete(first)).isEqualTo("IN_USE");
    }

    @Test
    @DisplayName("L13 a note that says clean is not believed")
    void l13_doesNotBelieveAStaleNote() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = used(disk, SIZE);
        local.node.notes.all.put(DiskAdmission.CLEAN_NOTE, "clean");

        assertThat(local.delete(volume)).isEqualTo("done");
        assertThat(holdsSecret(local.node.base.resolve("one.img"))).isFalse();
    }

    @Test
    @DisplayName("L13 a call that runs out of time goes on where it was")
    void l13_goesOnAfterADeadline() throws IOException {
        Path disk = local.disk("one", 3 * Cleaner.SLICE);
        VolumeSpec volume = used(disk, 3 * Cleaner.SLICE);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            // ends like a call whose time is up: after one slice the next tool is not started
            AtomicInteger runs = new AtomicInteger();
            FaultyHost host = new FaultyHost(
                    local.node.host,
                    call -> call.equals("ProcessRunner.run") && runs.getAndIncrement() == 1
                            ? Optional.of(Outcome.uncertain("time is up"))
                            : Optional.empty());
            local.node.told.clear();
            told.add(HostPathNode.answer(local.plugin.delete(local.node.context(host.services()), volume)));
            assertThat(local.node.told).hasSize(1);
        }

        assertThat(told).containsExactly("uncertain", "uncertain", "done");
        assertThat(state()).isEqualTo("clean");
    }

    @Test
    @DisplayName("L14 a disk that is mounted, held or shown elsewhere is not cleaned")
    void l14_refusesWhatIsUsed() throws IOException {
        Path disk = local.disk("one", SIZE);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());
        Path elsewhere = local.node.directory("elsewhere");
        HostPathNode.tool("mount", disk.toString(), elsewhere.toString());
        Files.write(elsewhere.resolve("data"), SECRET);
        VolumeSpec volume = local.volume("pv", disk, VolumeMode.BLOCK);

        assertThat(local.delete(volume)).isEqualTo("IN_USE");
        assertThat(elsewhere.resolve("data")).hasBinaryContent(SECRET);

        local.node.notes.all.clear();
        VolumeSpec directory = local.volume("dir", elsewhere);
        HostPathNode.value(local.publish(directory, "pod", false));
        assertThat(local.delete(local.volume("dir", elsewhere))).isEqualTo("IN_USE");
        assertThat(elsewhere.resolve("data")).hasBinaryContent(SECRET);
    }

    @Test
    @DisplayName("L14 a disk shown by a loop device is not cleaned")
    void l14_refusesWhatIsHeld() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = used(disk, SIZE);
        Path onTop = local.plug(disk);

        assertThat(local.delete(volume)).isEqualTo("IN_USE");
        assertThat(holdsSecret(local.node.base.resolve("one.img"))).isTrue();
        local.unplug(onTop);
        assertThat(local.delete(volume)).isEqualTo("done");
    }

    @Test
    @DisplayName("a disk that nothing connects with the volume but its path is not cleaned, unless a person says so")
    void refusesToCleanWhatWasNeverRecorded() throws IOException {
        Path disk = local.disk("one", SIZE);
        Files.write(disk, SECRET);

        assertThat(local.delete(local.volume("pv", disk, VolumeMode.BLOCK))).isEqualTo("DENIED");
        assertThat(holdsSecret(local.node.base.resolve("one.img"))).isTrue();
        local.node.notes.all.put(DiskAdmission.ADOPT, "true");
        assertThat(local.delete(local.volume("pv", disk, VolumeMode.BLOCK))).isEqualTo("done");
    }

    @Test
    @DisplayName("a disk that has vanished is not called clean")
    void keepsAVolumeWhoseDiskVanished() {
        assertThat(local.delete(local.volume("pv", local.node.base.resolve("absent"))))
                .isEqualTo("deferred");
    }

    @Test
    @DisplayName("another disk at the path is not cleaned")
    void l05_neverCleansAnotherDisk() {
        Path disk = local.disk("one", SIZE);
        used(disk, SIZE);
        local.unplug(disk);
        Path other = local.disk("two", SIZE);
        VolumeSpec volume = local.volume("pv", other, VolumeMode.BLOCK);

        assertThat(local.delete(volume)).isEqualTo("CORRUPT");
    }

    @Test
    void theOperatorChoosesTheMethod() {
        local.set(Map.of("clean", "shred:1"));
        Path disk = local.disk("one", SIZE);

        assertThat(local.delete(used(disk, SIZE))).isEqualTo("done");
        for (String method : List.of("contents", "none", "shred:x")) {
            assertThat(HostPathNode.answer(local.plugin.configured(Map.of("clean", method))))
                    .isEqualTo("INVALID");
        }
    }

    /** A directory is emptied only when a note keeps it for its volume: otherwise another volume could claim it meanwhile. */
    @Test
    void aDirectoryWithoutNoteStaysWhileNothingCanBeNoted() throws IOException {
        Path directory = local.node.directory("data");
        Path data = Files.writeString(directory.resolve("data"), "x");
        local.node.notes.all.put(DiskAdmission.ADOPT, "true");
        FaultyHost full = new FaultyHost(
                local.node.host,
                call -> call.equals("PinnedPath.writeFile")
                        ? Optional.of(Outcome.refused(Refusal.EXHAUSTED, "no space left"))
                        : Optional.empty());

        assertThat(HostPathNode.answer(
                        local.plugin.delete(local.node.context(full.services()), local.volume("pv", directory))))
                .isEqualTo("EXHAUSTED");

        assertThat(data).exists();
    }
}
