// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnmountCallTest {
    private final List<Command> commands = new ArrayList<>();
    private KernelMachine machine;
    private Path target;
    private BlockDevice disk;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.KILLABLE_UNMOUNT, HostFeature.PROCESS_GROUPS);
        machine.directory("mounts");
        target = machine.base.resolve("mounts/volume");
        disk = machine.disk("disk", 16 << 20);
        KernelMachine.tool("mkfs.ext4", "-q", disk.path().toString());
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private MountEntry mount() {
        return KernelMachine.value(machine.host
                .mounts()
                .mount(machine.context(), target, new MountRequest(disk.path().toString(), "ext4", List.of(), false)));
    }

    /** The machine's mounts, but with a process runner that is watched, or answers by itself. */
    private Outcome<Nothing> unmount(MountEntry entry, Supplier<Optional<CommandResult>> answer) {
        ProcessRunner watched = new ProcessRunner() {
            @Override
            public Optional<Path> locate(String tool) {
                return machine.host.processes().locate(tool);
            }

            @Override
            public Outcome<CommandResult> run(OperationContext context, Command command) {
                commands.add(command);
                return answer.get()
                        .map(Outcome::done)
                        .orElseGet(() -> machine.host.processes().run(context, command));
            }
        };
        MountTableReader reader = new MountTableReader(() -> Files.readAllBytes(Path.of("/proc/self/mountinfo")));
        return new LinuxMounts(
                        machine.kernel,
                        machine.host.capabilities(),
                        watched,
                        reader,
                        machine.layout,
                        new KeptParts(machine.kernel, () -> Outcome.done(List.of())),
                        new BoundedCalls())
                .unmount(machine.context(), target, MountExpectation.of(entry, false), UnmountForce.NONE);
    }

    @Test
    void theLastReferenceToADiskIsTakenAwayByAChild() {
        MountEntry entry = mount();

        assertThat(unmount(entry, Optional::empty)).isEqualTo(Outcome.done());

        assertThat(target).doesNotExist();
        assertThat(commands).singleElement().satisfies(command -> {
            assertThat(command.changes()).contains("file system " + disk.number());
            assertThat(command.atLimit()).isEqualTo(Command.AtLimit.KILL);
            assertThat(command.toString()).matches("umount -i -c -- /proc/\\d+/fd/\\d+/volume");
        });
    }

    @Test
    void whatTakesNoLastReferenceStartsNoProcess() {
        MountEntry entry = mount();
        Path second = machine.base.resolve("mounts/second");
        try (PinnedPath pinned = machine.open(target)) {
            assumeTrue(machine.host.capabilities().has(HostFeature.ATOMIC_BIND), "needs binds");
            KernelMachine.value(machine.host.mounts().bind(pinned, second, BindOptions.PLAIN));
        }

        assertThat(unmount(entry, Optional::empty)).isEqualTo(Outcome.done());

        assertThat(commands).isEmpty();
        assertThat(machine.mountsAt(second)).hasSize(1);
    }

    @Test
    void theChildDoesNotTouchTheMount() {
        assumeTrue(machine.host.processes().locate("strace").isPresent(), "needs strace");
        mount();
        String log = machine.base.resolve("trace").toString();
        KernelMachine.tool("strace", "-f", "-o", log, "umount", "-i", "-c", "--", target.toString());

        // the arguments of the start are cut short, paths given to the kernel are not
        String calls = KernelMachine.tool("grep", target.toString(), log).strip();

        assertThat(calls.lines()).singleElement().asString().contains("umount2(");
    }

    @Test
    void aBusyMountIsRefusedAndItsUserNamed() throws Exception {
        MountEntry entry = mount();
        Process holder =
                new ProcessBuilder("sleep", "60").directory(target.toFile()).start();
        try {
            Outcome<Nothing> outcome = unmount(entry, Optional::empty);

            assertThat(KernelMachine.refusal(outcome)).contains(Refusal.IN_USE);
            assertThat(outcome.message()).contains(Long.toString(holder.pid()));
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    /** A process that is just being started has the descriptors of this one, those within mounts too, until it runs its program. */
    @Test
    void whoStartsProcessesMeanwhileKeepsNoMountBusy() throws Exception {
        assumeTrue(machine.host.capabilities().has(HostFeature.ATOMIC_BIND), "needs binds");
        mount();
        AtomicBoolean going = new AtomicBoolean(true);
        List<Thread> starters = Stream.generate(() -> new Thread(() -> startProcesses(going)))
                .limit(3)
                .peek(Thread::start)
                .toList();
        try (PinnedPath volume = machine.open(target)) {
            for (int round = 0; round < 250 * Integer.getInteger("mooring.times", 1); round++) {
                Path place = machine.base.resolve("mounts/round-" + round);
                MountEntry entry = KernelMachine.value(machine.host.mounts().bind(volume, place, BindOptions.PLAIN));
                machine.open(place).close();
                assertThat(machine.host
                                .mounts()
                                .unmount(
                                        machine.context(), place, MountExpectation.of(entry, false), UnmountForce.NONE))
                        .isEqualTo(Outcome.done());
            }
        } finally {
            going.set(false);
            for (Thread starter : starters) {
                starter.join();
            }
        }
    }

    private static void startProcesses(AtomicBoolean going) {
        try {
            while (going.get()) {
                new ProcessBuilder("true").start().waitFor();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void m02_anUnmountThatDoesNotComeBackIsUncertain() {
        MountEntry entry = mount();
        CommandResult hangs = new CommandResult(Ending.STILL_RUNNING, -1, "", "");

        assertThat(KernelMachine.kindOf(unmount(entry, () -> Optional.of(hangs))))
                .isEqualTo("uncertain");
        assertThat(target).exists();
        assertThat(machine.mountsAt(target)).hasSize(1);
    }

    @ParameterizedTest(name = "{0} {1} {2} → {3}")
    @CsvSource({
        "EXITED, 0, , done GONE",
        "EXITED, 32, umount: /x: target is busy., done BUSY",
        "EXITED, 32, umount: /x: not mounted., done NOT_THERE",
        "EXITED, 32, umount: /x: no mount point specified., done NOT_THERE",
        "EXITED, 32, umount: /x: must be superuser to unmount., DENIED",
        "EXITED, 32, umount: /x: block devices are not permitted on filesystem., DENIED",
        "EXITED, 32, umount: /x: something new., uncertain",
        "EXITED, 32, umount: /proc/7/fd/9/busy: not mounted., done NOT_THERE",
        "EXITED, 32, umount: /proc/7/fd/9/busy: something new., uncertain",
        "EXITED, 32, umount: /proc/7/fd/9/busy: target is busy., done BUSY",
        "KILLED, 137, , uncertain",
        "STILL_RUNNING, -1, , uncertain"
    })
    void whatTheToolSaysIsClassified(Ending ending, int exit, String errors, String expected) {
        MountEntry entry = mount();
        CommandResult result = new CommandResult(ending, exit, "", errors == null ? "" : errors);

        Outcome<UnmountCall.Answer> outcome = UnmountCall.classify("/proc/7/fd/9/busy", entry, result);

        assertThat(KernelMachine.kindOf(outcome)
                        + outcome.result().map(answer -> " " + answer).orElse(""))
                .isEqualTo(expected);
    }
}
