// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Optional;

/**
 * Whether a CSI driver lets the host give its volumes to the group of a pod: {@code CSIDriver.spec.fsGroupPolicy} (semantics/
 * attach-and-mount §3.11). Of other sources the plugin alone says so. Pure.
 */
final class GroupPolicy {
    private static final String NEVER = "None";
    private static final String ALWAYS = "File";

    private GroupPolicy() {}

    /**
     * Judges.
     *
     * @param driver the object of the driver that the source names; absent if there is none, or the source is no driver's
     */
    static boolean allows(VolumeSpec spec, Optional<CSIDriver> driver) {
        Optional<CsiSource> source = CsiSource.of(spec.source());
        if (source.isEmpty()) {
            return true;
        }
        Optional<String> policy = driver.flatMap(found -> found.spec().fsGroupPolicy());
        if (policy.filter(NEVER::equals).isPresent()) {
            return false;
        }
        // Whatever else is written there, or no driver at all, means Kubernetes' default,
        // ReadWriteOnceWithFSType: a file system that was made for this volume, and is one node's at a time.
        return policy.filter(ALWAYS::equals).isPresent()
                || (!source.get().fsType().isEmpty() && isOneNodes(spec));
    }

    /** A source written in a pod has no modes, and is that pod's. */
    private static boolean isOneNodes(VolumeSpec spec) {
        return spec.uid().isEmpty()
                || spec.accessModes().contains(AccessMode.READ_WRITE_ONCE)
                || spec.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD);
    }
}
