// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static dev.mooring.host.linux.support.KernelMachine.kindOf;
import static dev.mooring.host.linux.support.KernelMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.CopiedTree;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A directory is copied as it is, and nothing else in the world is read. */
class TreeCopierTest {
    private KernelMachine machine;
    private Path from;
    private Path to;

    @BeforeEach
    void makesATree() throws IOException {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.RESOLVE_RULES);
        from = machine.directory("from");
        to = machine.directory("to");
        machine.file("from/a/b/file", "deep");
        machine.file("from/tool", "run");
        machine.file("outside/file", "secret");
        Files.setPosixFilePermissions(from.resolve("tool"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.setAttribute(from.resolve("tool"), "unix:gid", 4711);
        Files.setPosixFilePermissions(from.resolve("a"), PosixFilePermissions.fromString("rwx------"));
        Files.setLastModifiedTime(from.resolve("tool"), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));
        Files.createSymbolicLink(from.resolve("link"), Path.of("../outside/file"));
        Files.createSymbolicLink(from.resolve("directoryLink"), Path.of("../outside"));
    }

    @AfterEach
    void cleans() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<CopiedTree> copy() {
        return copy(machine.context());
    }

    private Outcome<CopiedTree> copy(OperationContext context) {
        try (PinnedPath source = machine.open(from);
                PinnedPath target = machine.open(to)) {
            return machine.host.files().copy(context, source, target);
        }
    }

    @Test
    void contentOwnerBitsTimesAndLinksAreCopied() throws IOException {
        assertThat(value(copy())).isEqualTo(new CopiedTree(4, 2, 0));

        assertThat(to.resolve("a/b/file")).hasContent("deep");
        assertThat(Files.getPosixFilePermissions(to.resolve("tool")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(Files.getAttribute(to.resolve("tool"), "unix:gid")).isEqualTo(4711);
        assertThat(Files.getLastModifiedTime(to.resolve("tool")).toInstant())
                .isEqualTo(Instant.parse("2001-02-03T04:05:06Z"));
        assertThat(Files.getPosixFilePermissions(to.resolve("a")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.readSymbolicLink(to.resolve("link"))).isEqualTo(Path.of("../outside/file"));
        assertThat(Files.isSymbolicLink(to.resolve("directoryLink"))).isTrue();
    }

    @Test
    void aCopyIsNotTheOriginal() throws IOException {
        value(copy());
        Files.writeString(to.resolve("tool"), "changed");
        assertThat(from.resolve("tool")).hasContent("run");
    }

    @Test
    void whatWasNeverWrittenTakesNoSpace() throws IOException {
        Path sparse = from.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(64L << 20);
            file.seek(32L << 20);
            file.write(1);
        }
        value(copy());
        assertThat(Files.mismatch(sparse, to.resolve("sparse"))).isEqualTo(-1);
        assertThat(Long.parseLong(KernelMachine.tool(
                                        "stat", "-c", "%b", to.resolve("sparse").toString())
                                .strip())
                        * 512)
                .isLessThan(1L << 20);
    }

    @Test
    void anInterruptedCopyGoesOnAndReplacesWhatIsNotWhole() throws IOException {
        value(copy());
        FileTime before = Files.getLastModifiedTime(to.resolve("a/b/file"), LinkOption.NOFOLLOW_LINKS);
        Files.writeString(to.resolve("tool"), "ru");
        assertThat(value(copy())).isEqualTo(new CopiedTree(4, 2, 0));
        assertThat(to.resolve("tool")).hasContent("run");
        assertThat(Files.getLastModifiedTime(to.resolve("a/b/file"))).isEqualTo(before);
    }

    @Test
    void pipesAreLeftOutAndNotWaitedFor() {
        KernelMachine.tool("mkfifo", from.resolve("pipe").toString());
        assertThat(value(copy())).isEqualTo(new CopiedTree(4, 2, 1));
        assertThat(to.resolve("pipe")).doesNotExist();
    }

    @Test
    void aMountInsideIsNotCopied() {
        KernelMachine.tool(
                "mount",
                "--bind",
                from.resolveSibling("outside").toString(),
                from.resolve("a/b").toString());
        assertThat(kindOf(copy())).isEqualTo("IN_USE");
    }

    @Test
    void aCancelledCopyIsUncertain() throws IOException {
        for (int i = 0; i < 200; i++) {
            machine.file("from/many/" + i, "x");
        }
        assertThat(kindOf(copy(TimedCall.within(machine.host, Duration.ZERO)))).isEqualTo("uncertain");
        assertThat(value(copy()).files()).isEqualTo(204);
    }
}
