// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static dev.mooring.host.linux.support.KernelMachine.kindOf;
import static dev.mooring.host.linux.support.KernelMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A copy that was interrupted becomes what its source is when it resumes. */
class ResumedCopyTest {
    private static final int PARTS = 8;
    private static final int MEBIBYTE = 1 << 20;
    private static final int DISK_BYTES = 64 * MEBIBYTE;
    private static final int MORE_THAN_ALL_ATTEMPTS = 3 * PARTS;

    private KernelMachine machine;
    private Path from;
    private Path to;

    @BeforeEach
    void makesDirectories() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.RESOLVE_RULES);
        from = machine.directory("from");
        to = machine.directory("to");
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<CopiedTree> copy() {
        return copy(machine.context(), from, to);
    }

    /** As far as it comes in no time. */
    private Outcome<CopiedTree> copyAPart() {
        return copy(TimedCall.within(machine.host, Duration.ZERO), from, to);
    }

    private Outcome<CopiedTree> copy(OperationContext context, Path original, Path copied) {
        try (PinnedPath source = machine.open(original);
                PinnedPath target = machine.open(copied)) {
            return machine.host.files().copy(context, source, target);
        }
    }

    /** Each part is copied by a call of its own, since nothing is written between them. */
    private Path fileOfManyParts() throws IOException {
        Path file = from.resolve("large");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            for (int part = 0; part < PARTS; part++) {
                large.seek((long) part * MEBIBYTE);
                large.write(part + 1);
            }
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Files.setAttribute(file, "unix:gid", 4711);
        return file;
    }

    private Outcome<CopiedTree> copyInParts() {
        Outcome<CopiedTree> copied = copyAPart();
        for (int attempt = 0; attempt < MORE_THAN_ALL_ATTEMPTS && !copied.isDone(); attempt++) {
            assertThat(kindOf(copied)).isEqualTo("uncertain");
            copied = copyAPart();
        }
        return copied;
    }

    @Test
    void aLargeFileGoesOnWhereItWasInterrupted() throws IOException {
        Path large = fileOfManyParts();

        assertThat(value(copyInParts())).isEqualTo(new CopiedTree(1, 0, 0));

        assertThat(Files.mismatch(large, to.resolve("large"))).isEqualTo(-1);
        assertThat(Files.getPosixFilePermissions(to.resolve("large")))
                .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(Files.getAttribute(to.resolve("large"), "unix:gid")).isEqualTo(4711);
        assertThat(Files.getAttribute(to.resolve("large"), "unix:mode"))
                .isEqualTo(Files.getAttribute(large, "unix:mode"));
        assertThat(Files.getLastModifiedTime(to.resolve("large"))).isEqualTo(Files.getLastModifiedTime(large));
    }

    @Test
    void ofAFileThatWasWrittenToMeanwhileNoPartIsKept() throws IOException {
        Path large = fileOfManyParts();
        copyAPart();
        copyAPart();
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.write(99);
        }
        Files.setLastModifiedTime(large, FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));

        Outcome<CopiedTree> again = copyAPart();
        if (!again.isDone()) { // not where files share their content
            assertThat(again.toString()).contains("large").contains("is copied again");
        }
        value(copyInParts());

        assertThat(Files.mismatch(large, to.resolve("large"))).isEqualTo(-1);
    }

    @Test
    void aFileThatIsNotWholeIsPrivate() throws IOException {
        Path large = fileOfManyParts();
        Files.setPosixFilePermissions(large, PosixFilePermissions.fromString("rwxrwxrwx"));
        if (!copyAPart().isDone()) {
            assertThat(Files.getPosixFilePermissions(to.resolve("large")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void whatTheSourceNoLongerHasGoes() throws IOException {
        machine.file("from/gone", "x");
        machine.file("from/goneDirectory/deep/file", "x");
        machine.file("from/stays/gone", "x");
        machine.file("from/stays/file", "x");
        machine.file("from/becomesDirectory", "x");
        machine.file("from/becomesFile/deep/file", "x");
        machine.file("from/becomesPipe", "x");
        machine.file("outside/file", "secret");
        Files.createSymbolicLink(from.resolve("goneLink"), from.resolveSibling("outside"));
        value(copy());

        for (String name : new String[] {"gone", "goneDirectory", "stays/gone", "becomesDirectory", "goneLink"}) {
            KernelMachine.tool("rm", "-r", from.resolve(name).toString());
        }
        KernelMachine.tool("rm", "-r", from.resolve("becomesFile").toString());
        KernelMachine.tool("rm", from.resolve("becomesPipe").toString());
        machine.file("from/becomesDirectory/file", "x");
        machine.file("from/becomesFile", "now a file");
        KernelMachine.tool("mkfifo", from.resolve("becomesPipe").toString());

        assertThat(value(copy())).isEqualTo(new CopiedTree(3, 2, 1));
        assertThat(to.toFile().list()).containsExactlyInAnyOrder("stays", "becomesDirectory", "becomesFile");
        assertThat(to.resolve("stays").toFile().list()).containsExactly("file");
        assertThat(to.resolve("becomesDirectory").toFile().list()).containsExactly("file");
        assertThat(to.resolve("becomesFile")).hasContent("now a file");
        assertThat(from.resolveSibling("outside/file")).hasContent("secret");
    }

    @Test
    void afterALossOfPowerWhatNeverReachedTheDiskIsCopiedOnceMore() throws IOException {
        assumeTrue(machine.host.processes().locate("mkfs.ext4").isPresent(), "needs mkfs.ext4");
        Path source = machine.sharedRoot("source");
        // whichever way the names are listed, one of the files comes before the mount that ends the copying
        sparseAtItsEnd(source.resolve("one"));
        Path mounted = Files.createDirectory(source.resolve("mounted"));
        sparseAtItsEnd(source.resolve("two"));
        KernelMachine.tool("mount", "--bind", to.toString(), mounted.toString());
        Path disk = mountedDisk("disk", true);
        Path copied = Files.createDirectory(disk.resolve("copied"));

        assertThat(kindOf(copy(machine.context(), source, copied))).isEqualTo("IN_USE");
        assertThat(copied.toFile().list()).isNotEmpty();
        commitsTheJournal(disk);
        Files.copy(machine.base.resolve("disk"), machine.base.resolve("after"));
        KernelMachine.tool("umount", mounted.toString());
        Path after = mountedDisk("after", false).resolve("copied");
        value(copy(machine.context(), source, after));

        assertThat(Files.mismatch(source.resolve("one"), after.resolve("one"))).isEqualTo(-1);
        assertThat(Files.mismatch(source.resolve("two"), after.resolve("two"))).isEqualTo(-1);
    }

    private Path mountedDisk(String name, boolean isNew) {
        BlockDevice device = machine.disk(name, DISK_BYTES);
        if (isNew) {
            KernelMachine.tool("mkfs.ext4", "-q", device.path().toString());
        }
        Path place = machine.directory(name + "-mounted");
        KernelMachine.tool("mount", device.path().toString(), place.toString());
        return place;
    }

    /** ext4 notes the length of such a file before it writes its content. */
    private static void sparseAtItsEnd(Path path) throws IOException {
        byte[] content = new byte[MEBIBYTE];
        Arrays.fill(content, (byte) 7);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(content);
            file.setLength(2L * MEBIBYTE);
        }
    }

    /** Writes out what is known of files, but not the content that has no place yet. */
    private static void commitsTheJournal(Path fileSystem) throws IOException {
        try (FileChannel other = FileChannel.open(
                fileSystem.resolve("other"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            other.force(true);
        }
    }
}
