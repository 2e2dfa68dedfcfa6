// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxFilesTest {
    private KernelMachine machine;
    private PinnedPath base;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.RESOLVE_RULES);
        base = machine.open(machine.base);
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            base.close();
            machine.close();
        }
    }

    private static void use(Made made) {
        made.path().close();
    }

    private String mode(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(machine.base.resolve(name)));
    }

    @Test
    @DisplayName("H3 directories and files are made with the exact mode under umask 077, element by element")
    void makesExactModes() throws IOException {
        int before = machine.kernel.umask(077);
        try {
            Path directory = machine.base.resolve("a/b/c");
            use(KernelMachine.value(
                    machine.host.files().openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, 0755)));
            Path file = machine.base.resolve("a/b/file");
            use(KernelMachine.value(machine.host.files().openOrMake(file, LinkRule.FOLLOW, FileKind.FILE, 0644)));
            use(KernelMachine.value(base.makeDirectory("open", 0777)));
        } finally {
            machine.kernel.umask(before);
        }
        assertThat(List.of(mode("a"), mode("a/b"), mode("a/b/c"))).containsOnly("rwxr-xr-x");
        assertThat(mode("a/b/file")).isEqualTo("rw-r--r--");
        assertThat(mode("open")).isEqualTo("rwxrwxrwx");
    }

    @Test
    void whatExistsIsNotChanged() throws IOException {
        Path there = machine.directory("there");
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwx------"));

        Made made =
                KernelMachine.value(machine.host.files().openOrMake(there, LinkRule.FOLLOW, FileKind.DIRECTORY, 0755));

        assertThat(made.isNew()).isFalse();
        use(made);
        assertThat(mode("there")).isEqualTo("rwx------");
    }

    @Test
    void theDirectoryOfAFileIsNotMade() {
        Path file = machine.base.resolve("missing/file");

        assertThat(KernelMachine.refusal(machine.host.files().openOrMake(file, LinkRule.FOLLOW, FileKind.FILE, 0644)))
                .contains(Refusal.NOT_FOUND);
        assertThat(machine.base.resolve("missing")).doesNotExist();
    }

    @Test
    void aLinkThatLeadsToNothingIsNeitherFollowedNorReplaced() throws IOException {
        Path link = Files.createSymbolicLink(machine.base.resolve("link"), machine.base.resolve("nothing"));

        for (FileKind kind : List.of(FileKind.DIRECTORY, FileKind.FILE)) {
            assertThat(KernelMachine.refusal(machine.host.files().openOrMake(link, LinkRule.FOLLOW, kind, 0755)))
                    .contains(Refusal.INCOMPATIBLE);
        }
        assertThat(machine.base.resolve("nothing")).doesNotExist();
    }

    @Test
    void linksAreFollowedOrRefusedAsAsked() throws IOException {
        Path target = machine.file("real/file", "x");
        Files.createSymbolicLink(machine.base.resolve("alias"), target.getParent());
        Path through = machine.base.resolve("alias/file");

        try (PinnedPath pinned = KernelMachine.value(machine.host.files().open(through, LinkRule.FOLLOW))) {
            assertThat(KernelMachine.value(pinned.resolved())).isEqualTo(target);
        }
        assertThat(KernelMachine.refusal(machine.host.files().open(through, LinkRule.REFUSE)))
                .contains(Refusal.INCOMPATIBLE);
    }

    @Test
    void nothingThereIsNotFoundAndRelativeIsInvalid() {
        assertThat(KernelMachine.refusal(machine.host.files().open(machine.base.resolve("no"), LinkRule.FOLLOW)))
                .contains(Refusal.NOT_FOUND);
        assertThat(KernelMachine.refusal(machine.host.files().open(Path.of("relative"), LinkRule.FOLLOW)))
                .contains(Refusal.INVALID);
    }

    @Test
    @DisplayName("kinds are told without waking what is there")
    void tellsKinds() throws IOException {
        machine.file("file", "12345");
        KernelMachine.tool("mkfifo", machine.base.resolve("fifo").toString());

        try (PinnedPath file = KernelMachine.value(base.child("file"));
                PinnedPath fifo = KernelMachine.value(base.child("fifo"));
                PinnedPath device = machine.open(Path.of("/dev/null"))) {
            assertThat(KernelMachine.value(file.facts()).kind()).isEqualTo(FileKind.FILE);
            assertThat(KernelMachine.value(file.facts()).size()).isEqualTo(5);
            assertThat(KernelMachine.value(fifo.facts()).kind()).isEqualTo(FileKind.FIFO);
            assertThat(KernelMachine.value(device.facts()).kind()).isEqualTo(FileKind.CHARACTER_DEVICE);
            assertThat(KernelMachine.value(base.facts()).kind()).isEqualTo(FileKind.DIRECTORY);
        }
    }

    @Test
    void anIdentityIsThatOfTheObjectNotOfItsName() throws IOException {
        machine.file("one", "x");
        try (PinnedPath pinned = KernelMachine.value(base.child("one"))) {
            FileIdentity before = KernelMachine.value(pinned.facts()).identity();
            Files.move(machine.base.resolve("one"), machine.base.resolve("two"));
            machine.file("one", "another");

            assertThat(KernelMachine.value(pinned.facts()).identity()).isEqualTo(before);
            assertThat(KernelMachine.value(pinned.resolved())).isEqualTo(machine.base.resolve("two"));
            assertThat(FileIdentity.parse(before.toString())).contains(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/../b", "/etc", "a//b", "a/"})
    void waysThatLeadElsewhereAreInvalid(String way) {
        assertThat(KernelMachine.refusal(base.child(way))).contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(base.makeDirectory(way, 0700))).contains(Refusal.INVALID);
        assertThat(KernelMachine.refusal(base.writeFile(way, new byte[0], 0600)))
                .contains(Refusal.INVALID);
    }

    @Test
    void childrenAreNeverReachedThroughLinks() throws IOException {
        Files.createSymbolicLink(machine.base.resolve("etc"), Path.of("/etc"));
        Files.createSymbolicLink(machine.base.resolve("here"), machine.directory("real"));

        assertThat(KernelMachine.refusal(base.child("etc/passwd"))).contains(Refusal.INCOMPATIBLE);
        assertThat(KernelMachine.refusal(base.child("here"))).contains(Refusal.INCOMPATIBLE);
        assertThat(KernelMachine.refusal(base.makeDirectory("here", 0700))).contains(Refusal.INCOMPATIBLE);
    }

    @Test
    void childrenAreNeverReachedAcrossAMount() {
        assumeTrue(machine.host.capabilities().has(HostFeature.ROOT), "mounting needs root");
        Path mounted = machine.directory("mounted");
        KernelMachine.tool("mount", "-t", "tmpfs", "x", mounted.toString());

        assertThat(KernelMachine.refusal(base.child("mounted"))).contains(Refusal.IN_USE);
    }

    @Test
    void smallFilesAreReplacedAsAWhole() throws IOException {
        byte[] first = "first".getBytes(StandardCharsets.UTF_8);
        byte[] second = "second, longer".getBytes(StandardCharsets.UTF_8);

        assertThat(KernelMachine.value(base.readFile("record", 100))).isEmpty();
        KernelMachine.value(base.writeFile("record", first, 0600));
        KernelMachine.value(base.writeFile("record", second, 0600));

        assertThat(KernelMachine.value(base.readFile("record", 100)).map(String::new))
                .contains("second, longer");
        assertThat(KernelMachine.refusal(base.readFile("record", 5))).contains(Refusal.CORRUPT);
        assertThat(mode("record")).isEqualTo("rw-------");
        assertThat(KernelMachine.value(base.list(10))).containsExactly("record");
    }

    /** Keys of config maps and secrets may be as long as a file's name can be. */
    @ParameterizedTest
    @ValueSource(ints = {242, 243, 255})
    void aFileMayHaveTheLongestName(int length) {
        String name = "n".repeat(length);

        KernelMachine.value(base.writeFile(name, new byte[] {'x'}, 0600));
        KernelMachine.value(base.writeFile(name, new byte[] {'y'}, 0600));

        assertThat(KernelMachine.value(base.readFile(name, 10)).map(String::new))
                .contains("y");
        assertThat(KernelMachine.value(base.list(10))).containsExactly(name);
    }

    @Test
    void aTemporaryFileOfACrashIsReplaced() throws IOException {
        machine.file(".mooring-new-record", "half writ");

        KernelMachine.value(base.writeFile("record", new byte[] {'x'}, 0600));

        assertThat(KernelMachine.value(base.list(10))).containsExactly("record");
    }

    @Test
    void aFifoIsNotReadAsAFile() {
        KernelMachine.tool("mkfifo", machine.base.resolve("record").toString());

        assertThat(KernelMachine.refusal(base.readFile("record", 10))).contains(Refusal.CORRUPT);
    }

    @Test
    void renamingNeverReplaces() throws IOException {
        machine.file("a", "a");
        machine.file("b", "b");
        PinnedPath sub = KernelMachine.value(base.makeDirectory("sub", 0700)).path();
        try (sub) {
            assertThat(KernelMachine.refusal(base.rename("a", base, "b"))).contains(Refusal.IN_USE);
            assertThat(KernelMachine.refusal(base.rename("no", sub, "no"))).contains(Refusal.NOT_FOUND);
            assertThat(base.rename("a", sub, "moved").isDone()).isTrue();
        }
        assertThat(machine.base.resolve("sub/moved")).hasContent("a");
        assertThat(machine.base.resolve("b")).hasContent("b");
    }

    @Test
    void removingIsOnlyForWhatItSays() throws IOException {
        machine.file("full/file", "x");
        machine.file("file", "x");

        assertThat(KernelMachine.refusal(base.removeDirectory("full"))).contains(Refusal.IN_USE);
        assertThat(KernelMachine.refusal(base.removeFile("full"))).contains(Refusal.INCOMPATIBLE);
        assertThat(KernelMachine.refusal(base.removeDirectory("file"))).contains(Refusal.INCOMPATIBLE);
        assertThat(base.removeFile("file").isDone()).isTrue();
        assertThat(base.removeFile("file").isDone()).isTrue();
        assertThat(machine.base.resolve("full/file")).exists();
    }

    @Test
    void listsUpToALimit() throws IOException {
        machine.file("b", "");
        machine.file("a", "");

        assertThat(KernelMachine.value(base.list(2))).containsExactly("a", "b");
        assertThat(KernelMachine.refusal(base.list(1))).contains(Refusal.EXHAUSTED);
    }

    @Test
    void tellsSpaceOfTheFileSystem() throws IOException {
        long total = Files.getFileStore(machine.base).getTotalSpace();

        assertThat(KernelMachine.value(base.space()).capacityBytes()).isEqualTo(total);
        assertThat(KernelMachine.value(base.space()).usedBytes()).isBetween(0L, total);
    }

    @Test
    void setsModeAndOwner() throws IOException {
        assumeTrue(machine.host.capabilities().has(HostFeature.ROOT), "changing owners needs root");
        try (PinnedPath made =
                KernelMachine.value(base.makeDirectory("d", 0700)).path()) {
            KernelMachine.value(made.setOwner(-1, 4711));
            KernelMachine.value(made.setMode(02770));

            assertThat(KernelMachine.value(made.facts()).group()).isEqualTo(4711);
            assertThat(KernelMachine.value(made.facts()).owner()).isZero();
            assertThat(KernelMachine.value(made.facts()).mode()).isEqualTo(02770);
        }
    }

    @Test
    void aClosedPathIsNotUsed() {
        PinnedPath pinned = machine.open(machine.base);
        pinned.close();
        pinned.close();

        assertThatThrownBy(pinned::facts).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void noDescriptorIsLeaked() throws IOException {
        machine.file("tree/a/b", "x");
        int before = openDescriptors();
        for (int i = 0; i < 50; i++) {
            use(KernelMachine.value(base.makeDirectory("made", 0700)));
            Outcome<Optional<byte[]>> read = base.readFile("missing", 10);
            assertThat(read.isDone()).isTrue();
            KernelMachine.value(base.writeFile("record", new byte[] {1}, 0600));
            KernelMachine.refusal(machine.host.files().open(machine.base.resolve("no/no"), LinkRule.FOLLOW));
            use(KernelMachine.value(machine.host
                    .files()
                    .openOrMake(machine.base.resolve("p/q/r"), LinkRule.FOLLOW, FileKind.DIRECTORY, 0755)));
        }
        assertThat(openDescriptors()).isLessThan(before + 10);
    }

    private static int openDescriptors() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }
}
