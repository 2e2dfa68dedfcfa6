// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * What can be configured: every option of the commands that run for long, under its own name. An option is declared once, for the
 * command line; its key in a file and its variable in the environment follow from its name. Thread-safe.
 */
public final class ConfigSchema {
    /** Under this name the commands mix in what all of them have in common. */
    public static final String COMMON = "process";

    /** The option that names the file; a file cannot. */
    static final String FILE = "config";

    private static final String PREFIX = "MOORING_";

    private final Map<String, Supplier<CommandLine>> commands;
    private final Map<String, List<OptionSpec>> bySection = new ConcurrentHashMap<>();

    /**
     * A schema.
     *
     * @param commands makes a new command line of a command, by its name
     */
    public ConfigSchema(Map<String, Supplier<CommandLine>> commands) {
        this.commands = new TreeMap<>(commands);
    }

    /** The commands that can be configured, in order. */
    public List<String> sections() {
        return List.copyOf(commands.keySet());
    }

    boolean isSection(String name) {
        return commands.containsKey(name);
    }

    /**
     * The options that can be configured in a section, in order of their names; those of all commands in the section without a name.
     *
     * @throws IllegalArgumentException if there is no such section
     */
    public List<OptionSpec> options(String section) {
        return bySection.computeIfAbsent(section, this::read);
    }

    private List<OptionSpec> read(String section) {
        CommandSpec spec = fresh(section).getCommandSpec();
        CommandSpec from = section.isEmpty()
                ? Optional.ofNullable(spec.mixins().get(COMMON)).orElse(spec)
                : spec;
        List<OptionSpec> options = new ArrayList<>(from.options());
        options.removeIf(option ->
                option.usageHelp() || option.versionHelp() || key(option).equals(FILE));
        options.sort(Comparator.comparing(ConfigSchema::key));
        return List.copyOf(options);
    }

    /** The key of an option in a file. */
    public static String key(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }

    /** The variable of an option in the environment. */
    public static String variable(OptionSpec option) {
        return variable(key(option));
    }

    static String variable(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private CommandLine fresh(String section) {
        String command = section.isEmpty() ? sections().get(0) : section;
        return Optional.ofNullable(commands.get(command))
                .orElseThrow(() -> new IllegalArgumentException("there is no configuration for " + command))
                .get();
    }

    private Optional<OptionSpec> find(String section, String key) {
        return options(section).stream()
                .filter(option -> key(option).equals(key))
                .findFirst();
    }

    /** Why a section has no such key; empty if it has. */
    Optional<String> unknown(String section, String key) {
        if (find(section, key).isPresent()) {
            return Optional.empty();
        }
        String keys = options(section).stream().map(ConfigSchema::key).collect(Collectors.joining(", "));
        if (section.isEmpty()) {
            List<String> owners = sections().stream()
                    .filter(each -> find(each, key).isPresent())
                    .toList();
            return Optional.of(
                    owners.isEmpty()
                            ? "is unknown; there are the sections " + String.join(", ", sections()) + " and the keys "
                                    + keys
                            : "belongs into the section " + String.join(" or ", owners));
        }
        return Optional.of("is unknown; there are " + keys);
    }

    boolean isMap(String section, String key) {
        return find(section, key).filter(option -> option.typeInfo().isMap()).isPresent();
    }

    /** Why an option does not take a value; empty if it does. The command line itself is asked. */
    Optional<String> objection(String section, String key, String value) {
        CommandLine line = fresh(section).setExpandAtFiles(false);
        try {
            line.parseArgs("--" + key + "=" + value);
            return Optional.empty();
        } catch (ParameterException e) {
            return Optional.of(ruleIn(String.valueOf(e.getMessage()), key));
        }
    }

    /** Without the words about the option, which stand before it anyway. */
    private static String ruleIn(String message, String key) {
        return message.replaceFirst("^Invalid value for option '--" + key + "'( \\([^)]*\\))?: ", "");
    }
}
