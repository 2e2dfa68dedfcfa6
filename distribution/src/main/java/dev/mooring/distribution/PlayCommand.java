// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring play}: scenarios in virtual time. */
@Command(
        name = "play",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Plays scenario files in virtual time and shows the objects after each step.",
            "Exit status: 0 all expectations hold, 1 one does not, 2 a file is malformed."
        })
final class PlayCommand implements Callable<Integer> {
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Scenarios, YAML or JSON.",
                "Of a directory: its files *.yaml, *.yml and *.json in order of their names, not those of directories in it."
            })
    private List<Path> files = List.of();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(names = "--seed", paramLabel = "N", description = "Decides the choices instead of the seed in the file.")
    private Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() {
        PlayOptions chosen = PlayOptions.DEFAULT
                .withFormat(output.isJson() ? PlayOptions.Format.JSON : PlayOptions.Format.TEXT)
                .withPlugins(Plugins.installed());
        PlayOptions options = seed.map(chosen::withSeed).orElse(chosen);
        if (files.size() == 1 && !Files.isDirectory(files.get(0))) {
            return play(files.get(0), options);
        }
        int[] played = new int[PlayResult.MALFORMED + 1];
        for (Path file : scenarios()) {
            if (!output.isJson()) {
                out().println("== " + file);
            }
            played[play(file, options)]++;
        }
        summary(played);
        return played[PlayResult.MALFORMED] > 0
                ? PlayResult.MALFORMED
                : played[PlayResult.FAILED] > 0 ? PlayResult.FAILED : PlayResult.PASSED;
    }

    private int play(Path file, PlayOptions options) {
        PlayResult result = Player.play(file, options);
        out().print(result.output());
        out().flush();
        if (!result.error().isEmpty()) {
            spec.commandLine().getErr().println("mooring: " + result.error());
        }
        return result.exitStatus();
    }

    /** On standard error where standard output is for programs. */
    private void summary(int[] played) {
        PrintWriter where = output.isJson() ? spec.commandLine().getErr() : out();
        where.println(IntStream.of(played).sum() + " played: " + played[PlayResult.PASSED] + " passed, "
                + played[PlayResult.FAILED] + " failed, " + played[PlayResult.MALFORMED] + " malformed");
        where.flush();
    }

    private List<Path> scenarios() {
        List<Path> scenarios = new ArrayList<>();
        for (Path file : files) {
            scenarios.addAll(Files.isDirectory(file) ? in(file) : List.of(file));
        }
        return scenarios;
    }

    private List<Path> in(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> found = entries.filter(PlayCommand::isScenario).sorted().toList();
            if (found.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "there is no scenario in " + directory);
            }
            return found;
        } catch (IOException | UncheckedIOException e) {
            throw new ParameterException(spec.commandLine(), directory + " cannot be listed: " + e, e);
        }
    }

    private static boolean isScenario(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return ENDINGS.stream().anyMatch(name::endsWith) && Files.isRegularFile(entry);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
