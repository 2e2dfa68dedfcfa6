// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.option.OutputOption;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import dev.mooring.storage.codec.CodecLimits;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
            "Exit status: 0 all expectations hold, 1 one does not hold or the player has a defect, 2 a file is malformed."
        })
final class PlayCommand implements Callable<Integer> {
    private static final KubernetesJson JSON =
            KubernetesJson.withLimits(new CodecLimits(Integer.MAX_VALUE, Short.MAX_VALUE, 0));
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Scenarios, YAML or JSON.",
                "A directory stands for its files *.yaml, *.yml and *.json, in order of their names, without its subdirectories."
            })
    private List<Path> files = List.of();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed of random choices, instead of the one in the file.")
    private Optional<Long> seed = Optional.empty();

    private final Supplier<List<StoragePlugin>> plugins;

    PlayCommand() {
        this(new OwnPlugins());
    }

    /**
     * A command that plays with other plugins.
     *
     * @param plugins makes them again for each file: what one remembers of a story must not be in the next one
     */
    PlayCommand(Supplier<List<StoragePlugin>> plugins) {
        this.plugins = plugins;
    }

    /** What is wrong with the installed plugins is reported with the first file. */
    private static final class OwnPlugins implements Supplier<List<StoragePlugin>> {
        private boolean told;

        @Override
        public List<StoragePlugin> get() {
            List<StoragePlugin> all = told ? Plugins.found().plugins() : Plugins.installed();
            told = true;
            return all;
        }
    }

    @Override
    public Integer call() {
        if (files.size() == 1 && !Files.isDirectory(files.get(0))) {
            PlayResult result;
            try (ProgressLine progress = ProgressLine.start(spec.commandLine().getErr())) {
                progress.step("playing " + files.get(0).getFileName());
                result = play(files.get(0), progress);
            }
            show(result.output());
            return result.exitStatus();
        }
        int[] played = new int[PlayResult.MALFORMED + 1];
        List<Path> all = scenarios();
        try (ProgressLine progress = ProgressLine.start(spec.commandLine().getErr())) {
            for (Path file : all) {
                progress.step("playing " + (IntStream.of(played).sum() + 1) + " of " + all.size() + ": "
                        + file.getFileName());
                PlayResult result = play(file, progress);
                show((output.isJson() ? "" : "== " + file + "\n")
                        + (output.isJson() ? named(file, result) : result.output()));
                played[result.exitStatus()]++;
            }
        }
        summary(played);
        return played[PlayResult.MALFORMED] > 0
                ? PlayResult.MALFORMED
                : played[PlayResult.FAILED] > 0 ? PlayResult.FAILED : PlayResult.PASSED;
    }

    /** What became of one file. A defect that it meets, of ours or of a plugin, is its own and not that of the files to come. */
    private PlayResult play(Path file, ProgressLine progress) {
        PlayResult result;
        try {
            PlayOptions chosen = PlayOptions.DEFAULT
                    .withFormat(output.isJson() ? PlayOptions.Format.JSON : PlayOptions.Format.TEXT)
                    .withPlugins(plugins.get());
            result = Player.play(file, seed.map(chosen::withSeed).orElse(chosen));
            progress.hide();
        } catch (RuntimeException | LinkageError defect) {
            progress.hide();
            result = new PlayResult(PlayResult.FAILED, "", file + " meets a defect: " + defect, List.of());
            defect.printStackTrace(spec.commandLine().getErr());
        }
        result.warnings().forEach(each -> spec.commandLine().getErr().println("mooring: warning: " + each));
        if (!result.error().isEmpty()) {
            spec.commandLine().getErr().println("mooring: " + result.error());
        }
        return result;
    }

    /** The document, of which a program that reads several has to know whose it is; one of its own for a file that has none. */
    private static String named(Path file, PlayResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("file", file.toString());
        if (result.output().isEmpty()) {
            fields.put("passed", false);
            fields.put("error", result.error());
        } else {
            fields.putAll(JSON.read(result.output(), file.toString()).asMap());
        }
        return JSON.writeIndented(Document.of(fields)) + "\n";
    }

    private void show(String text) {
        out().print(text);
        out().flush();
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
        } catch (IOException e) {
            throw unlisted(directory, e);
        } catch (UncheckedIOException e) {
            throw unlisted(directory, Objects.requireNonNull(e.getCause()));
        }
    }

    private ParameterException unlisted(Path directory, IOException why) {
        return new ParameterException(
                spec.commandLine(), directory + " cannot be listed: " + FileFailures.reason(why), why);
    }

    private static boolean isScenario(Path entry) {
        String name = String.valueOf(entry.getFileName());
        return ENDINGS.stream().anyMatch(name::endsWith) && Files.isRegularFile(entry);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
