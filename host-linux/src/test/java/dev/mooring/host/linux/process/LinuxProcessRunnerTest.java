// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinuxProcessRunnerTest {
    /** Seconds. Processes are found by their words, and other runs of these tests may go on beside this one. */
    private static final String LONG_SLEEP = "3600." + ProcessHandle.current().pid();

    private KernelMachine machine;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.PROCESS_GROUPS);
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private Outcome<CommandResult> run(Command command) {
        return machine.host.processes().run(machine.context(), command);
    }

    private static Command script(String text, Duration limit) {
        return Command.query("sh", "-c", text).withLimit(limit, Command.AtLimit.KILL);
    }

    private static Command script(String text) {
        return script(text, Duration.ofSeconds(60));
    }

    @Test
    void givesExitCodeAndBothOutputs() {
        CommandResult result = KernelMachine.value(run(script("echo out; echo err >&2; exit 3")));

        assertThat(result).isEqualTo(new CommandResult(Ending.EXITED, 3, "out\n", "err\n"));
        assertThat(result.succeeded()).isFalse();
        assertThat(result.complaint()).isEqualTo("err");
    }

    @Test
    @DisplayName("M1 arguments are passed as they are, whatever they contain")
    void m01_passesArgumentsUnchanged() {
        String strange = "a b'c\"d$(id);`id`\n*";

        assertThat(KernelMachine.value(run(Command.query("printf", "%s", strange)))
                        .standardOutput())
                .isEqualTo(strange);
    }

    @Test
    void theEnvironmentIsFixed() {
        String output = KernelMachine.value(run(Command.query("env"))).standardOutput();

        assertThat(output.lines())
                .filteredOn(line -> !line.startsWith("_="))
                .containsExactlyInAnyOrder("LC_ALL=C", "PATH=" + Tools.PATH);
        assertThat(KernelMachine.value(run(script("pwd"))).standardOutput()).isEqualTo("/\n");
    }

    @Test
    void m01_aSecretIsOnlyInStandardInput() {
        SecretValue secret = new SecretValue("s3cret".getBytes(StandardCharsets.UTF_8));

        assertThat(KernelMachine.value(run(Command.query("cat"))).standardOutput())
                .isEmpty();
        assertThat(KernelMachine.value(run(Command.query("cat").withInput(secret)))
                        .standardOutput())
                .isEqualTo("s3cret");
        assertThat(Command.query("cat").withInput(secret).toString()).isEqualTo("cat");
    }

    @Test
    @DisplayName("M2 a child that ignores SIGTERM is killed with all it started")
    void m02_killsTheWholeGroup() {
        CommandResult result =
                saysSomethingAndIsKilled("trap '' TERM; sleep 3600 & echo $!; while :; do sleep 1; done");

        long grandchild = Long.parseLong(result.standardOutput().strip());
        // the signal has been sent when the call returns; dying takes its time
        for (int i = 0; i < 600 && lives(grandchild); i++) {
            KernelMachine.tool("sleep", "0.1");
        }
        assertThat(lives(grandchild)).isFalse();
    }

    /** On a machine that is slow the limit may be over before it says anything. */
    private CommandResult saysSomethingAndIsKilled(String text) {
        Duration limit = Duration.ofSeconds(3);
        while (true) {
            CommandResult result = KernelMachine.value(run(script(text, limit)));
            assertThat(result.ending()).isEqualTo(Ending.KILLED);
            if (!result.standardOutput().isEmpty()) {
                return result;
            }
            limit = limit.multipliedBy(2);
        }
    }

    /** A zombie, which its parent may not have waited for yet, has no command. */
    private static boolean lives(long process) {
        return ProcessHandle.of(process)
                .filter(handle -> handle.isAlive() && handle.info().command().isPresent())
                .isPresent();
    }

    @Test
    @DisplayName("M2 while a command lives that was left alone, no second one for the same thing starts")
    void m02_keepsWhatItChangesLocked() throws IOException {
        Path end = machine.base.resolve("end");
        Command slow = talkative(until(end));

        assertThat(KernelMachine.value(run(slow)).ending()).isEqualTo(Ending.STILL_RUNNING);
        assertThat(KernelMachine.kindOf(run(slow))).isEqualTo("deferred");
        assertThat(KernelMachine.value(run(Command.change("/dev/y", Duration.ofSeconds(60), "true", List.of())))
                        .succeeded())
                .isTrue();
        Files.createFile(end);
        Command next = Command.change("/dev/x", Duration.ofSeconds(60), "true", List.of());
        assertThat(KernelMachine.value(whenNoLongerDeferred(next)).succeeded()).isTrue();
    }

    /** Lasts until the file is there, or the test has failed long ago. */
    private static String until(Path file) {
        return "i=0; until [ -e " + file + " ] || [ $i -gt 6000 ]; do sleep 0.1; i=$((i + 1)); done";
    }

    private Outcome<CommandResult> whenNoLongerDeferred(Command command) {
        Outcome<CommandResult> outcome = run(command);
        for (int i = 0; i < 600 && KernelMachine.kindOf(outcome).equals("deferred"); i++) {
            KernelMachine.tool("sleep", "0.1");
            outcome = run(command);
        }
        return outcome;
    }

    @Test
    @DisplayName("M3 the call returns when the child exits although a grandchild keeps the pipe open")
    void m03_doesNotWaitForThePipe() {
        CommandResult result = KernelMachine.value(run(script("sleep 3600 & echo $!")));

        long grandchild = Long.parseLong(result.standardOutput().strip());
        try {
            assertThat(result).isEqualTo(new CommandResult(Ending.EXITED, 0, grandchild + "\n", ""));
            assertThat(lives(grandchild)).isTrue();
        } finally {
            ProcessHandle.of(grandchild).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void largeOutputIsBoundedToItsEnds() {
        CommandResult result = KernelMachine.value(run(script("seq 1 200000")));

        assertThat(result.standardOutput()).startsWith("1\n2\n").endsWith("199999\n200000\n");
        assertThat(result.standardOutput().length()).isLessThan(70_000);
    }

    @Test
    void aMissingToolIsUnsupported() {
        assertThat(machine.host.processes().locate("no-such-tool")).isEmpty();
        assertThat(KernelMachine.refusal(run(Command.query("no-such-tool")))).contains(Refusal.UNSUPPORTED);
    }

    @Test
    void theContextsDeadlineCountsToo() {
        TimedCall soon = TimedCall.within(machine.host, Duration.ofMillis(200));

        CommandResult result =
                KernelMachine.value(machine.host.processes().run(soon, script("sleep 3600", Duration.ofHours(1))));

        assertThat(result.ending()).isEqualTo(Ending.KILLED);
    }

    /** An agent that was started after a crash: nothing is left of the other one but its files and what it has started. */
    private LinuxProcessRunner successor() {
        return new LinuxProcessRunner(
                machine.kernel, Tools.ofSystem(), new ProcessLedger(machine.base.resolve("state/processes")));
    }

    private static Command longOne(Command.AtLimit atLimit, Duration limit) {
        return new Command("sleep", List.of(LONG_SLEEP), Optional.empty(), limit, atLimit, Optional.of("/dev/x"));
    }

    private Outcome<CommandResult> runBy(LinuxProcessRunner runner, String thing) {
        return runner.run(machine.context(), Command.change(thing, Duration.ofSeconds(60), "true", List.of()));
    }

    private static void end(String tool, String argument) {
        ProcessIdentity.withArguments(List.of(tool, argument))
                .flatMap(identity -> ProcessHandle.of(identity.pid()))
                .ifPresent(handle -> {
                    handle.destroyForcibly();
                    handle.onExit().join();
                });
    }

    private static Command talkative(String script) {
        return new Command(
                "sh",
                List.of("-c", script),
                Optional.empty(),
                Duration.ofMillis(100),
                Command.AtLimit.LEAVE,
                Optional.of("/dev/x"));
    }

    /** A check that finds much to repair says much; a pipe that no thread reads would stop it for ever. */
    @Test
    void m02_whoIsLeftAloneMaySayAsMuchAsHeLikes() throws IOException {
        Path end = machine.base.resolve("end");

        Path begin = machine.base.resolve("begin");

        assertThat(KernelMachine.value(
                                run(talkative(until(begin) + "; head -c 3000000 /dev/zero; echo ended > " + end)))
                        .ending())
                .isEqualTo(Ending.STILL_RUNNING);
        Files.createFile(begin);

        for (int i = 0; i < 600 && !Files.exists(end); i++) {
            KernelMachine.tool("sleep", "0.1");
        }
        assertThat(end).exists();
    }

    /** A question that hangs in the kernel cannot be ended: asking it again at every attempt would gather such processes. */
    @Test
    void m02_aQuestionThatCannotBeEndedIsNotAskedBesideItself() throws IOException {
        Path end = machine.base.resolve("end");
        Command question =
                Command.query("sh", "-c", until(end)).withLimit(Duration.ofMillis(50), Command.AtLimit.LEAVE);

        assertThat(KernelMachine.value(run(question)).ending()).isEqualTo(Ending.STILL_RUNNING);
        assertThat(KernelMachine.kindOf(run(question))).isEqualTo("deferred");
        assertThat(KernelMachine.value(run(Command.query("true"))).succeeded()).isTrue();
        Files.createFile(end);
        Command again = question.withLimit(Duration.ofSeconds(60), Command.AtLimit.KILL);
        assertThat(KernelMachine.value(whenNoLongerDeferred(again)).succeeded()).isTrue();
    }

    @Test
    void m02_whatAToolThatMayBeLeftSaysIsToldIfItEndsInTime() {
        CommandResult result = KernelMachine.value(run(talkative("echo out; echo wrong >&2; exit 4")
                .withLimit(Duration.ofSeconds(60), Command.AtLimit.LEAVE)));

        assertThat(result.exitCode()).isEqualTo(4);
        assertThat(result.complaint()).isEqualTo("out wrong");
    }

    @Test
    void m04_aProcessLeftBehindIsFoundBeforeAnythingElseIsDone() {
        String sleep = machine.host.processes().locate("sleep").orElseThrow().toString();
        KernelMachine.value(run(longOne(Command.AtLimit.LEAVE, Duration.ofMillis(50))));
        try {
            LinuxProcessRunner successor = successor();

            assertThat(successor.isChanging("/dev/x")).isTrue();
            assertThat(successor.isChanging("/dev/y")).isFalse();
            assertThat(KernelMachine.kindOf(runBy(successor, "/dev/x"))).isEqualTo("deferred");
            assertThat(KernelMachine.value(runBy(successor, "/dev/y")).succeeded())
                    .isTrue();

            end(sleep, LONG_SLEEP);
            assertThat(successor.isChanging("/dev/x")).isFalse();
            assertThat(KernelMachine.value(runBy(successor, "/dev/x")).succeeded())
                    .isTrue();
        } finally {
            end(sleep, LONG_SLEEP);
        }
    }

    @Test
    void m04_aProcessOfWhichOnlyTheIntentIsNotedIsFoundByItsWords() throws Exception {
        String sleep = machine.host.processes().locate("sleep").orElseThrow().toString();
        Command command = longOne(Command.AtLimit.KILL, Duration.ofSeconds(60));
        List<String> words = List.of(sleep, LONG_SLEEP);
        // the crash came between the note and the start, or right after the start
        ProcessLedger crashed = new ProcessLedger(machine.base.resolve("state/processes"));
        crashed.begin("/dev/x", command, words, Instant.EPOCH);
        assertThat(successor().isChanging("/dev/x")).isFalse();

        Process orphan = new ProcessBuilder(words).start();
        try {
            LinuxProcessRunner successor = successor();
            assertThat(successor.isChanging("/dev/x")).isTrue();

            // its time was up long ago: the first attempt ends it
            assertThat(KernelMachine.kindOf(runBy(successor, "/dev/x"))).isEqualTo("deferred");
            orphan.waitFor();
            assertThat(KernelMachine.value(runBy(successor, "/dev/x")).succeeded())
                    .isTrue();
        } finally {
            orphan.destroyForcibly();
        }
    }

    private LinuxProcessRunner runner(LinuxProcessRunner.Start start) {
        return new LinuxProcessRunner(
                machine.kernel, Tools.ofSystem(), new ProcessLedger(machine.base.resolve("state/processes")), start);
    }

    /** As at the limit of processes: no thread can be started that waits for the child. */
    private static OutOfMemoryError noThread() {
        return new OutOfMemoryError("unable to create native thread");
    }

    @Test
    void m04_aToolThatCouldNotBeStartedForLackOfAThreadHindersNoOther() {
        AtomicBoolean full = new AtomicBoolean(true);
        LinuxProcessRunner runner = runner(builder -> {
            if (full.get()) {
                throw noThread();
            }
            return builder.start();
        });

        Outcome<CommandResult> without = runBy(runner, "/dev/x");
        assertThat(KernelMachine.kindOf(without)).isEqualTo("uncertain");
        assertThat(without.message()).contains("unable to create native thread");
        assertThat(runner.isChanging("/dev/x")).isFalse();
        assertThat(KernelMachine.kindOf(runner.run(machine.context(), Command.query("true"))))
                .isEqualTo("uncertain");

        full.set(false);
        assertThat(KernelMachine.value(runBy(runner, "/dev/x")).succeeded()).isTrue();
    }

    @Test
    void m04_aToolThatWasStartedThoughTheThreadForItWasLackingKeepsItsPlaceAsLongAsItLives() {
        String sleep = machine.host.processes().locate("sleep").orElseThrow().toString();
        AtomicBoolean full = new AtomicBoolean(true);
        LinuxProcessRunner runner = runner(builder -> {
            Process process = builder.start();
            if (full.get()) {
                throw noThread();
            }
            return process;
        });
        try {
            Command command = longOne(Command.AtLimit.LEAVE, Duration.ofSeconds(60));
            assertThat(KernelMachine.kindOf(runner.run(machine.context(), command)))
                    .isEqualTo("uncertain");
            full.set(false);

            assertThat(runner.isChanging("/dev/x")).isTrue();
            assertThat(KernelMachine.kindOf(runBy(runner, "/dev/x"))).isEqualTo("deferred");
            assertThat(KernelMachine.value(runBy(runner, "/dev/y")).succeeded()).isTrue();

            end(sleep, LONG_SLEEP);
            assertThat(runner.isChanging("/dev/x")).isFalse();
            assertThat(KernelMachine.value(runBy(runner, "/dev/x")).succeeded()).isTrue();
        } finally {
            end(sleep, LONG_SLEEP);
        }
    }

    @Test
    void m04_aToolThatSetsidHasNotMadeWayForIsFoundByItsWords() throws IOException {
        Process starting = new ProcessBuilder(
                        "bash", "-c", "exec -a /usr/bin/setsid sleep " + LONG_SLEEP + " " + LONG_SLEEP)
                .start();
        try {
            List<String> words = List.of(LONG_SLEEP, LONG_SLEEP);
            for (int i = 0; i < 600 && ProcessIdentity.withArguments(words).isEmpty(); i++) {
                KernelMachine.tool("sleep", "0.1");
            }
            assertThat(ProcessIdentity.withArguments(words).map(ProcessIdentity::pid))
                    .contains(starting.pid());
            assertThat(ProcessIdentity.withArguments(List.of(LONG_SLEEP))).isEmpty();
        } finally {
            starting.destroyForcibly();
        }
    }

    @Test
    void m04_aCommandThatEndedLeavesNothing() throws IOException {
        KernelMachine.value(run(Command.change("/dev/x", Duration.ofSeconds(60), "true", List.of())));

        assertThat(machine.base.resolve("state/processes")).isEmptyDirectory();
    }

    @Test
    void m04_theNumberOfAProcessAloneProvesNothing() {
        ProcessIdentity here = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();

        assertThat(here.isAlive()).isTrue();
        assertThat(new ProcessIdentity(here.pid(), here.started() + 1).isAlive())
                .isFalse();
        assertThat(ProcessLedger.Entry.parse(
                        new ProcessLedger.Entry(
                                        "x", Command.AtLimit.KILL, Instant.EPOCH, Optional.of(here), List.of("a", ""))
                                .text("boot 1"),
                        "boot 1"))
                .contains(new ProcessLedger.Entry(
                        "x", Command.AtLimit.KILL, Instant.EPOCH, Optional.of(here), List.of("a", "")));
        assertThat(ProcessLedger.Entry.parse("boot 1\0x\0KILL\0" + "0\0" + "\0a", "boot 2"))
                .isEmpty();
        assertThat(ProcessLedger.Entry.parse("damaged", "boot 1")).isEmpty();
    }
}
