// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parameters of a class, in either peer's vocabulary (semantics/plugins §2.9). Pure.
 *
 * @param share the export in which directories are made
 * @param pattern where in it
 * @param onDelete what becomes of them
 * @param mode their permission bits
 * @param gid their group; empty for the one they get
 * @param shared whether several claims may have one directory
 * @param quota whether a directory may hold no more than was asked for
 * @param exclusive whether one node at a time has a volume
 */
record ClassParameters(
        Export share,
        PathPattern pattern,
        OnDelete onDelete,
        int mode,
        OptionalInt gid,
        boolean shared,
        boolean quota,
        boolean exclusive) {
    private static final Pattern MODE = Pattern.compile("0?[0-7]{3}|0");
    private static final Pattern GROUP = Pattern.compile("\\d{1,9}");

    static Outcome<ClassParameters> of(Map<String, String> parameters) {
        for (Map.Entry<String, String> parameter : new TreeMap<>(parameters).entrySet()) {
            Optional<Outcome<ClassParameters>> refusal = refuse(parameter.getKey(), parameter.getValue());
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        if (parameters.containsKey("pathPattern") && parameters.containsKey("subDir")) {
            return Outcome.refused(Refusal.INVALID, "parameters pathPattern and subDir are two names of one thing");
        }
        if (parameters.containsKey("quota") && isTrue(parameters, "shared")) {
            return Outcome.refused(
                    Refusal.INVALID, "parameters quota and shared: a directory of several claims has no size");
        }
        return NfsSources.export(
                        "parameter server",
                        parameters.getOrDefault("server", ""),
                        "parameter share",
                        parameters.getOrDefault("share", ""))
                .map(share -> checked(share, parameters));
    }

    private static Optional<Outcome<ClassParameters>> refuse(String name, String value) {
        boolean good = switch (name) {
            case "server", "share", "pathPattern", "subDir" -> !value.isEmpty();
            case "onDelete" -> OnDelete.of(value).isPresent();
            case "archiveOnDelete", "shared", "allowSlashInValues", "exclusive" ->
                value.equals("true") || value.equals("false");
            case "mountPermissions" -> MODE.matcher(value).matches();
            case "gid" -> GROUP.matcher(value).matches();
            case "quota" -> value.equals("project");
            default -> false;
        };
        return good
                ? Optional.empty()
                : Optional.of(Outcome.refused(
                        Refusal.INVALID, "parameter " + name + " is unknown or its value '" + value + "' is not one"));
    }

    private static ClassParameters checked(Export share, Map<String, String> parameters) {
        Optional<String> gid = Optional.ofNullable(parameters.get("gid"));
        // nothing to set, for the peer: then the usual bits are as good
        String mode = Optional.ofNullable(parameters.get("mountPermissions"))
                .filter(text -> Integer.parseInt(text, 8) != 0)
                .orElse(gid.isPresent() ? "0770" : "0777");
        String pattern = parameters.getOrDefault("pathPattern", parameters.getOrDefault("subDir", PathPattern.DEFAULT));
        return new ClassParameters(
                share,
                new PathPattern(pattern, isTrue(parameters, "allowSlashInValues")),
                OnDelete.of(parameters.getOrDefault("onDelete", ""))
                        .orElse(isTrue(parameters, "archiveOnDelete") ? OnDelete.ARCHIVE : OnDelete.DELETE),
                Integer.parseInt(mode, 8),
                gid.map(text -> OptionalInt.of(Integer.parseInt(text))).orElse(OptionalInt.empty()),
                isTrue(parameters, "shared"),
                parameters.containsKey("quota"),
                isTrue(parameters, "exclusive"));
    }

    private static boolean isTrue(Map<String, String> parameters, String name) {
        return "true".equals(parameters.get(name));
    }
}
