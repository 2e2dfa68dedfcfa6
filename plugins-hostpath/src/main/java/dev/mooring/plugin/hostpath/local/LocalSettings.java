// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
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
 * </table>
 *
 * @param clean how devices are cleaned
 * @param plainDirectories whether a directory of a file system may be a volume
 */
record LocalSettings(CleanMethod clean, boolean plainDirectories) {
    static final LocalSettings DEFAULT = new LocalSettings(CleanMethod.ZERO, true);

    static Outcome<LocalSettings> read(Map<String, String> settings) {
        LocalSettings read = DEFAULT;
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            Optional<LocalSettings> next = read.with(setting.getKey(), setting.getValue());
            if (next.isEmpty()) {
                return Outcome.refused(
                        Refusal.INVALID,
                        LocalPlugin.NAME + ": setting '" + setting.getKey() + "' is unknown or its value '"
                                + setting.getValue() + "' is not one");
            }
            read = next.get();
        }
        return Outcome.done(read);
    }

    private Optional<LocalSettings> with(String name, String value) {
        return switch (name) {
            case "clean" -> CleanMethod.parse(value)
                    .filter(method -> method.kind() != CleanMethod.Kind.CONTENTS)
                    .map(method -> new LocalSettings(method, plainDirectories));
            case "directories" -> value.equals("any") || value.equals("mounts")
                    ? Optional.of(new LocalSettings(clean, value.equals("any")))
                    : Optional.empty();
            default -> Optional.empty();
        };
    }
}
