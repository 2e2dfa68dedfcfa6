// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.wiring.PluginSettings;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What plugins find wrong with their settings: each is asked as it would be at a start. */
final class SettingObjections implements Function<String, List<String>> {
    private final Supplier<List<StoragePlugin>> plugins;
    private Optional<List<StoragePlugin>> loaded = Optional.empty();

    /**
     * Objections that load the plugins once, and not before there is a setting to be judged.
     *
     * @param plugins loads them
     */
    SettingObjections(Supplier<List<StoragePlugin>> plugins) {
        this.plugins = plugins;
    }

    /**
     * What must hold instead of some settings, given as lines of {@code PLUGIN:NAME=VALUE}; empty if nothing is wrong with them. What
     * fails in loading the plugins is thrown: it says nothing about a setting.
     */
    @Override
    public List<String> apply(String lines) {
        Map<String, String> settings = new LinkedHashMap<>();
        lines.lines().filter(line -> line.contains("=")).forEach(line -> {
            int end = line.indexOf('=');
            settings.put(line.substring(0, end), line.substring(end + 1));
        });
        Map<String, Map<String, String>> parsed;
        try {
            parsed = PluginSettings.parse(settings);
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        List<StoragePlugin> installed = parsed.isEmpty() ? List.of() : installed();
        List<String> found = new ArrayList<>();
        parsed.forEach((plugin, own) -> objection(installed, plugin, own).ifPresent(found::add));
        return found;
    }

    private static Optional<String> objection(
            List<StoragePlugin> installed, String plugin, Map<String, String> settings) {
        try {
            PluginSettings.apply(installed, Map.of(plugin, settings));
            return Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(Optional.ofNullable(e.getMessage()).orElse(e.toString()));
        }
    }

    private List<StoragePlugin> installed() {
        List<StoragePlugin> all = loaded.orElseGet(plugins);
        loaded = Optional.of(all);
        return all;
    }
}
