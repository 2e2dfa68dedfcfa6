// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is answered without the table. The thread that tells of changes rests for an hour here, so the table is read
 * only for a caller that waits.
 */
@Tag("long")
class KnownMountsTest {
    private KernelMachine machine;
    private LinuxMounts mounts;
    private MountTableFeed feed;
    private Path source;
    private Path pods;
    private Path target;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.MOUNT_IDENTITY);
        mounts = MachineMounts.ofTheirOwn(machine);
        feed = KernelMachine.value(mounts.follow(Duration.ofHours(1)));
        assumeThat(KnownMounts.of(machine.kernel, mounts::table))
                .as("the kernel tells single mounts in full")
                .isPresent();
        source = machine.directory("source");
        pods = machine.directory("pods");
        target = pods.resolve("target");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (feed != null) {
            feed.close();
        }
        if (machine != null) {
            machine.close();
        }
    }

    private MountEntry bind(Path to) {
        return KernelMachine.value(tryToBind(to));
    }

    private Outcome<MountEntry> tryToBind(Path to) {
        try (PinnedPath pinned = machine.open(source)) {
            return mounts.bind(pinned, to, BindOptions.TREE);
        }
    }

    private Outcome<Nothing> unmount(Path path, MountEntry expected) {
        return mounts.unmount(machine.context(), path, MountExpectation.of(expected, false), UnmountForce.NONE);
    }

    private List<MountEntry> in(Path path) {
        return KernelMachine.value(mounts.mountedIn(path)).entries();
    }

    private static void mountAt(Path place) {
        KernelMachine.tool("mount", "-t", "tmpfs", "another", place.toString());
    }

    @Test
    void whatIsMountedAndUnmountedIsReadFromNoTableHoweverMuchIsMounted() {
        for (int i = 0; i < 200; i++) {
            bind(pods.resolve("other-" + i));
        }
        long before = feed.reads();

        for (int i = 0; i < 20; i++) {
            MountEntry shown = bind(target);
            assertThat(in(target)).containsExactly(shown);
            assertThat(unmount(target, shown)).isEqualTo(Outcome.done());
            assertThat(target).doesNotExist();
            assertThat(in(target)).isEmpty();
            assertThat(in(source)).isEmpty();
        }

        assertThat(feed.reads()).isEqualTo(before);
    }

    @Test
    void aFileSystemInMemoryIsMountedWithoutTheTableToo() {
        MountRequest memory = new MountRequest("memory", "tmpfs", List.of("nosuid", "size=1m"), false);
        long before = feed.reads();

        for (int i = 0; i < 5; i++) {
            MountEntry made = KernelMachine.value(mounts.mount(machine.context(), target, memory));
            assertThat(made.options()).contains("rw", "nosuid");
            assertThat(unmount(target, made)).isEqualTo(Outcome.done());
        }

        assertThat(feed.reads()).isEqualTo(before);
    }

    @Test
    void severalAtOnePlaceStandInTheOrderOfTheTable() {
        machine.directory("pods/target");
        mountAt(target);
        mountAt(target);
        mountAt(target);

        assertThat(in(target)).isEqualTo(machine.mountsAt(target)).hasSize(3);
    }

    @Test
    void whatIsAnsweredIsWhatStandsInTheTable() {
        MountEntry shown = bind(target);

        assertThat(KernelMachine.value(mounts.table()).at(target)).containsExactly(shown);
        assertThat(in(pods)).containsExactly(shown);
    }

    @Test
    void whatAnotherProcessHasMountedIsSeenAtOnce() {
        Path inside = machine.directory("pods/a/b");
        mountAt(inside);

        assertThat(in(pods))
                .singleElement()
                .satisfies(entry -> assertThat(entry.mountPoint()).isEqualTo(inside));

        KernelMachine.tool("umount", inside.toString());
        assertThat(in(pods)).isEmpty();
    }

    @Test
    void nothingIsMountedOverWhatAnotherProcessHasMounted() {
        machine.directory("pods/target");
        mountAt(target);

        assertThat(KernelMachine.refusal(tryToBind(target))).contains(Refusal.IN_USE);
    }

    @Test
    void whatAnotherProcessHasMountedOnOursIsNotUnmounted() {
        MountEntry ours = bind(target);
        mountAt(target);

        assertThat(KernelMachine.refusal(unmount(target, ours))).contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(2);
    }

    @Test
    void whatAnotherProcessHasMountedBelowOursIsNotUnmounted() {
        machine.directory("source/below");
        MountEntry ours = bind(target);
        mountAt(target.resolve("below"));

        assertThat(KernelMachine.refusal(unmount(target, ours))).contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void aForeignMountThatTookThePlaceOfOursIsNotUnmounted() {
        MountEntry ours = bind(target);
        KernelMachine.tool("umount", target.toString());
        mountAt(target);

        assertThat(KernelMachine.refusal(unmount(target, ours))).contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void aMountThatWasMovedIsFoundWhereItIs() {
        MountEntry ours = bind(target);
        Path elsewhere = machine.directory("pods/elsewhere");
        KernelMachine.tool("mount", "--move", target.toString(), elsewhere.toString());

        assertThat(in(target)).isEmpty();
        assertThat(in(elsewhere)).hasSize(1);
        assertThat(unmount(target, ours)).isEqualTo(Outcome.done());
        assertThat(machine.mountsAt(elsewhere)).hasSize(1);
        assertThat(unmount(elsewhere, ours)).isEqualTo(Outcome.done());
        assertThat(machine.mountsAt(elsewhere)).isEmpty();
    }

    @Test
    void aMountBelowADirectoryThatWasRenamedThereAndBackIsSeen() throws IOException {
        MountEntry ours = bind(target);
        Path elsewhere = pods.resolveSibling("pods-elsewhere");
        Files.move(pods, elsewhere);
        mountAt(machine.directory("unrelated")); // so that the table is read while it says so
        assertThat(KernelMachine.value(mounts.table()).at(elsewhere.resolve("target")))
                .hasSize(1);
        Files.move(elsewhere, pods); // the kernel tells no reader of this

        assertThat(in(target)).containsExactly(ours);
        assertThat(bind(target)).isEqualTo(ours);
        assertThat(machine.mountsAt(target)).hasSize(1);
        assertThat(unmount(target, ours)).isEqualTo(Outcome.done());
        assertThat(machine.mountsAt(target)).isEmpty();
    }

    @Test
    void whatAnotherProcessHasMountedAndHiddenIsNotTakenForNothing() {
        Path hidden = machine.directory("pods/a");
        mountAt(hidden);
        mountAt(pods);

        assertThat(in(hidden)).isEqualTo(machine.mountsAt(hidden)).hasSize(1);
    }

    @Test
    void aMountWithoutASourceIsToldAsTheTableHasIt() throws KernelException {
        Path place = machine.directory("pods/a");
        machine.kernel.mount(Kernel.name(""), Kernel.name(place.toString()), Kernel.name("tmpfs"), 0, Kernel.name(""));

        assertThat(in(place)).isEqualTo(machine.mountsAt(place)).hasSize(1);
        assertThat(MountExpectation.nothing().fits(in(place).get(0))).isFalse();
        assertThat(unmount(place, in(place).get(0))).isEqualTo(Outcome.done());
    }

    @Test
    void ourMountThatAnotherHidesIsNotTakenForWhatOneSees() {
        MountEntry ours = bind(target);
        // the directory of the place is mounted over, and in it something stands at the same path
        mountAt(pods);
        machine.directory("pods/target");
        mountAt(target);

        assertThat(KernelMachine.refusal(unmount(target, ours))).contains(Refusal.IN_USE);
        assertThat(machine.mountsAt(target)).hasSize(2);
    }

    @Test
    void whatIsUnmountedByOthersIsUnmounted() {
        MountEntry ours = bind(target);
        KernelMachine.tool("umount", target.toString());

        assertThat(unmount(target, ours)).isEqualTo(Outcome.done());
        assertThat(target).doesNotExist();
        bind(target);
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @Test
    void withoutAFeedTheTableIsRead() {
        feed.close();

        MountEntry shown = bind(target);
        assertThat(in(pods)).containsExactly(shown);
        assertThat(unmount(target, shown)).isEqualTo(Outcome.done());
    }
}
