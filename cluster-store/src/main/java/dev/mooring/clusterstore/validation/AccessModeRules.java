// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import java.util.List;

/** Rules about access modes, shared by volumes and claims (semantics/binder §1.12). */
final class AccessModeRules {
    private static final String EXCLUSIVE = "ReadWriteOncePod";
    private static final List<String> KNOWN = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", EXCLUSIVE);

    private AccessModeRules() {}

    static void check(String path, List<String> modes, String whenEmpty, Problems problems) {
        if (modes.isEmpty()) {
            problems.required(path + ".accessModes", whenEmpty);
        }
        modes.forEach(mode -> problems.oneOf(path + ".accessModes", mode, KNOWN));
        if (modes.contains(EXCLUSIVE) && modes.stream().anyMatch(mode -> !mode.equals(EXCLUSIVE))) {
            problems.forbidden(path + ".accessModes", "may not use ReadWriteOncePod with other access modes");
        }
    }
}
