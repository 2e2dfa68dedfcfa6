// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The stable name of a plugin, such as {@code kubernetes.io/nfs}: what provisioner annotations, metrics and records call it.
 *
 * @param value namespace and name with exactly one slash between, or a DNS name (a CSI driver's)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PluginName(String value) implements Comparable<PluginName> {
    private static final Pattern SYNTAX =
            Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?(/[a-zA-Z0-9]([-a-zA-Z0-9_.]{0,61}[a-zA-Z0-9])?)?");

    /** Checks the syntax. */
    public PluginName {
        if (!SYNTAX.matcher(value).matches()) {
            throw new IllegalArgumentException("not a plugin name (want prefix/name or a DNS name): '" + value + "'");
        }
    }

    /** How the name stands in a path: {@code kubernetes.io~nfs} (semantics/attach-and-mount §3.8). */
    public String escaped() {
        return value.replace('/', '~');
    }

    @Override
    public int compareTo(PluginName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
