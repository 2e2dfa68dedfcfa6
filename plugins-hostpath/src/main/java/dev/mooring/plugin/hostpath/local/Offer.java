// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.model.VolumeMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What of a directory is offered in a storage class (semantics/plugins §5.2). Each entry is a link to a block device, or a directory on
 * which a file system is mounted. Settings, for a class {@code fast}:
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code discover.fast}</td><td>the directory</td></tr>
 * <tr><td>{@code discover.fast.mode}</td><td>{@code Filesystem} (default) or {@code Block}</td></tr>
 * <tr><td>{@code discover.fast.names}</td><td>patterns with {@code *} and {@code ?}, separated by commas; default {@code *}</td></tr>
 * <tr><td>{@code discover.fast.fsType}</td><td>the file system to be made on devices</td></tr>
 * <tr><td>{@code discover.fast.adopt}</td><td>{@code true}: also what holds data that no volume is known to have written</td></tr>
 * <tr><td>{@code discover.fast.clean}</td><td>how it is cleaned ({@link CleanMethod})</td></tr>
 * <tr><td>{@code discover.fast.where}</td><td>further labels that a node needs, {@code key=value}, separated by commas; all of them</td></tr>
 * </table>
 */
record Offer(
        String className,
        Optional<Path> directory,
        VolumeMode mode,
        List<String> names,
        String fsType,
        boolean adopt,
        Optional<CleanMethod> clean,
        Map<String, String> where) {
    static Offer of(String className) {
        return new Offer(
                className,
                Optional.empty(),
                VolumeMode.FILESYSTEM,
                List.of("*"),
                "",
                false,
                Optional.empty(),
                Map.of());
    }

    /** The same with a setting; empty if it is unknown or wrong. */
    Optional<Offer> with(String setting, String value) {
        return switch (setting) {
            case "" ->
                Optional.of(value)
                        .filter(text -> text.indexOf('\0') < 0)
                        .map(Path::of)
                        .filter(path -> path.isAbsolute() && path.equals(path.normalize()))
                        .map(path -> new Offer(className, Optional.of(path), mode, names, fsType, adopt, clean, where));
            case "mode" ->
                Arrays.stream(VolumeMode.values())
                        .filter(wanted -> wanted.wireName().equals(value))
                        .findFirst()
                        .map(wanted -> new Offer(className, directory, wanted, names, fsType, adopt, clean, where));
            case "names" ->
                Optional.of(list(value))
                        .filter(patterns -> !patterns.isEmpty())
                        .map(patterns -> new Offer(className, directory, mode, patterns, fsType, adopt, clean, where));
            case "fsType" ->
                Optional.of(new Offer(className, directory, mode, names, value, adopt, clean, where))
                        .filter(offer -> value.matches("[a-z0-9]{1,16}"));
            case "adopt" ->
                Optional.of(new Offer(className, directory, mode, names, fsType, value.equals("true"), clean, where))
                        .filter(offer -> value.equals("true") || value.equals("false"));
            case "clean" ->
                CleanMethod.parse(value)
                        .map(method -> new Offer(
                                className, directory, mode, names, fsType, adopt, Optional.of(method), where));
            case "where" ->
                labels(value).map(labels -> new Offer(className, directory, mode, names, fsType, adopt, clean, labels));
            default -> Optional.empty();
        };
    }

    private static List<String> list(String value) {
        return Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    private static Optional<Map<String, String>> labels(String value) {
        Map<String, String> labels = new TreeMap<>();
        for (String pair : list(value)) {
            int at = pair.indexOf('=');
            if (at <= 0) {
                return Optional.empty();
            }
            labels.put(pair.substring(0, at), pair.substring(at + 1));
        }
        return Optional.of(labels);
    }

    /** Whether an entry of the directory is meant. */
    boolean takes(String name) {
        return names.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        String expression = pattern.chars()
                .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining());
        return Pattern.compile(expression, Pattern.DOTALL).matcher(name).matches();
    }
}
