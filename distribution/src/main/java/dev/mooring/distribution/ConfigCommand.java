// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.config.ConfigDefaults;
import dev.mooring.distribution.config.ConfigException;
import dev.mooring.distribution.config.ConfigFile;
import dev.mooring.distribution.config.ConfigSchema;
import dev.mooring.distribution.config.Configuration;
import dev.mooring.distribution.config.Problem;
import dev.mooring.distribution.plugin.Plugins;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring config}: the options of the long-running commands, and their sources. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Checks or shows the configuration of controller, node and standalone.",
        footer = "docs/operate/configuration.md has all options.")
final class ConfigCommand implements Runnable {
    private static final String SETTINGS = "plugin-setting";

    private final ConfigDefaults defaults;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ConfigCommand(ConfigDefaults defaults) {
        this.defaults = defaults;
    }

    @Override
    public void run() {
        throw new UsageMessages.MissingCommand(spec.commandLine(), "a command is needed: check or show");
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = {
                "Checks a whole file, for all commands.",
                "Exit status: 0 the file can be used, 2 it cannot; every line says where and why."
            })
    int check(@Parameters(paramLabel = "FILE", description = "The file.") Path file) {
        ConfigFile read = Configuration.read(file, defaults.schema());
        List<Problem> problems = new ArrayList<>(read.problems());
        SettingObjections objections =
                new SettingObjections(() -> Plugins.found().plugins());
        problems.addAll(read.judged(file.toString(), SETTINGS, objections));
        if (problems.isEmpty()) {
            out().println(file + ": ok");
            out().flush();
            return 0;
        }
        throw new ConfigException(spec.commandLine(), problems);
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description =
                    "Shows every option of a command, its value, and where the value comes from: file and line, variable, or default.")
    int show(
            @Parameters(paramLabel = "COMMAND", description = "controller, node or standalone.") String command,
            @Option(
                            names = "--config",
                            paramLabel = "FILE",
                            description = "The file. Default: the file that MOORING_CONFIG names.")
                    Optional<Path> file) {
        if (!defaults.schema().sections().contains(command)) {
            throw new ParameterException(
                    spec.subcommands().get("show"),
                    "must be one of " + String.join(", ", defaults.schema().sections()) + ", not '" + command + "'");
        }
        Configuration configuration = defaults.configuration(command, file);
        if (!configuration.problems().isEmpty()) {
            throw new ConfigException(spec.commandLine(), configuration.problems());
        }
        for (OptionSpec option : defaults.schema().options(command)) {
            out().println(line(option, configuration));
        }
        out().flush();
        return 0;
    }

    private static String line(OptionSpec option, Configuration configuration) {
        String key = ConfigSchema.key(option);
        String value = configuration
                .value(key)
                .or(() -> Optional.ofNullable(option.defaultValue()))
                .orElse("");
        String origin = configuration.origin(key).orElse("default");
        return key + ": " + value.replace("\n", ", ") + "    # " + origin;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
