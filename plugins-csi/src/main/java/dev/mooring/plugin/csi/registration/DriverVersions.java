// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of CSI that a registrar names (semantics/csi §4.1). Pure. */
final class DriverVersions {
    private static final Pattern VERSION = Pattern.compile("v?([0-9]{1,9})(\\.[0-9]{1,9}){0,2}([-+].*)?");

    private DriverVersions() {}

    /** Why none of the versions can be spoken; empty if one can: 1 of any minor number. */
    static Optional<String> problem(List<String> versions) {
        boolean spoken = versions.stream().anyMatch(version -> {
            Matcher parts = VERSION.matcher(version);
            return parts.matches() && Integer.parseInt(parts.group(1)) == 1;
        });
        return spoken
                ? Optional.empty()
                : Optional.of("none of the CSI versions it speaks is 1.x: " + versions + "; update the driver");
    }
}
