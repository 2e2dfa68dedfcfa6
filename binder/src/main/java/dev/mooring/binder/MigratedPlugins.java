// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import dev.mooring.storage.model.InTreePlugin;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * In-tree plugins whose volumes CSI drivers have taken over (semantics/binder §1.2 SC0, §1.6 SV0).
 *
 * @param drivers the CSI driver by the name of the in-tree plugin, in a fixed order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MigratedPlugins(Map<String, String> drivers) {
    /** None is migrated. */
    public static final MigratedPlugins NONE = new MigratedPlugins(Map.of());

    /** Those that Kubernetes has migrated for good, so that it has no code of its own for them any more. */
    public static final MigratedPlugins UPSTREAM = upstream();

    /** Copies the map. */
    public MigratedPlugins {
        drivers = Collections.unmodifiableMap(new LinkedHashMap<>(drivers));
    }

    private static MigratedPlugins upstream() {
        // A share is not attached, so nothing needs to be known of its source.
        MigratedPlugins all = NONE.with("kubernetes.io/azure-file", "file.csi.azure.com");
        for (InTreePlugin plugin : InTreePlugin.values()) {
            all = all.with(plugin.pluginName(), plugin.driver());
        }
        return all;
    }

    /** The same with one more. */
    public MigratedPlugins with(String plugin, String driver) {
        Map<String, String> more = new LinkedHashMap<>(drivers);
        more.put(plugin, driver);
        return new MigratedPlugins(more);
    }

    /** The CSI driver that has taken over a plugin; empty if none has. */
    public Optional<String> driverOf(String plugin) {
        return Optional.ofNullable(drivers.get(plugin));
    }
}
