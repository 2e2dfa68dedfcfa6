// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mooring csi}: what has to do with the Container Storage Interface. */
@Command(
        name = "csi",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Speaks the Container Storage Interface.",
        subcommands = {CsiServeCommand.class, CsiSidecarCommand.class, CsiManifestsCommand.class})
final class CsiCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new UsageMessages.MissingCommand(spec.commandLine(), "a command is needed");
    }
}
