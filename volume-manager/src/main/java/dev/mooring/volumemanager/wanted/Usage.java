// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.storage.model.VolumeMode;
import java.util.EnumSet;
import java.util.Set;

/**
 * As what the containers of a pod use a volume.
 *
 * @param modes mounted, as a device, or both; empty where the pod shows no container
 * @param bidirectional whether a container wants what it mounts below the volume to appear on the host too
 */
public record Usage(Set<VolumeMode> modes, boolean bidirectional) {
    /** No object says. */
    public static final Usage UNKNOWN = new Usage(Set.of(), false);

    static Usage mounted(boolean bidirectional) {
        return new Usage(EnumSet.of(VolumeMode.FILESYSTEM), bidirectional);
    }

    static Usage device() {
        return new Usage(EnumSet.of(VolumeMode.BLOCK), false);
    }

    Usage and(Usage other) {
        EnumSet<VolumeMode> both = EnumSet.noneOf(VolumeMode.class);
        both.addAll(modes);
        both.addAll(other.modes);
        return new Usage(both, bidirectional || other.bidirectional);
    }
}
