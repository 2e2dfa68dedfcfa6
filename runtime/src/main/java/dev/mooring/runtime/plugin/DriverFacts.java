// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * What a CSI driver says of itself. Immutable.
 *
 * @param name the driver's name
 * @param version its own version, as text
 * @param services what it has as a whole, by CSI's names, such as {@code CONTROLLER_SERVICE}
 * @param controller what its controller service can do, by CSI's names, such as {@code CREATE_DELETE_VOLUME}
 * @param node what its node service can do, by CSI's names; empty also where it has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DriverFacts(String name, String version, Set<String> services, Set<String> controller, Set<String> node) {
    /** Copies the sets. */
    public DriverFacts {
        services = new TreeSet<>(services);
        controller = new TreeSet<>(controller);
        node = new TreeSet<>(node);
    }

    /** Whether volumes are made and destroyed by it. */
    public boolean makes() {
        return controller.contains("CREATE_DELETE_VOLUME");
    }

    /** Whether volumes are attached to nodes by it. */
    public boolean attaches() {
        return controller.contains("PUBLISH_UNPUBLISH_VOLUME");
    }

    /** Whether volumes are made larger by it, from outside of the node or on it. */
    public boolean expands() {
        return controller.contains("EXPAND_VOLUME") || node.contains("EXPAND_VOLUME");
    }

    /** Whether snapshots are made by it. */
    public boolean makesSnapshots() {
        return controller.contains("CREATE_DELETE_SNAPSHOT");
    }

    /** Whether it says from where volumes can be reached. */
    public boolean hasTopology() {
        return services.contains("VOLUME_ACCESSIBILITY_CONSTRAINTS");
    }
}
