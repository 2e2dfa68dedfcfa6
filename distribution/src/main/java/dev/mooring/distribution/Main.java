// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
            ReleaseCommand.class,
            AdoptCommand.class,
            BenchCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
final class Main implements Runnable {
    /** What a command answers to arguments that it does not understand. */
    static final int USAGE = CommandLine.ExitCode.USAGE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    /** A command line with Mooring's commands; errors go to standard error, one line each, without a stack trace. */
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("mooring: " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        return commandLine;
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
