// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.DirectoryPermissions;
import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a class, in either peer's vocabulary (semantics/plugins §2.9). Pure.
 *
 * @param share the export in which directories are made
 * @param pattern where in it
 * @param onDelete what becomes of them
 * @param permissions their permission bits and group
 * @param shared whether several claims may have one directory
 * @param quota whether a directory may hold no more than was asked for
 * @param exclusive whether one node at a time has a volume
 */
record ClassParameters(
        Export share,
        PathPattern pattern,
        OnDelete onDelete,
        DirectoryPermissions permissions,
        boolean shared,
        boolean quota,
        boolean exclusive) {
    private static final Set<String> NAMES = Set.of(
            "server",
            "share",
            "pathPattern",
            "subDir",
            "onDelete",
            "archiveOnDelete",
            "shared",
            "allowSlashInValues",
            "exclusive",
            "mountPermissions",
            "gid",
            "quota");

    static Outcome<ClassParameters> of(Map<String, String> parameters) {
        Optional<String> problem = ProvisionedVolumes.parameterProblem(parameters, NAMES, ClassParameters::isParameter);
        if (problem.isPresent()) {
            return Outcome.refused(Refusal.INVALID, problem.get());
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

    private static boolean isParameter(String name, String value) {
        return switch (name) {
            case "server", "share", "pathPattern", "subDir" -> !value.isEmpty();
            case "onDelete" -> OnDelete.of(value).isPresent();
            case "archiveOnDelete", "shared", "allowSlashInValues", "exclusive" ->
                value.equals("true") || value.equals("false");
            case "mountPermissions" -> value.equals("0") || DirectoryPermissions.isMode(value);
            case "gid" -> DirectoryPermissions.isGroup(value);
            case "quota" -> value.equals("project");
            default -> false;
        };
    }

    private static ClassParameters checked(Export share, Map<String, String> parameters) {
        // 0 means nothing to set, for the peer: then the usual bits are as good
        Optional<String> mode =
                Optional.ofNullable(parameters.get("mountPermissions")).filter(text -> Integer.parseInt(text, 8) != 0);
        String pattern = parameters.getOrDefault("pathPattern", parameters.getOrDefault("subDir", PathPattern.DEFAULT));
        return new ClassParameters(
                share,
                new PathPattern(pattern, isTrue(parameters, "allowSlashInValues")),
                OnDelete.of(parameters.getOrDefault("onDelete", ""))
                        .orElse(isTrue(parameters, "archiveOnDelete") ? OnDelete.ARCHIVE : OnDelete.DELETE),
                DirectoryPermissions.of(mode, Optional.ofNullable(parameters.get("gid"))),
                isTrue(parameters, "shared"),
                parameters.containsKey("quota"),
                isTrue(parameters, "exclusive"));
    }

    private static boolean isTrue(Map<String, String> parameters, String name) {
        return "true".equals(parameters.get(name));
    }
}
