// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mooring bench}: measurements that need something outside of the process. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Measures.",
        subcommands = BenchClusterCommand.class)
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new UsageMessages.MissingCommand(spec.commandLine(), "a command is needed");
    }
}
