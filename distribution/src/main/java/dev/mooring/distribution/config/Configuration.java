// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import dev.mooring.runtime.control.FileFailures;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of one command from environment and file. The environment counts for more than the file, in the file the command's section
 * for more than the top; the command line counts for more than both, and a default only where none of them says anything. Immutable.
 */
public final class Configuration {
    private static final long MOST_BYTES = 1L << 20;

    private final String command;
    private final Map<String, String> environment;
    private final String fileName;
    private final ConfigFile file;
    private final List<Problem> problems;

    private Configuration(
            String command, Map<String, String> environment, String fileName, ConfigFile file, List<Problem> problems) {
        this.command = command;
        this.environment = environment;
        this.fileName = fileName;
        this.file = file;
        this.problems = List.copyOf(problems);
    }

    /** Reads a command's options; everything that is wrong is among the {@link #problems}. */
    public static Configuration of(
            ConfigSchema schema, String command, Map<String, String> environment, Optional<Path> file) {
        ConfigFile read = file.map(path -> read(path, schema)).orElse(ConfigFile.EMPTY);
        List<Problem> problems = new ArrayList<>(read.problems());
        Map<String, String> relevant = new TreeMap<>();
        for (OptionSpec option : schema.options(command)) {
            String variable = ConfigSchema.variable(option);
            String value = environment.getOrDefault(variable, "");
            if (value.isEmpty() || isServiceLink(value)) {
                continue;
            }
            relevant.put(variable, value);
            schema.objection(command, ConfigSchema.key(option), value)
                    .ifPresent(rule -> problems.add(new Problem("environment", variable, rule)));
        }
        return new Configuration(command, relevant, file.map(Path::toString).orElse(""), read, problems);
    }

    /** Kubernetes tells pods of services in variables such as {@code NAME_PORT=tcp://10.0.0.1:443}. */
    private static boolean isServiceLink(String value) {
        return value.matches("(tcp|udp|sctp)://.*");
    }

    /** Reads a file; all that is wrong with it is among its problems. */
    public static ConfigFile read(Path file, ConfigSchema schema) {
        String name = file.toString();
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                return broken(name, "is not a regular file");
            }
            if (Files.size(file) > MOST_BYTES) {
                return broken(name, "must not be longer than " + MOST_BYTES + " bytes");
            }
            return ConfigFile.read(name, Files.readString(file), schema);
        } catch (NoSuchFileException e) {
            return broken(name, "there is no such file");
        } catch (MalformedInputException e) {
            return broken(name, "must be text in UTF-8");
        } catch (IOException e) {
            return broken(name, "cannot be read: " + FileFailures.reason(e));
        }
    }

    private static ConfigFile broken(String name, String rule) {
        return new ConfigFile(Map.of(), List.of(new Problem(name, "", rule)));
    }

    /** Everything that is wrong; the values cannot be used unless this is empty. */
    public List<Problem> problems() {
        return problems;
    }

    /** The values of an option, as they would be on the command line; empty if there are none. */
    public Optional<String> value(String key) {
        return Optional.ofNullable(environment.get(ConfigSchema.variable(key)))
                .or(() -> file.find(command, key).map(Setting::value));
    }

    /** The source: {@code MOORING_…} or {@code FILE:LINE}; empty if neither does. */
    public Optional<String> origin(String key) {
        String variable = ConfigSchema.variable(key);
        return environment.containsKey(variable)
                ? Optional.of(variable)
                : file.find(command, key).map(setting -> fileName + ":" + setting.line());
    }
}
