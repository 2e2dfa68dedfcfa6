// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Starts tools and watches them. */
final class LinuxProcessRunner implements ProcessRunner, ChangingProcesses {
    private final Kernel kernel;
    private final Tools tools;
    /** By what it changes: a process that may still live (P3). An entry without a process is one that is being started. */
    private final Map<String, Optional<Process>> changing = new ConcurrentHashMap<>();

    LinuxProcessRunner(Kernel kernel, Tools tools) {
        this.kernel = kernel;
        this.tools = tools;
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
        if (!occupy(command)) {
            return Outcome.deferred(
                    "an earlier command that changes " + command.changes().orElse("") + " has not ended yet");
        }
        return start(context, command, file.get());
    }

    @Override
    public boolean isChanging(String thing) {
        Optional<Process> running = changing.get(thing);
        return running != null && running.map(Process::isAlive).orElse(true);
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

    private boolean occupy(Command command) {
        if (command.changes().isEmpty()) {
            return true;
        }
        boolean[] free = new boolean[1];
        changing.compute(command.changes().get(), (key, running) -> {
            // one that is being started counts as alive
            if (running != null && running.map(Process::isAlive).orElse(true)) {
                return running;
            }
            free[0] = true;
            return Optional.empty();
        });
        return free[0];
    }

    private Outcome<CommandResult> start(OperationContext context, Command command, Path file) {
        Process process;
        try {
            process = builder(command, file).start();
        } catch (IOException e) {
            command.changes().ifPresent(changing::remove);
            return Outcome.deferred(command.tool() + " could not be started: " + e.getMessage());
        }
        command.changes().ifPresent(what -> changing.put(what, Optional.of(process)));
        CommandResult result = new RunningCommand(
                        kernel,
                        context,
                        command,
                        process,
                        tools.locate("setsid").isPresent())
                .await();
        if (result.ending() != CommandResult.Ending.STILL_RUNNING) {
            command.changes().ifPresent(changing::remove);
        }
        return Outcome.done(result);
    }

    private ProcessBuilder builder(Command command, Path file) {
        List<String> words = new ArrayList<>();
        // a group of its own, so that everything it starts can be ended with it
        tools.locate("setsid").ifPresent(setsid -> words.add(setsid.toString()));
        words.add(file.toString());
        words.addAll(command.arguments());
        ProcessBuilder builder = new ProcessBuilder(words).directory(new File("/"));
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("PATH", Tools.PATH);
        if (command.input().isEmpty()) {
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        }
        return builder;
    }
}
