// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Gives the command line what environment and file say about an option that no flag is about. Confined to the thread that parses.
 */
public final class ConfigDefaults implements IDefaultValueProvider {
    private final ConfigSchema schema;
    private final Map<String, String> environment;
    private final Map<Source, Configuration> read = new HashMap<>();

    private record Source(String command, Optional<Path> file) {}

    /** What a command that can be configured mixes in under the name {@link ConfigSchema#COMMON}. */
    @FunctionalInterface
    public interface FileChoice {
        /** The file that the command line names. */
        Optional<Path> configFile();
    }

    /** A provider that has not read anything. */
    public ConfigDefaults(ConfigSchema schema, Map<String, String> environment) {
        this.schema = schema;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        CommandSpec command = option.command();
        CommandSpec common = command.mixins().get(ConfigSchema.COMMON);
        if (common == null || !(common.userObject() instanceof FileChoice choice)) {
            return null;
        }
        String key = ConfigSchema.key(option);
        if (option.usageHelp() || option.versionHelp() || key.equals(ConfigSchema.FILE)) {
            return null;
        }
        Configuration configuration = configuration(command.name(), choice.configFile());
        if (!configuration.problems().isEmpty()) {
            throw new ConfigException(command.commandLine(), configuration.problems());
        }
        // In a default, unlike on the command line, a dollar begins a variable; two of them are one.
        return configuration.value(key).map(value -> value.replace("$", "$$")).orElse(null);
    }

    /**
     * The options of a command.
     *
     * @param file what the command line names; else what the environment does
     */
    public Configuration configuration(String command, Optional<Path> file) {
        Optional<Path> chosen =
                file.or(() -> Optional.ofNullable(environment.get(ConfigSchema.variable(ConfigSchema.FILE)))
                        .filter(name -> !name.isEmpty())
                        .map(Path::of));
        return read.computeIfAbsent(
                new Source(command, chosen),
                source -> Configuration.of(schema, source.command(), environment, source.file()));
    }

    /** What can be configured. */
    public ConfigSchema schema() {
        return schema;
    }
}
