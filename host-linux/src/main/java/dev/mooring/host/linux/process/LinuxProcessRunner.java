// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.process;

import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.Command.AtLimit;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts tools and watches them. A command that changes something is in a ledger as long as it lives. So no second command for the same
 * thing is started beside it, not even by the next agent after a crash.
 *
 * <p>No signal at the death of the parent is asked for: on Linux that is the death of the thread that started the child, and it would end an
 * {@code iscsiadm} or a {@code mount.nfs} in the middle of what it does. What is left behind is waited for, or killed when its time is up.
 */
public final class LinuxProcessRunner implements ProcessRunner, ChangingProcesses {
    private static final int SIGKILL = 9;

    private final Kernel kernel;
    private final Tools tools;
    private final ProcessLedger ledger;
    private final Start starter;
    /** By what it changes: a process that may still live (P3). An entry without a process is being started. */
    private final Map<String, Optional<Process>> changing = new ConcurrentHashMap<>();
    /** Questions that could not be ended, by their words. */
    private final Map<List<String>, Process> unanswered = new ConcurrentHashMap<>();

    /** How a process is started. */
    @FunctionalInterface
    interface Start {
        Process start(ProcessBuilder builder) throws IOException;
    }

    public LinuxProcessRunner(Kernel kernel, Tools tools, ProcessLedger ledger) {
        this(kernel, tools, ledger, ProcessBuilder::start);
    }

    LinuxProcessRunner(Kernel kernel, Tools tools, ProcessLedger ledger, Start starter) {
        this.kernel = kernel;
        this.tools = tools;
        this.ledger = ledger;
        this.starter = starter;
    }

    @Override
    public Optional<Path> locate(String tool) {
        return tools.locate(tool);
    }

    @Override
    public Outcome<CommandResult> run(OperationContext context, Command command) {
        Optional<Path> file = tools.locate(command.tool());
        if (file.isEmpty()) {
            return Outcome.refused(Refusal.UNSUPPORTED, "the tool " + command.tool() + " is not on this machine");
        }
        if (context.cancelled()) {
            return Outcome.deferred("cancelled before " + command.tool() + " was started");
        }
        List<String> words = new ArrayList<>(List.of(file.get().toString()));
        words.addAll(command.arguments());
        if (command.changes().isEmpty()) {
            return ask(context, command, words);
        }
        String thing = command.changes().get();
        return occupy(context, thing)
                ? change(context, command, words, thing)
                : Outcome.deferred("an earlier command that changes " + thing + " has not ended yet");
    }

    /** A second call for what still hangs in the kernel would only hang beside it. */
    private Outcome<CommandResult> ask(OperationContext context, Command command, List<String> words) {
        Process earlier = unanswered.get(words);
        if (earlier != null && earlier.isAlive()) {
            return Outcome.deferred(command.tool() + " was asked the same before and has not answered yet");
        }
        unanswered.remove(words);
        return start(words, command, Optional.empty()).map(process -> {
            CommandResult result = await(context, command, process, Optional.empty());
            if (result.ending() == CommandResult.Ending.STILL_RUNNING) {
                unanswered.put(List.copyOf(words), process);
            }
            return result;
        });
    }

    @Override
    public boolean isChanging(String thing) {
        Optional<Process> running = changing.get(thing);
        boolean ours = running != null && running.map(Process::isAlive).orElse(true);
        return ours || ledger.leftBehind(thing).isPresent();
    }

    @Override
    public void whenSettled(String thing, Runnable action) {
        Optional<Process> running = changing.getOrDefault(thing, Optional.empty());
        if (running.isPresent()) {
            var unused = running.get().onExit().thenRun(action);
        } else {
            action.run();
        }
    }

    private boolean occupy(OperationContext context, String thing) {
        if (isLeftBehind(context, thing)) {
            return false;
        }
        boolean[] free = new boolean[1];
        changing.compute(thing, (key, running) -> {
            // a process that is being started counts as alive
            if (running != null && running.map(Process::isAlive).orElse(true)) {
                return running;
            }
            free[0] = true;
            return Optional.empty();
        });
        return free[0];
    }

    /** Whether a process of an earlier agent lives. One whose time is up is killed, and looked for again at the next attempt. */
    private boolean isLeftBehind(OperationContext context, String thing) {
        Optional<ProcessLedger.Entry> orphan = ledger.leftBehind(thing);
        orphan.filter(entry -> entry.atLimit() == AtLimit.KILL)
                .filter(entry -> !context.clock().instant().isBefore(entry.end()))
                .flatMap(ProcessLedger.Entry::process)
                .ifPresent(this::kill);
        return orphan.isPresent();
    }

    private void kill(ProcessIdentity orphan) {
        for (long target : new long[] {-orphan.pid(), orphan.pid()}) {
            try {
                kernel.kill(target, SIGKILL);
            } catch (KernelException ignored) {
                // no group of its own, or ended by now
            }
        }
    }

    private Outcome<CommandResult> change(OperationContext context, Command command, List<String> words, String thing) {
        Instant end = RunningCommand.end(context, command);
        // a process that outlives the agent must not be ended by a pipe without a reader
        Optional<Path> output =
                command.atLimit() == AtLimit.LEAVE ? Optional.of(ledger.output(thing)) : Optional.empty();
        Outcome<Process> started = note(thing, command, words, end).then(noted -> start(words, command, output));
        if (!started.isDone()) {
            if (mayLive(started)) {
                ledger.leaveBehind(thing, command, words, end);
            }
            changing.remove(thing);
            return started.then(never -> Outcome.uncertain(thing));
        }
        Process process = started.result().orElseThrow();
        changing.put(thing, Optional.of(process));
        ledger.started(thing, command, words, end, process.pid());
        CommandResult result = await(context, command, process, output);
        if (result.ending() != CommandResult.Ending.STILL_RUNNING) {
            ledger.ended(thing);
            changing.remove(thing);
        }
        return Outcome.done(result);
    }

    private static boolean mayLive(Outcome<Process> started) {
        return started.isDone() || started.isUncertain();
    }

    private Outcome<String> note(String thing, Command command, List<String> words, Instant end) {
        try {
            ledger.begin(thing, command, words, end);
            return Outcome.done(thing);
        } catch (IOException | RuntimeException | Error e) {
            return Outcome.deferred(command.tool() + " is not started, since it cannot be noted: " + e);
        }
    }

    private CommandResult await(OperationContext context, Command command, Process process, Optional<Path> output) {
        return new RunningCommand(
                        kernel,
                        context,
                        command,
                        process,
                        output,
                        tools.locate("setsid").isPresent())
                .await();
    }

    private Outcome<Process> start(List<String> words, Command command, Optional<Path> output) {
        try {
            ProcessBuilder builder = builder(words, command);
            output.map(Path::toFile)
                    .ifPresent(file -> builder.redirectErrorStream(true).redirectOutput(file));
            return Outcome.done(starter.start(builder));
        } catch (IOException e) {
            return Outcome.deferred(command.tool() + " could not be started: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            // at the limit of processes the child is there, but no thread can be had that waits for it
            return Outcome.uncertain(command.tool() + " may have been started, but not watched: " + e);
        }
    }

    private ProcessBuilder builder(List<String> command, Command what) {
        List<String> words = new ArrayList<>();
        // a group of its own, so that everything it starts can be ended with it
        tools.locate("setsid").ifPresent(setsid -> words.add(setsid.toString()));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).directory(new File("/"));
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("PATH", Tools.PATH);
        if (what.input().isEmpty()) {
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        }
        return builder;
    }
}
