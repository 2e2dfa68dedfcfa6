// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.SettingsReader;
import dev.mooring.storage.spi.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the operator of a host may choose (semantics/plugins §2).
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code roxMeansReadOnly}</td><td>{@code true} (default): a volume that is only ReadOnlyMany is mounted read-only</td></tr>
 * <tr><td>{@code restrict}</td><td>{@code true}: every mount of a pod is {@code nosuid} and {@code nodev}; default {@code false}, as
 * upstream</td></tr>
 * <tr><td>{@code keep}</td><td>names, separated by commas, that stay in the root of an export that is emptied; default {@code
 * .snapshot,.snapshots,.zfs}</td></tr>
 * </table>
 *
 * @param roxMeansReadOnly whether a volume that is only ReadOnlyMany is mounted read-only
 * @param podOptions options that every mount of a pod gets
 * @param keep names that stay in the root of an export that is emptied
 */
record NfsSettings(boolean roxMeansReadOnly, List<String> podOptions, Set<String> keep) {
    static final NfsSettings DEFAULT = new NfsSettings(true, List.of(), Set.of(".snapshot", ".snapshots", ".zfs"));

    static Outcome<NfsSettings> read(Map<String, String> settings) {
        return SettingsReader.read(NfsPlugin.NAME, settings, DEFAULT, NfsSettings::with);
    }

    private Optional<NfsSettings> with(String name, String value) {
        return switch (name) {
            case "roxMeansReadOnly" ->
                SettingsReader.either(value, "false", "true").map(on -> new NfsSettings(on, podOptions, keep));
            case "restrict" ->
                SettingsReader.either(value, "false", "true")
                        .map(on ->
                                new NfsSettings(roxMeansReadOnly, on ? List.of("nosuid", "nodev") : List.of(), keep));
            case "keep" ->
                value.indexOf('/') >= 0
                        ? Optional.empty()
                        : Optional.of(new NfsSettings(
                                roxMeansReadOnly,
                                podOptions,
                                Arrays.stream(value.split(",", -1))
                                        .map(String::strip)
                                        .filter(text -> !text.isEmpty())
                                        .collect(Collectors.toUnmodifiableSet())));
            default -> Optional.empty();
        };
    }
}
