// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings that operators give to plugins. */
public final class PluginSettings {
    private PluginSettings() {}

    /**
     * Sorts settings by plugin.
     *
     * @param settings values by {@code PLUGIN:NAME}
     * @return values by name by plugin
     * @throws IllegalArgumentException if a key is not of that form; the message shows it
     */
    public static Map<String, Map<String, String>> parse(Map<String, String> settings) {
        Map<String, Map<String, String>> byPlugin = new TreeMap<>();
        settings.forEach((key, value) -> {
            int colon = key.indexOf(':');
            if (colon <= 0 || colon == key.length() - 1) {
                throw new IllegalArgumentException("plugin-setting must be PLUGIN:NAME=VALUE, not '" + key + "=…'");
            }
            byPlugin.computeIfAbsent(key.substring(0, colon), plugin -> new TreeMap<>())
                    .put(key.substring(colon + 1), value);
        });
        return byPlugin;
    }

    /**
     * The plugins with their settings.
     *
     * @param settings values by name by the plugin's name
     * @throws IllegalArgumentException if there is no such plugin, or it does not take them; the message names it
     */
    public static List<StoragePlugin> apply(List<StoragePlugin> plugins, Map<String, Map<String, String>> settings) {
        Map<String, Map<String, String>> left = new TreeMap<>(settings);
        List<StoragePlugin> configured = new ArrayList<>();
        for (StoragePlugin plugin : plugins) {
            Map<String, String> own = left.remove(plugin.describe().name().value());
            configured.add(own == null ? plugin : configured(plugin, own));
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("no plugin " + String.join(", ", left.keySet()) + " is installed");
        }
        return configured;
    }

    private static StoragePlugin configured(StoragePlugin plugin, Map<String, String> settings) {
        Outcome<StoragePlugin> outcome = plugin.configured(settings);
        return outcome.result().orElseThrow(() -> new IllegalArgumentException(outcome.message()));
    }
}
