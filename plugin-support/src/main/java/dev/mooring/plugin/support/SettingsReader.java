// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/** Reads the settings that an operator gives to a plugin, as {@link dev.mooring.storage.spi.StoragePlugin#configured} receives them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SettingsReader {
    private SettingsReader() {}

    /**
     * Takes one setting over.
     *
     * @param <S> the plugin's settings; immutable
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface Step<S> {
        /**
         * The settings with one more.
         *
         * @return empty if there is no such setting, or the value is not one of it
         */
        Optional<S> with(S before, String name, String value);
    }

    /**
     * Reads all settings, in the order of their names.
     *
     * @param plugin whose, for the message
     * @param settings texts by name
     * @param defaults what holds where nothing is set
     * @param step takes one setting over
     * @return the settings; INVALID, with the plugin and the setting, at the first one that is wrong
     */
    public static <S> Outcome<S> read(PluginName plugin, Map<String, String> settings, S defaults, Step<S> step) {
        S read = defaults;
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            Optional<S> next = step.with(read, setting.getKey(), setting.getValue());
            if (next.isEmpty()) {
                return Outcome.refused(
                        Refusal.INVALID,
                        plugin + ": setting '" + setting.getKey() + "' is unknown or its value '" + setting.getValue()
                                + "' is not one");
            }
            read = next.get();
        }
        return Outcome.done(read);
    }

    /**
     * Reads a setting that has two values.
     *
     * @param value the setting's value
     * @param off means false
     * @param on means true
     * @return empty for any other value
     */
    public static Optional<Boolean> either(String value, String off, String on) {
        return value.equals(on) ? Optional.of(true) : value.equals(off) ? Optional.of(false) : Optional.empty();
    }
}
