// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxMountsTest {
    private KernelMachine machine;
    private Mounts mounts;
    private Path source;
    private Path target;

    Mounts mountsOf(KernelMachine here) {
        return here.host.mounts();
    }

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.MOUNT_IDENTITY);
        mounts = mountsOf(machine);
        source = machine.directory("source");
        machine.file("source/data", "precious");
        machine.directory("pods");
        target = machine.base.resolve("pods/target");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<MountEntry> bind(Path from, Path to, BindOptions options) {
        try (PinnedPath pinned = machine.open(from)) {
            return mounts.bind(pinned, to, options);
        }
    }

    private Outcome<Nothing> unmount(Path path, MountExpectation expected) {
        return mounts.unmount(machine.context(), path, expected, UnmountForce.NONE);
    }

    @Test
    void bindsADirectoryAndTakesItAway() {
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));

        assertThat(target.resolve("data")).hasContent("precious");
        assertThat(entry.mountPoint()).isEqualTo(target);
        assertThat(KernelMachine.value(mounts.table()).entries())
                .filteredOn(
                        other -> other.id() != entry.id() && other.peerGroup().isPresent())
                .noneMatch(other -> other.peerGroup().equals(entry.peerGroup()));
        assertThat(unmount(target, MountExpectation.of(entry, false)).isDone()).isTrue();
        assertThat(target).doesNotExist();
        assertThat(source.resolve("data")).hasContent("precious");
    }

    @Test
    void bindsAFileOntoAFile() {
        MountEntry entry = KernelMachine.value(bind(source.resolve("data"), target, BindOptions.PLAIN.readOnly(true)));

        assertThat(target).hasContent("precious");
        assertThat(unmount(target, MountExpectation.of(entry, false)).isDone()).isTrue();
        assertThat(target).doesNotExist();
    }

    /** A thread tries to write all the time, from before the mount until after it: it never succeeds (S18). */
    @Test
    void s18_aReadOnlyMountIsReadOnlyFromItsFirstInstant() throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Path seen = target.resolve("data");
        Thread writer = new Thread(() -> {
            while (!ended.get()) {
                try {
                    Files.writeString(seen, "spoiled", StandardOpenOption.WRITE);
                    written.incrementAndGet();
                } catch (FileSystemException notThereOrReadOnly) {
                    refused.addAndGet(
                            String.valueOf(notThereOrReadOnly.getReason()).contains("Read-only") ? 1 : 0);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        writer.start();
        try {
            int rounds = 0;
            while (rounds < 60 * Integer.getInteger("mooring.times", 1) || (refused.get() == 0 && rounds < 5_000)) {
                rounds++;
                MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN.readOnly(true)));
                assertThat(entry.readOnly()).isTrue();
                unmountAtLast(entry);
            }
        } finally {
            ended.set(true);
            writer.join();
        }
        assertThat(written).hasValue(0);
        assertThat(refused).hasPositiveValue();
        assertThat(source.resolve("data")).hasContent("precious");
    }

    /** The writer may be just looking. */
    private void unmountAtLast(MountEntry entry) {
        for (int attempt = 0; attempt < 10_000; attempt++) {
            if (unmount(target, MountExpectation.of(entry, false)).isDone()) {
                return;
            }
        }
        throw new AssertionError("still in use: " + target);
    }

    @Test
    void bindingAgainGivesTheSameMount() {
        MountEntry first = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        MountEntry second = KernelMachine.value(bind(source, target, BindOptions.PLAIN));

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void refusesToAnswerWithAMountOfOtherOptions() {
        KernelMachine.value(bind(source, target, BindOptions.PLAIN));

        assertThat(KernelMachine.refusal(bind(source, target, BindOptions.PLAIN.readOnly(true))))
                .contains(Refusal.INCOMPATIBLE);
    }

    @Test
    void appliesAllRestrictions() {
        MountEntry entry =
                KernelMachine.value(bind(source, target, new BindOptions(true, true, true, true, false, false)));

        assertThat(entry.options()).contains("ro", "nosuid", "nodev", "noexec");
    }

    @Test
    @DisplayName("M5 a stacked double mount: both layers go, then the directory, the data stays")
    void m05_removesAllLayers() throws IOException {
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        KernelMachine.tool("mount", "--bind", source.toString(), target.toString());
        assertThat(machine.mountsAt(target)).hasSize(2);

        assertThat(unmount(target, MountExpectation.of(entry, false)).isDone()).isTrue();

        assertThat(machine.mountsAt(target)).isEmpty();
        assertThat(target).doesNotExist();
        assertThat(source.resolve("data")).hasContent("precious");
    }

    @Test
    @DisplayName("M6 a foreign mount on our path is neither unmounted nor accepted")
    void m06_leavesForeignMountsAlone() {
        machine.directory("pods/target");
        KernelMachine.tool("mount", "-t", "tmpfs", "foreign", target.toString());

        assertThat(KernelMachine.refusal(bind(source, target, BindOptions.PLAIN)))
                .contains(Refusal.IN_USE);
        assertThat(KernelMachine.refusal(unmount(target, MountExpectation.ofSource("/dev/other"))))
                .contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    @DisplayName("M6 a foreign mount of the same file system is not accepted either")
    void m06_tellsApartBindsOfOneFileSystem() {
        Path other = machine.directory("other");
        machine.directory("pods/target");
        KernelMachine.tool("mount", "--bind", other.toString(), target.toString());

        assertThat(KernelMachine.refusal(bind(source, target, BindOptions.PLAIN)))
                .contains(Refusal.IN_USE);
    }

    @Test
    @DisplayName("M6 a foreign mount below our path stops the unmount")
    void m06_stopsAtMountsBelow() {
        machine.directory("source/sub");
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        KernelMachine.tool(
                "mount", "-t", "tmpfs", "below", target.resolve("sub").toString());

        assertThat(KernelMachine.refusal(unmount(target, MountExpectation.of(entry, false))))
                .contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    @DisplayName("M7 a target directory that is not empty is put aside, never deleted")
    void m07_putsAsideWhatIsNotEmpty() throws IOException {
        machine.file("pods/target/written-while-unmounted", "only copy");

        Outcome<Nothing> outcome = unmount(target, MountExpectation.ofSource("x"));

        assertThat(KernelMachine.refusal(outcome)).contains(Refusal.CORRUPT);
        assertThat(target).doesNotExist();
        try (Stream<Path> aside = Files.walk(machine.base.resolve("orphans"))) {
            assertThat(aside.filter(path -> path.endsWith("written-while-unmounted")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("only copy"));
        }
    }

    @Test
    @DisplayName("M7 a target directory below which something is mounted stays where it is")
    void m07_movesNoMountsOfOthersAside() {
        Path below = machine.directory("pods/target/below");
        KernelMachine.tool("mount", "-t", "tmpfs", "others", below.toString());

        Outcome<Nothing> outcome = unmount(target, MountExpectation.ofSource("x"));

        assertThat(KernelMachine.refusal(outcome)).contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(below)).hasSize(1);
    }

    @Test
    @DisplayName("M7 a target that is a link or a file with content is put aside too")
    void m07_putsAsideLinksAndFiles() throws IOException {
        machine.directory("pods");
        Files.createSymbolicLink(target, source);

        assertThat(KernelMachine.refusal(unmount(target, MountExpectation.ofSource("x"))))
                .contains(Refusal.CORRUPT);
        assertThat(source.resolve("data")).hasContent("precious");
        assertThat(Files.exists(target, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void aTargetThatIsNotThereIsDone() {
        assertThat(unmount(target, MountExpectation.ofSource("x")).isDone()).isTrue();
        assertThat(unmount(machine.base.resolve("no/such/parent"), MountExpectation.ofSource("x"))
                        .isDone())
                .isTrue();
    }

    @Test
    @DisplayName("M8 a read-only bind is at no instant writable")
    void m08_isNeverWritable() throws Exception {
        machine.directory("pods/target");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger readOnlyAnswers = new AtomicInteger();
        AtomicBoolean leaked = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!stop.get()) {
                // the file exists only in the source: writing it can only succeed through the mount
                try {
                    Files.write(target.resolve("data"), new byte[] {'x'}, StandardOpenOption.WRITE);
                    leaked.set(true);
                } catch (FileSystemException e) {
                    if (String.valueOf(e.getReason()).contains("Read-only")) {
                        readOnlyAnswers.incrementAndGet();
                    }
                } catch (IOException e) {
                    leaked.set(true);
                }
            }
        });
        writer.start();
        for (int round = 0; round < 200; round++) {
            MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN.readOnly(true)));
            Outcome<Nothing> gone = unmount(target, MountExpectation.of(entry, false));
            // the writer may have the file open at this moment
            while (!gone.isDone()) {
                gone = unmount(target, MountExpectation.of(entry, false));
            }
        }
        stop.set(true);
        writer.join();

        assertThat(leaked).isFalse();
        assertThat(readOnlyAnswers.get()).isPositive();
        assertThat(source.resolve("data")).hasContent("precious");
    }

    @ParameterizedTest(name = "M9 [{index}]")
    @ValueSource(strings = {"with blank", "back\\slash", "new\nline", "carriage\rreturn", "tab\tand#hash", "\\040"})
    @DisplayName("M9 mount points and roots with strange names")
    void m09_handlesStrangeNames(String name) {
        Path strange = machine.base.resolve("pods").resolve(name);

        MountEntry entry = KernelMachine.value(bind(machine.directory(name), strange, BindOptions.PLAIN));

        assertThat(entry.mountPoint()).isEqualTo(strange);
        assertThat(entry.root()).endsWith("/" + name);
        assertThat(machine.mountsAt(strange)).hasSize(1);
        assertThat(unmount(strange, MountExpectation.of(entry, false)).isDone()).isTrue();
        assertThat(Files.exists(strange)).isFalse();
    }

    @Test
    @DisplayName("M10 removing a cloned tree under a shared parent unmounts nothing in the source tree")
    void m10_removingACloneKeepsTheOriginal() throws IOException {
        Path shared = machine.sharedRoot("shared");
        Path tree = Files.createDirectories(shared.resolve("tree/inner"));
        KernelMachine.tool("mount", "-t", "tmpfs", "inner", tree.toString());
        Files.writeString(tree.resolve("inside"), "x");
        Path pods = machine.sharedRoot("pods-shared");
        Path to = pods.resolve("clone");

        MountEntry entry = KernelMachine.value(bind(shared.resolve("tree"), to, BindOptions.TREE));
        assertThat(to.resolve("inner/inside")).exists();
        assertThat(unmount(to, MountExpectation.of(entry, true)).isDone()).isTrue();

        assertThat(to).doesNotExist();
        assertThat(tree.resolve("inside")).exists();
        assertThat(machine.mountsAt(tree)).hasSize(1);
    }

    @Test
    @DisplayName("H5 a tree clone follows later mounts of the original, and its removal keeps them")
    void aTreeFollowsTheOriginal() throws IOException {
        Path shared = machine.sharedRoot("shared");
        Path tree = Files.createDirectories(shared.resolve("tree/late"));
        Path to = machine.sharedRoot("pods-shared").resolve("clone");
        MountEntry entry = KernelMachine.value(bind(shared.resolve("tree"), to, BindOptions.TREE));

        KernelMachine.tool("mount", "-t", "tmpfs", "late", tree.toString());
        Files.writeString(tree.resolve("inside"), "x");
        assertThat(to.resolve("late/inside")).exists();
        assertThat(unmount(to, MountExpectation.of(entry, true)).isDone()).isTrue();

        assertThat(machine.mountsAt(tree)).hasSize(1);
        assertThat(tree.resolve("inside")).exists();
    }

    @Test
    @DisplayName("H5 what is mounted in the clone does not reach the original")
    void nothingFlowsBack() throws IOException {
        Path shared = machine.sharedRoot("shared");
        Path tree = Files.createDirectories(shared.resolve("tree/sub"));
        Path to = machine.sharedRoot("pods-shared").resolve("clone");
        KernelMachine.value(bind(shared.resolve("tree"), to, BindOptions.TREE));

        KernelMachine.tool("mount", "-t", "tmpfs", "in-clone", to.resolve("sub").toString());

        assertThat(machine.mountsAt(tree)).isEmpty();
    }

    @Test
    @DisplayName("a tree that contains its own target can be shown and taken away")
    void showsATreeThatContainsItsTarget() throws IOException {
        Path shared = machine.sharedRoot("shared");
        Files.writeString(shared.resolve("file"), "x");
        Path to = Files.createDirectories(shared.resolve("pods")).resolve("clone");

        MountEntry entry = KernelMachine.value(bind(shared, to, BindOptions.TREE));
        assertThat(to.resolve("file")).exists();
        assertThat(unmount(to, MountExpectation.of(entry, true)).isDone()).isTrue();

        assertThat(to).doesNotExist();
        assertThat(shared.resolve("file")).exists();
        assertThat(machine.mountsAt(shared)).hasSize(1);
    }

    @Test
    @DisplayName("a mount of which the original was renamed is still known as ours")
    void knowsItsMountAfterARename() throws IOException {
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        Files.move(source, machine.base.resolve("renamed"));

        assertThat(unmount(target, MountExpectation.of(entry, false)).isDone()).isTrue();
        assertThat(machine.base.resolve("renamed/data")).hasContent("precious");
    }

    @Test
    @DisplayName("a busy mount is refused and names who holds it")
    void tellsWhoHoldsIt() throws Exception {
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        Process holder =
                new ProcessBuilder("sleep", "60").directory(target.toFile()).start();
        try {
            Outcome<Nothing> outcome = unmount(target, MountExpectation.of(entry, false));

            assertThat(KernelMachine.refusal(outcome)).contains(Refusal.IN_USE);
            assertThat(outcome.message()).contains(Long.toString(holder.pid()));
            assertThat(target.resolve("data")).exists();
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("a mount on a block device is never forced")
    void neverForcesBlockDevices() {
        MountEntry entry = KernelMachine.value(bind(source, target, BindOptions.PLAIN));
        Assumptions.assumeTrue(!entry.device().startsWith("0:"), "the temporary directory is not on a block device");

        Outcome<Nothing> outcome =
                mounts.unmount(machine.context(), target, MountExpectation.of(entry, false), UnmountForce.DETACH);

        assertThat(KernelMachine.refusal(outcome)).contains(Refusal.INVALID);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }
}
