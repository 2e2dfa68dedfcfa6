// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The value of each option of a command, and its source, for helpers who cannot see the machine. Values of settings of plugins are left
 * out.
 */
public final class ToldOptions {
    private ToldOptions() {}

    /**
     * The options of this process: from its command line, its environment, its file. A line for each option.
     *
     * @param command the command that was parsed, of a command line whose defaults come from {@link ConfigDefaults}
     * @param file the configuration file that the command line names
     */
    public static String ofThisProcess(CommandSpec command, Optional<Path> file) {
        if (!(command.defaultValueProvider() instanceof ConfigDefaults defaults)) {
            return "";
        }
        ParseResult parsed = command.commandLine().getParseResult();
        Configuration configuration = defaults.configuration(command.name(), file);
        StringBuilder text = new StringBuilder();
        for (OptionSpec option : defaults.schema().options(command.name())) {
            OptionSpec own = command.findOption(option.longestName());
            if (own != null && parsed.hasMatchedOption(own)) {
                line(text, command.name(), own, String.join("\n", own.originalStringValues()), "command line");
            } else {
                line(text, command.name(), option, configuration);
            }
        }
        return text.toString();
    }

    /** The options that a command would have with this environment and file, a line for each option. */
    public static String ofNewProcess(ConfigDefaults defaults, String command, Optional<Path> file) {
        StringBuilder text = new StringBuilder();
        Configuration configuration = defaults.configuration(command, file);
        configuration.problems().forEach(problem -> text.append(problem).append('\n'));
        for (OptionSpec option : defaults.schema().options(command)) {
            line(text, command, option, configuration);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String command, OptionSpec option, Configuration configuration) {
        String key = ConfigSchema.key(option);
        String value = configuration
                .value(key)
                .or(() -> Optional.ofNullable(option.defaultValue()))
                .orElse("");
        line(text, command, option, value, configuration.origin(key).orElse("default"));
    }

    private static void line(StringBuilder text, String command, OptionSpec option, String value, String origin) {
        // They may be anything.
        String shown = option.typeInfo().isMap() ? value.replaceAll("=[^\n]*", "=(removed)") : value;
        text.append(command).append('.').append(ConfigSchema.key(option)).append(": ");
        text.append(shown.replace("\n", ", ")).append("    # ").append(origin).append('\n');
    }
}
