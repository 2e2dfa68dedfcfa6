// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is found of a directory or file whose making was cut off at any moment. */
@Tag("long")
class NewFilesTest {
    private static final int ROUNDS = 150 * Integer.getInteger("mooring.times", 1);

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

    private Outcome<Made> openOrMake(FileKind kind, int mode) {
        return machine.host.files().openOrMake(machine.base.resolve("new"), LinkRule.FOLLOW, kind, mode);
    }

    /** The modes that a thread sees that never stops looking while the name is made and removed again and again. */
    private Set<String> modesSeen(int rounds, Supplier<Outcome<Made>> making) throws Exception {
        Set<String> seen = new ConcurrentSkipListSet<>();
        AtomicBoolean stop = new AtomicBoolean();
        Thread watcher = new Thread(() -> watch(seen, stop), "watcher");
        watcher.start();
        int before = machine.kernel.umask(077);
        try {
            for (int round = 0; round < rounds; round++) {
                KernelMachine.value(making.get()).path().close();
                Files.delete(machine.base.resolve("new"));
            }
        } finally {
            machine.kernel.umask(before);
            stop.set(true);
            watcher.join();
        }
        return seen;
    }

    private void watch(Set<String> seen, AtomicBoolean stop) {
        try (Descriptor directory =
                machine.kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(machine.base), Kernel.O_PATH, 0)) {
            while (!stop.get()) {
                look(directory, seen);
            }
        } catch (KernelException e) {
            seen.add(e.getMessage());
        }
    }

    private void look(Descriptor directory, Set<String> seen) {
        try {
            seen.add(Integer.toOctalString(machine.kernel
                    .status(directory.number(), Kernel.name("new"))
                    .permissions()));
        } catch (KernelException notThere) {
            // removed by now
            return;
        }
    }

    @Test
    @DisplayName(
            "H3 a directory has its mode from the first moment: a process that finds it after a crash finds it whole")
    void h03_aDirectoryIsNeverThereWithoutItsMode() throws Exception {
        assertThat(modesSeen(ROUNDS, () -> base.makeDirectory("new", 0775))).isSubsetOf("775");
        assertThat(modesSeen(10 * ROUNDS, () -> openOrMake(FileKind.DIRECTORY, 01777)))
                .isSubsetOf("1777");
    }

    @Test
    @DisplayName("H3 in a volume for a group a directory has even the group's bit from the first moment")
    void h03_aDirectoryIsNeverThereWithoutTheBitOfItsParent() throws Exception {
        KernelMachine.tool("chmod", "2770", machine.base.toString());

        assertThat(modesSeen(ROUNDS, () -> base.makeDirectory("new", 02770))).isSubsetOf("2770");
    }

    @Test
    @DisplayName("H3 a file has its mode from the first moment")
    void h03_aFileIsNeverThereWithoutItsMode() throws Exception {
        assertThat(modesSeen(10 * ROUNDS, () -> openOrMake(FileKind.FILE, 0664)))
                .isSubsetOf("664");
    }

    @Test
    void aBitThatTheParentHandsDownIsTakenAwayIfItIsNotWanted() throws IOException {
        KernelMachine.tool("chmod", "2770", machine.base.toString());

        KernelMachine.value(base.makeDirectory("new", 0755)).path().close();

        assertThat(Files.getAttribute(machine.base.resolve("new"), "unix:mode")).isEqualTo(040755);
    }

    @Test
    void anErrorAfterADirectoryWasMadeTakesNothingOfItsMode() {
        assumeTrue(machine.host.processes().locate("prlimit").isPresent(), "needs prlimit");
        List<String> few = List.of("prlimit", "--nofile=200");

        assertThat(KernelMachine.inJvm(few, Child.class, machine.base.toString()))
                .isEqualTo("uncertain, then 775");
    }

    /** The second thread has it too, and so does one that already writes into it while the other one still looks. */
    @Test
    void twoThatMakeTheSameDirectoryAtOnceBothHaveIt() throws Exception {
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String name = "made" + round;
                CyclicBarrier start = new CyclicBarrier(2);
                Future<Boolean> one = both.submit(user(start, name, "one"));
                Future<Boolean> other = both.submit(user(start, name, "other"));
                assertThat(List.of(one.get(), other.get())).as(name).containsAnyOf(false);
                assertThat(machine.base.resolve(name + "/one")).exists();
                assertThat(machine.base.resolve(name + "/other")).exists();
            }
        } finally {
            both.shutdown();
        }
    }

    /** Makes the directory and writes into it; whether it was told to be new. */
    private Callable<Boolean> user(CyclicBarrier start, String name, String file) {
        return () -> {
            start.await();
            Made made = KernelMachine.value(base.makeDirectory(name, 0755));
            Files.createFile(machine.base.resolve(name).resolve(file));
            made.path().close();
            return made.isNew();
        };
    }

    /** A process that has no descriptor left when it is to look at what it has made. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            LinuxHost host = LinuxHost.ofThisMachine(LinuxHostLayout.below(directory.resolve("state")))
                    .orElseThrow();
            PinnedPath base = KernelMachine.value(host.files().open(directory, LinkRule.FOLLOW));
            // this loads every class that is needed
            KernelMachine.value(base.makeDirectory("before", 0775)).path().close();
            KernelMachine.kindOf(base.child("missing"));
            List<FileInputStream> all = takeAllDescriptors();
            Outcome<Made> cutOff = base.makeDirectory("new", 0775);
            for (FileInputStream taken : all) {
                taken.close();
            }
            KernelMachine.value(base.makeDirectory("new", 0775)).path().close();
            int mode = (int) Files.getAttribute(directory.resolve("new"), "unix:mode") & 07777;
            String answer = KernelMachine.kindOf(cutOff) + ", then " + Integer.toOctalString(mode);
            System.out.writeBytes(answer.getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }

        private static List<FileInputStream> takeAllDescriptors() {
            List<FileInputStream> all = new ArrayList<>();
            try {
                while (true) {
                    all.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException none) {
                return all;
            }
        }
    }
}
