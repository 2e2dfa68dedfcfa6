// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.SettingsReader;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator of a host may choose (semantics/plugins §4).
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><td>{@code root}</td><td>the directory below which volumes are made, which has to be there, root's, and writable by no other
 * else; default {@code /var/lib/mooring/hostpath}</td></tr>
 * <tr><td>{@code links}</td><td>{@code follow} (default) or {@code refuse}: what becomes of symbolic links in the path of a volume</td></tr>
 * <tr><td>{@code allow}</td><td>paths, separated by commas: if there are any, a volume has to lie in one of them</td></tr>
 * <tr><td>{@code deny}</td><td>paths, separated by commas: no volume may lie in one of them or contain one</td></tr>
 * <tr><td>{@code relative}</td><td>{@code refuse} (default) or {@code root}: a relative path is taken for one below {@code /}</td></tr>
 * </table>
 *
 * <p>The lists are compared with the path that remains when all links are followed: write real paths into them.
 *
 * @param root where volumes are made; empty for the usual place
 * @param links what becomes of symbolic links
 * @param allow where volumes have to lie; empty for anywhere
 * @param deny where no volume may lie
 * @param relativeBelowRoot whether relative paths are accepted
 */
record HostPathSettings(
        Optional<Path> root, LinkRule links, List<Path> allow, List<Path> deny, boolean relativeBelowRoot) {
    static final HostPathSettings DEFAULT =
            new HostPathSettings(Optional.empty(), LinkRule.FOLLOW, List.of(), List.of(), false);

    private static final Path USUAL_ROOT = Path.of("/var/lib/mooring/hostpath");

    static Outcome<HostPathSettings> read(Map<String, String> settings) {
        return SettingsReader.read(HostPathPlugin.NAME, settings, DEFAULT, HostPathSettings::with);
    }

    private Optional<HostPathSettings> with(String name, String value) {
        return switch (name) {
            case "root" ->
                absolute(value)
                        .map(path -> new HostPathSettings(Optional.of(path), links, allow, deny, relativeBelowRoot));
            case "links" ->
                SettingsReader.either(value, "follow", "refuse")
                        .map(refuse -> new HostPathSettings(
                                root, refuse ? LinkRule.REFUSE : LinkRule.FOLLOW, allow, deny, relativeBelowRoot));
            case "allow" -> paths(value).map(list -> new HostPathSettings(root, links, list, deny, relativeBelowRoot));
            case "deny" -> paths(value).map(list -> new HostPathSettings(root, links, allow, list, relativeBelowRoot));
            case "relative" ->
                SettingsReader.either(value, "refuse", "root")
                        .map(below -> new HostPathSettings(root, links, allow, deny, below));
            default -> Optional.empty();
        };
    }

    private static Optional<List<Path>> paths(String value) {
        List<Optional<Path>> read = Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(HostPathSettings::absolute)
                .toList();
        return read.stream().allMatch(Optional::isPresent)
                ? Optional.of(read.stream().flatMap(Optional::stream).toList())
                : Optional.empty();
    }

    private static Optional<Path> absolute(String text) {
        try {
            Path path = Path.of(text);
            return path.isAbsolute() && path.equals(path.normalize()) ? Optional.of(path) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Where volumes are made: the same for the controller that plans a volume and for the node that makes it. */
    Path effectiveRoot() {
        return root.orElse(USUAL_ROOT);
    }
}
