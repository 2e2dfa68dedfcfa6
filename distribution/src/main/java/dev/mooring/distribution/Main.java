// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.config.ConfigDefaults;
import dev.mooring.distribution.config.ConfigSchema;
import dev.mooring.distribution.option.PathName;
import dev.mooring.distribution.option.PointInTime;
import dev.mooring.runtime.control.FileFailures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The entry of the command line. */
@Command(
        name = "mooring",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Kubernetes' persistent-storage control plane for the JVM.",
        subcommands = {
            DemoCommand.class,
            PlayCommand.class,
            SimulateCommand.class,
            ExplainCommand.class,
            StandaloneCommand.class,
            ControllerCommand.class,
            NodeCommand.class,
            PluginsCommand.class,
            CsiCommand.class,
            ReleaseCommand.class,
            AdoptCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            CandidatesCommand.class,
            HelpCommand.class
        })
final class Main implements Runnable {
    /** What a command answers to arguments that it does not understand. */
    static final int USAGE = CommandLine.ExitCode.USAGE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new UsageMessages.MissingCommand(spec.commandLine(), "a command is needed");
    }

    /** What can be configured. */
    static ConfigSchema schema() {
        return new ConfigSchema(Map.of(
                "controller", () -> withWords(new CommandLine(new ControllerCommand())),
                "node", () -> withWords(new CommandLine(new NodeCommand())),
                "standalone", () -> withWords(new CommandLine(new StandaloneCommand()))));
    }

    /** What the library itself would take in silence, or refuse in words of Java. */
    private static CommandLine withWords(CommandLine commandLine) {
        return commandLine
                .registerConverter(Path.class, new PathName())
                .registerConverter(Instant.class, new PointInTime());
    }

    /**
     * A command line with Mooring's commands; errors go to standard error, one line each, without a stack trace.
     *
     * @param environment values of options that have no flag
     */
    static CommandLine commandLine(Map<String, String> environment) {
        ConfigDefaults defaults = new ConfigDefaults(schema(), environment);
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.addSubcommand(new ConfigCommand(defaults));
        commandLine.addSubcommand(new SupportBundleCommand(defaults));
        commandLine.setDefaultValueProvider(defaults);
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("mooring: " + text(failure));
            return CommandLine.ExitCode.SOFTWARE;
        });
        commandLine.setParameterExceptionHandler(new UsageMessages());
        return withWords(commandLine);
    }

    /** Its message; what it is, if it says nothing. */
    private static String text(Exception failure) {
        Optional<String> limit = ProcessLimits.reachedBy(failure);
        if (limit.isPresent()) {
            return limit.get();
        }
        if (failure instanceof IOException file) {
            return FileFailures.text(file);
        }
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.toString() : message;
    }

    static CommandLine commandLine() {
        return commandLine(System.getenv());
    }

    /** The exit status, also if the command ends by an error: threads of servers and plugins would keep the process otherwise. */
    static int run(CommandLine commandLine, String... arguments) {
        try {
            return printed(commandLine, commandLine.execute(arguments));
        } catch (Throwable defect) {
            ProcessLimits.reachedBy(defect)
                    .ifPresentOrElse(
                            limit -> commandLine.getErr().println("mooring: " + limit),
                            () -> defect.printStackTrace(commandLine.getErr()));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** The status; no success if what was to be printed has not arrived, as on a full disk. */
    private static int printed(CommandLine commandLine, int status) {
        if (!commandLine.getOut().checkError()) {
            return status;
        }
        commandLine.getErr().println("mooring: standard output cannot be written, so the output is incomplete");
        return status == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : status;
    }

    public static void main(String[] args) {
        ProcessLimits.read();
        System.exit(run(commandLine(), args));
    }
}
