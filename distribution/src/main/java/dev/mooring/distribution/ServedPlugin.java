// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.distribution.wiring.PluginSettings;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Which plugin is a CSI driver, and under what name. */
final class ServedPlugin {
    @Option(
            names = "--plugin",
            paramLabel = "NAME",
            required = true,
            description = "The plugin, such as kubernetes.io/nfs, or the first word of its driver's name, such as nfs.")
    private String plugin = "";

    @Option(
            names = "--plugin-setting",
            paramLabel = "PLUGIN:NAME=VALUE",
            split = "\n",
            hideParamSyntax = true,
            description = "A setting of the plugin. May be repeated.")
    private Map<String, String> pluginSettings = Map.of();

    @Option(
            names = "--driver-name",
            paramLabel = "NAME",
            description = "The driver's name, a DNS name. Default: what the plugin declares.")
    private String driverName = "";

    /** For picocli. */
    ServedPlugin() {}

    /**
     * The plugin, with its settings.
     *
     * @throws IllegalArgumentException if there is none of that name, or a setting is wrong; the message names the option
     */
    StoragePlugin find() {
        List<StoragePlugin> all = Plugins.logged()
                .withSettings(PluginSettings.parse(pluginSettings))
                .plugins();
        return all.stream()
                .filter(each -> isMeant(each.describe()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--plugin: there is no plugin '" + plugin
                        + "'. There are: "
                        + all.stream()
                                .map(each -> each.describe().name().value())
                                .sorted()
                                .collect(Collectors.joining(", "))));
    }

    private boolean isMeant(PluginDescriptor descriptor) {
        String firstWord =
                descriptor.driverName().map(name -> name.split("[.]", 2)[0]).orElse("");
        return plugin.equals(descriptor.name().value()) || plugin.equals(firstWord);
    }

    /**
     * The name under which the plugin is served.
     *
     * @throws IllegalArgumentException if there is none; the message names the option
     */
    String driverName(StoragePlugin served) {
        return driverName.isEmpty()
                ? served.describe()
                        .driverName()
                        .orElseThrow(() -> new IllegalArgumentException("--driver-name is missing, and plugin "
                                + served.describe().name() + " declares none"))
                : driverName;
    }

    /** The settings as they are written after the option. */
    List<String> settingsAsWritten() {
        return new TreeMap<>(pluginSettings)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList();
    }
}
