// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring play}: a scenario in virtual time. */
@Command(
        name = "play",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Plays a scenario file in virtual time and shows the objects after each step.",
            "Exit status: 0 all expectations hold, 1 one does not, 2 the file is malformed."
        })
final class PlayCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The scenario, YAML or JSON.")
    private Path file = Path.of("");

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(names = "--seed", paramLabel = "N", description = "Decides the choices instead of the seed in the file.")
    private Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() {
        PlayOptions options = PlayOptions.DEFAULT
                .withFormat(output.isJson() ? PlayOptions.Format.JSON : PlayOptions.Format.TEXT)
                .withPlugins(Plugins.installed());
        PlayResult result = Player.play(file, seed.map(options::withSeed).orElse(options));
        PrintWriter out = spec.commandLine().getOut();
        out.print(result.output());
        out.flush();
        if (!result.error().isEmpty()) {
            spec.commandLine().getErr().println("mooring: " + result.error());
        }
        return result.exitStatus();
    }
}
