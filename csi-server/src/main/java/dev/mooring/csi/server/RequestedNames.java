// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The names and parameters of what callers ask for (semantics/csi §3.1). Pure. */
final class RequestedNames {
    /** How the names begin that side-cars give to what they add to parameters and attributes. */
    static final String KUBERNETES = "csi.storage.k8s.io/";

    private static final int MAX_BYTES = 128;
    private static final Pattern FORBIDDEN = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]");
    /** Names that a plugin can use unchanged for a directory. */
    private static final Pattern PLAIN = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private RequestedNames() {}

    /** Refuses what can be no name. */
    static void check(String name) throws RpcFailure {
        if (name.isEmpty()) {
            throw RpcFailure.invalid("name is missing");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw RpcFailure.invalid("name has more than " + MAX_BYTES + " bytes");
        }
        if (FORBIDDEN.matcher(name).find()) {
            throw RpcFailure.invalid("name has a control character");
        }
    }

    /**
     * The name for the plugin.
     *
     * @param key what it is if the plugin could not use the name as it stands
     */
    static String forPlugin(String name, String key) {
        boolean plain = PLAIN.matcher(name).matches() && !VolumeHandle.isKey(name) && !SnapshotHandle.isKey(name);
        return plain ? name : key;
    }

    /** The parameters for the plugin, without what side-cars have added. */
    static SortedMap<String, String> parameters(Map<String, String> given) {
        SortedMap<String, String> parameters = new TreeMap<>(given);
        parameters.keySet().removeIf(key -> key.startsWith(KUBERNETES));
        return parameters;
    }
}
