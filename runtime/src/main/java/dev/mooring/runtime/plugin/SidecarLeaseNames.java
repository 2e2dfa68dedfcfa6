// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The names of the Leases by which a CSI driver's side-cars elect their leaders (semantics/csi §7.1), in the namespace of their pod. Immutable.
 *
 * @param driver the driver's name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SidecarLeaseNames(String driver) {
    /** How holders begin that serve a driver in place of its side-cars; a process of Mooring that looks for side-cars passes them over. */
    public static final String IN_PLACE_OF_SIDECARS = "mooring-controller_";

    private static final String ATTACHER = "external-attacher-leader-";
    private static final String RESIZER = "external-resizer-";
    private static final String SNAPSHOTTER = "external-snapshotter-leader-";

    /** The Lease of external-provisioner. */
    public String provisioner() {
        return clean(driver);
    }

    /** The Lease of external-attacher. */
    public String attacher() {
        return clean(ATTACHER + driver);
    }

    /** The Lease of external-resizer. */
    public String resizer() {
        return clean(RESIZER + driver);
    }

    /** The Lease of csi-snapshotter. */
    public String snapshotter() {
        return clean(SNAPSHOTTER + driver);
    }

    /**
     * All of them, in the order in which one process takes them: two that each want all never hold a part each.
     *
     * @return provisioner, attacher, resizer, snapshotter; never null
     */
    public List<String> all() {
        return List.of(provisioner(), attacher(), resizer(), snapshotter());
    }

    /** Those without that of csi-snapshotter, in the same order; never null. */
    public List<String> ofVolumes() {
        return List.of(provisioner(), attacher(), resizer());
    }

    /** Each of them, and as versions spell it that leave dots as they are; never null. */
    public Set<String> spellings() {
        Set<String> names = new TreeSet<>(all());
        names.addAll(List.of(driver, ATTACHER + driver, RESIZER + driver, SNAPSHOTTER + driver));
        return names;
    }

    /** As csi-lib-utils makes names of Leases: letters, digits and dashes, without a dash at the end. */
    private static String clean(String name) {
        String clean = name.replaceAll("[^a-zA-Z0-9-]", "-");
        return clean.endsWith("-") ? clean + "X" : clean;
    }
}
