// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.distribution.config.ConfigDefaults;
import dev.mooring.distribution.config.ToldOptions;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.distribution.wiring.PluginSettings;
import dev.mooring.host.linux.KeptPlaces;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every long-running command; {@link ConfigDefaults} knows them by the name of the field that they are mixed in as. */
public final class ProcessOptions implements ConfigDefaults.FileChoice {
    private Optional<Path> file = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private LogOptions log = new LogOptions();

    @Option(
            names = "--metrics-bind-address",
            paramLabel = "ADDRESS:PORT",
            converter = BindAddress.class,
            description = "Where /metrics, /livez and /readyz are served, over plain HTTP. Default: nowhere.")
    private Optional<InetSocketAddress> operations = Optional.empty();

    @Option(
            names = "--plugin-setting",
            paramLabel = "PLUGIN:NAME=VALUE",
            split = "\n",
            hideParamSyntax = true,
            description =
                    "A setting of a plugin. May be repeated. In a file: a map of plugins, each a map of settings.")
    private Map<String, String> pluginSettings = Map.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A YAML file with options by name. Flags and MOORING_… variables override it."
                    + " Default: the file that MOORING_CONFIG names, if any.")
    public void useFile(Path named) {
        file = Optional.of(named);
    }

    @Override
    public Optional<Path> configFile() {
        return file;
    }

    /** Where metrics and health are shown; absent for nowhere. */
    public Optional<OperationsAddress> operations() {
        return operations.map(listen -> new OperationsAddress(listen, ToldOptions.ofThisProcess(command, file)));
    }

    /** Applies the options to the process's log. */
    public void startLog() {
        log.start();
    }

    /**
     * The plugins with their settings; those that were added and those that cannot be used are logged.
     *
     * @throws IllegalArgumentException if a setting cannot be; the message names it
     */
    public InstalledPlugins plugins() {
        return plugins(Map.of());
    }

    /**
     * The same with settings that count unless others are given.
     *
     * @param usual values by {@code PLUGIN:NAME}
     * @throws IllegalArgumentException as above
     */
    public InstalledPlugins plugins(Map<String, String> usual) {
        Map<String, String> all = new HashMap<>(usual);
        all.putAll(pluginSettings);
        return Plugins.logged().withSettings(PluginSettings.parse(all));
    }

    /**
     * Notes the files that the process was started with, before anything else is made: configuration, credentials, plugins.
     *
     * @param program such as {@code mooring node}
     * @param more absolute paths, and what each holds in words
     */
    public KeptPlaces keepFiles(String program, Map<Path, String> more) {
        KeptPlaces places = OwnPlaces.ofThisMachine();
        Map<Path, String> kinds = new LinkedHashMap<>(more);
        file.or(() -> Optional.ofNullable(System.getenv("MOORING_CONFIG")).map(Path::of))
                .ifPresent(each -> kinds.put(each.toAbsolutePath(), "the configuration"));
        Plugins.directory().ifPresent(each -> kinds.put(each, "plugins"));
        new OwnPlaces(places, program).keep(kinds);
        return places;
    }

    /** What is given for a setting; empty if nothing is. */
    public Optional<String> pluginSetting(String name) {
        return Optional.ofNullable(pluginSettings.get(name));
    }
}
