// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountInfoParser;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.EmptiedTree;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class TreeWalkerTest {
    /** How often the attacker is given a chance. */
    private static final int ROUNDS = 500 * Integer.getInteger("mooring.times", 1);

    private static final int MOST_ROUNDS = 100 * ROUNDS;

    private KernelMachine machine;
    private Path tree;
    private Path outside;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.RESOLVE_RULES);
        tree = machine.directory("tree");
        outside = machine.file("outside/precious", "untouched");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private FileFacts facts(Path path) {
        try (PinnedPath pinned = machine.open(path)) {
            return KernelMachine.value(pinned.facts());
        }
    }

    private Outcome<EmptiedTree> empty() {
        return empty(TreeRules.all(facts(tree).identity()));
    }

    private Outcome<EmptiedTree> empty(TreeRules rules) {
        try (PinnedPath pinned = machine.open(tree)) {
            return machine.host.files().empty(machine.context(), pinned, rules);
        }
    }

    @Test
    @DisplayName("M20 links, hard links, a fifo, a device, hidden and strange names go; what they lead to stays")
    void m20_removesEntriesNotTargets() throws IOException {
        Files.createSymbolicLink(tree.resolve("link-to-file"), outside);
        Files.createSymbolicLink(tree.resolve("link-to-directory"), outside.getParent());
        Files.createLink(tree.resolve("hard"), outside);
        KernelMachine.tool("mkfifo", tree.resolve("fifo").toString());
        machine.file("tree/.hidden", "x");
        machine.file("tree/new\nline", "x");
        machine.file("tree/a b/c\\d/e", "x");
        int devices = 0;
        if (machine.host.capabilities().has(HostFeature.ROOT)) {
            KernelMachine.tool("mknod", tree.resolve("null").toString(), "c", "1", "3");
            devices = 1;
        }

        EmptiedTree emptied = KernelMachine.value(empty());

        assertThat(tree).isEmptyDirectory();
        assertThat(outside).hasContent("untouched");
        assertThat(emptied).isEqualTo(new EmptiedTree(7 + devices, 2, 0));
    }

    @Test
    @DisplayName("M20 names that are no text are removed")
    void m20_removesNamesThatAreNoText() throws IOException {
        KernelMachine.tool(
                "sh", "-c", "cd '" + tree + "' && mkdir \"$(printf 'd\\377')\" && touch \"$(printf 'd\\377/f\\376')\"");

        assertThat(empty().isDone()).isTrue();
        assertThat(tree).isEmptyDirectory();
    }

    @Test
    @DisplayName("M20 a tree 5,000 directories deep with few descriptors")
    void m20_removesDeepTrees() {
        KernelMachine.tool(
                "python3",
                "-c",
                "import os\nos.chdir('" + tree
                        + "')\nfor i in range(5000):\n os.mkdir('d'); os.chdir('d')\nopen('f','w')");

        EmptiedTree emptied = KernelMachine.value(empty());

        assertThat(tree).isEmptyDirectory();
        assertThat(emptied.directories()).isEqualTo(5000);
        assertThat(emptied.files()).isEqualTo(1);
    }

    @Test
    @DisplayName("M20 a wide directory")
    void m20_removesWideDirectories() {
        KernelMachine.tool("sh", "-c", "cd '" + tree + "' && seq 1 20000 | xargs touch");

        assertThat(KernelMachine.value(empty()).files()).isEqualTo(20_000);
        assertThat(tree).isEmptyDirectory();
    }

    @Test
    @DisplayName("M20 two names that look the same to people are two: what can go of each goes")
    void m20_namesThatLookTheSameAreTwo() throws IOException, InterruptedException {
        String make = "cd '" + tree + "' && for d in \"$(printf 'd\\377')\" \"$(printf 'd\\376')\"; do"
                + " mkdir \"$d\" && touch \"$d/stays\" \"$d/goes\" && chattr FLAG \"$d/stays\" || exit 1; done";
        String free = "chattr -i '" + tree + "'/*/stays";
        try {
            Process made = new ProcessBuilder("sh", "-c", make.replace("FLAG", "+i")).start();
            assumeTrue(made.waitFor() == 0, "chattr +i does not work on this file system or for this user");

            Outcome<EmptiedTree> outcome = empty();

            assertThat(outcome.message()).contains("2 files");
            assertThat(KernelMachine.tool("sh", "-c", "find '" + tree + "' -name stays | wc -l")
                            .strip())
                    .isEqualTo("2");
            assertThat(KernelMachine.tool("sh", "-c", "find '" + tree + "' -name goes | wc -l")
                            .strip())
                    .isEqualTo("0");
        } finally {
            new ProcessBuilder("sh", "-c", free).start().waitFor();
        }
    }

    @Test
    @DisplayName("M20 an immutable file is reported, everything else goes")
    void m20_reportsImmutableFiles() throws Exception {
        Path immutable = machine.file("tree/a/immutable", "x");
        machine.file("tree/b/other", "x");
        Process chattr = new ProcessBuilder("chattr", "+i", immutable.toString()).start();
        assumeTrue(chattr.waitFor() == 0, "chattr +i does not work on this file system or for this user");
        try {
            Outcome<EmptiedTree> outcome = empty();

            assertThat(KernelMachine.refusal(outcome)).contains(Refusal.DENIED);
            assertThat(outcome.message()).contains("a/immutable").contains("1 files");
            assertThat(tree.resolve("b")).doesNotExist();
        } finally {
            KernelMachine.tool("chattr", "-i", immutable.toString());
        }
        assertThat(empty().isDone()).isTrue();
        assertThat(tree).isEmptyDirectory();
    }

    @Test
    @DisplayName("M20 a mount inside stops the walk before anything is removed")
    void m20_refusesMountsInside() {
        assumeTrue(machine.host.capabilities().has(HostFeature.ROOT), "mounting needs root");
        machine.file("tree/kept", "x");
        Path inner = machine.directory("tree/a/inner");
        KernelMachine.tool("mount", "-t", "tmpfs", "inner", inner.toString());
        machine.file("tree/a/inner/data", "x");

        Outcome<EmptiedTree> outcome = empty();

        assertThat(KernelMachine.refusal(outcome)).contains(Refusal.IN_USE);
        assertThat(outcome.message()).contains(inner.toString());
        assertThat(tree.resolve("kept")).exists();
        assertThat(inner.resolve("data")).exists();
    }

    @Test
    @DisplayName("M20 a mount that the table does not show below the tree is not entered either")
    void m20_neverCrossesAMount() throws KernelException {
        assumeTrue(machine.host.capabilities().has(HostFeature.ROOT), "mounting needs root");
        Path inner = machine.directory("tree/a/inner");
        KernelMachine.tool("mount", "-t", "tmpfs", "inner", inner.toString());
        machine.file("tree/a/inner/data", "x");
        TreeWalker walker = new TreeWalker(
                machine.kernel, machine.context(), TreeRules.all(facts(tree).identity()));
        try (Descriptor root = machine.kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(tree), Kernel.O_PATH, 0)) {
            Outcome<EmptiedTree> outcome = walker.empty(root, MountInfoParser.parse(""));

            assertThat(KernelMachine.refusal(outcome)).contains(Refusal.IN_USE);
            assertThat(outcome.message()).contains("a/inner");
        }
        assertThat(inner.resolve("data")).exists();
    }

    @Test
    @DisplayName("M21 another directory in its place is not touched")
    void m21_verifiesIdentity() {
        machine.file("tree/kept", "x");
        FileIdentity other = new FileIdentity(facts(tree).identity().fileSystem(), 1);

        assertThat(KernelMachine.refusal(empty(TreeRules.all(other)))).contains(Refusal.CORRUPT);
        assertThat(tree.resolve("kept")).exists();
    }

    @Test
    @DisplayName("M21 the directory below a share that was unmounted is not touched")
    void m21_verifiesTheMount() throws IOException {
        assumeTrue(machine.host.capabilities().has(HostFeature.ROOT), "mounting needs root");
        machine.file("tree/below-the-mount", "x");
        KernelMachine.tool("mount", "-t", "tmpfs", "share", tree.toString());
        machine.file("tree/on-the-share", "x");
        TreeRules rules =
                new TreeRules(Optional.empty(), OptionalInt.of(facts(tree).mountId()), Set.of(), Set.of());

        assertThat(empty(rules).isDone()).isTrue();
        assertThat(tree).isEmptyDirectory();
        KernelMachine.tool("umount", tree.toString());
        assertThat(KernelMachine.refusal(empty(rules))).contains(Refusal.CORRUPT);
        assertThat(tree.resolve("below-the-mount")).exists();
    }

    @Test
    @DisplayName("M22 a directory swapped for a link during the walk never leads outside")
    void m22_survivesSwappingAttackers() throws Exception {
        Path attacked = tree.resolve("attacked");
        AtomicBoolean stop = new AtomicBoolean();
        Thread attacker = new Thread(() -> swap(attacked, stop));
        attacker.start();
        int directories = 0;
        int links = 0;
        try {
            // More of them, if the attacker was not let do anything.
            for (int round = 0; round < ROUNDS || ((directories == 0 || links == 0) && round < MOST_ROUNDS); round++) {
                machine.directory("tree/round/x");
                Optional<EmptiedTree> emptied = empty().result();
                // Two directories are the round's own.
                directories += emptied.filter(gone -> gone.directories() > 2).isPresent() ? 1 : 0;
                links += emptied.filter(gone -> gone.directories() == 2 && gone.files() == 1)
                                .isPresent()
                        ? 1
                        : 0;
                assertThat(outside).as("round " + round).hasContent("untouched");
            }
        } finally {
            stop.set(true);
            attacker.join();
        }
        assertThat(directories).as("rounds that met the directory").isPositive();
        assertThat(links).as("rounds that met the link").isPositive();
        assertThat(empty().isDone()).isTrue();
    }

    /** Exchanges, in one step each time, a directory with content and a link to the outside under one name. */
    private void swap(Path attacked, AtomicBoolean stop) {
        Path link = machine.base.resolve("link");
        byte[] from = Kernel.name(link);
        byte[] to = Kernel.name(attacked);
        int exchange = 2;
        while (!stop.get()) {
            try {
                prepare(attacked, link);
                for (int i = 0; i < 50 && !stop.get(); i++) {
                    machine.kernel.rename(Kernel.CURRENT_DIRECTORY, from, Kernel.CURRENT_DIRECTORY, to, exchange);
                }
            } catch (IOException | KernelException ignored) {
                // the walker was faster
            }
        }
    }

    /** After the walker removed one of the two: a directory in the tree, a link beside it. */
    private void prepare(Path attacked, Path link) throws IOException {
        if (Files.isDirectory(link, LinkOption.NOFOLLOW_LINKS)) {
            Files.move(link, Files.createTempDirectory(machine.base, "bait").resolve("old"));
        }
        if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
            Files.createSymbolicLink(link, outside.getParent());
        }
        if (!Files.exists(attacked, LinkOption.NOFOLLOW_LINKS)) {
            Path bait = Files.createTempDirectory(machine.base, "bait");
            for (int i = 0; i < 20; i++) {
                Files.writeString(bait.resolve("bait" + i), "x");
            }
            Files.move(bait, attacked);
        }
    }

    @Test
    void keepsWhatTheRulesKeep() throws IOException {
        machine.file("tree/.snapshot/x", "x");
        machine.file("tree/lost+found/#123", "x");
        machine.file("tree/sub/.snapshot", "goes: only names at the root are kept");
        TreeRules rules = new TreeRules(
                Optional.of(facts(tree).identity()), OptionalInt.empty(), Set.of(".snapshot"), Set.of("lost+found"));

        EmptiedTree emptied = KernelMachine.value(empty(rules));

        assertThat(emptied.kept()).isEqualTo(2);
        assertThat(tree.resolve(".snapshot/x")).exists();
        assertThat(tree.resolve("lost+found")).isEmptyDirectory();
        assertThat(tree.resolve("sub")).doesNotExist();
    }

    @Test
    void whatIsToBeEmptiedAndKeptButMayNotBeEnteredIsReported() throws IOException {
        assumeTrue(machine.host.processes().locate("setpriv").isPresent(), "needs setpriv");
        Path closed = machine.file("tree/lost+found/#123", "x").getParent();
        Files.setPosixFilePermissions(closed, Set.of());
        try {
            String powers = "-dac_override,-dac_read_search";

            assertThat(KernelMachine.inJvm(
                            List.of("setpriv", "--bounding-set=" + powers, "--inh-caps=" + powers),
                            Emptying.class,
                            tree.toString()))
                    .startsWith("DENIED could not remove lost+found (");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(closed.resolve("#123")).exists();
    }

    /** Empties a directory as a user who may enter only directories that are open to that user. */
    static final class Emptying {
        private Emptying() {}

        public static void main(String[] arguments) {
            Path tree = Path.of(arguments[0]);
            LinuxHost host = LinuxHost.ofThisMachine(LinuxHostLayout.below(tree.resolveSibling("state")))
                    .orElseThrow();
            try (PinnedPath pinned = KernelMachine.value(host.files().open(tree, LinkRule.FOLLOW))) {
                FileIdentity identity = KernelMachine.value(pinned.facts()).identity();
                TreeRules rules =
                        new TreeRules(Optional.of(identity), OptionalInt.empty(), Set.of(), Set.of("lost+found"));
                Outcome<EmptiedTree> emptied = host.files().empty(TimedCall.of(host), pinned, rules);
                String answer = KernelMachine.kindOf(emptied) + " " + emptied.message();
                System.out.writeBytes(answer.getBytes(StandardCharsets.UTF_8));
                System.out.flush();
            }
        }
    }

    @Test
    void stopsWhenCancelledAndGoesOnLater() {
        KernelMachine.tool("sh", "-c", "cd '" + tree + "' && seq 1 1000 | xargs touch");
        TimedCall cancelled = machine.context();
        cancelled.cancel().set(true);
        try (PinnedPath pinned = machine.open(tree)) {
            Outcome<EmptiedTree> outcome = machine.host
                    .files()
                    .empty(cancelled, pinned, TreeRules.all(facts(tree).identity()));

            assertThat(KernelMachine.kindOf(outcome)).isEqualTo("uncertain");
        }
        assertThat(tree).isNotEmptyDirectory();
        assertThat(empty().isDone()).isTrue();
        assertThat(tree).isEmptyDirectory();
    }

    @Test
    void stopsAtItsDeadline() {
        KernelMachine.tool("sh", "-c", "cd '" + tree + "' && seq 1 1000 | xargs touch");
        try (PinnedPath pinned = machine.open(tree)) {
            Outcome<EmptiedTree> outcome = machine.host
                    .files()
                    .empty(
                            TimedCall.within(machine.host, Duration.ZERO),
                            pinned,
                            TreeRules.all(facts(tree).identity()));

            assertThat(KernelMachine.kindOf(outcome)).isEqualTo("uncertain");
        }
    }
}
