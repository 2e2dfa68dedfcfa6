// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.SettingsReader;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the operator of a host may choose.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code clean}</td><td>how devices are cleaned when their claim has gone, unless the volume is annotated otherwise
 * ({@link CleanMethod}); default {@code zero}</td></tr>
 * <tr><td>{@code directories}</td><td>{@code any} (default), or {@code mounts}: a directory on which no file system is mounted is never a
 * volume, since its disk may just be missing</td></tr>
 * <tr><td>{@code discover.…}</td><td>{@link Offer}</td></tr>
 * </table>
 *
 * @param clean how devices are cleaned
 * @param plainDirectories whether a directory of a file system may be a volume
 * @param offers what is offered as volumes, by class
 */
record LocalSettings(CleanMethod clean, boolean plainDirectories, NavigableMap<String, Offer> offers) {
    static final LocalSettings DEFAULT = new LocalSettings(CleanMethod.ZERO, true, new TreeMap<>());

    private static final String DISCOVER = "discover.";
    private static final List<String> OFFER_SETTINGS = List.of("mode", "names", "fsType", "adopt", "clean", "where");

    static Outcome<LocalSettings> read(Map<String, String> settings) {
        return SettingsReader.read(LocalPlugin.NAME, settings, DEFAULT, LocalSettings::with)
                .then(LocalSettings::complete);
    }

    private static Outcome<LocalSettings> complete(LocalSettings read) {
        Optional<Offer> nowhere = read.offers().values().stream()
                .filter(offer -> offer.directory().isEmpty())
                .findFirst();
        return nowhere.isPresent()
                ? Outcome.refused(
                        Refusal.INVALID,
                        LocalPlugin.NAME + ": setting '" + DISCOVER
                                + nowhere.get().className() + "' is missing")
                : Outcome.done(read);
    }

    private Optional<LocalSettings> with(String name, String value) {
        if (name.startsWith(DISCOVER)) {
            return offering(name.substring(DISCOVER.length()), value);
        }
        return switch (name) {
            case "clean" ->
                CleanMethod.parse(value)
                        .filter(method -> method.kind() != CleanMethod.Kind.CONTENTS)
                        .map(method -> new LocalSettings(method, plainDirectories, offers));
            case "directories" ->
                SettingsReader.either(value, "mounts", "any").map(any -> new LocalSettings(clean, any, offers));
            default -> Optional.empty();
        };
    }

    /** The name of a class may have dots too, but ends in none of the settings. */
    private Optional<LocalSettings> offering(String name, String value) {
        int dot = name.lastIndexOf('.');
        boolean ofClass = dot >= 0 && OFFER_SETTINGS.contains(name.substring(dot + 1));
        String className = ofClass ? name.substring(0, dot) : name;
        String setting = ofClass ? name.substring(dot + 1) : "";
        if (className.isEmpty()) {
            return Optional.empty();
        }
        return offers.getOrDefault(className, Offer.of(className))
                .with(setting, value)
                .map(offer -> {
                    NavigableMap<String, Offer> more = new TreeMap<>(offers);
                    more.put(className, offer);
                    return new LocalSettings(clean, plainDirectories, more);
                });
    }
}
