// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;

/** Names the object and the field in what people are told of a path that is denied. */
public final class VolumeField {
    private VolumeField() {}

    /**
     * The same outcome; a denial says whose field it is about.
     *
     * @param volume the volume
     * @param field such as {@code hostPath.path}
     */
    public static <T> Outcome<T> inDenial(VolumeSpec volume, String field, Outcome<T> outcome) {
        return outcome.isRefused(Refusal.DENIED)
                ? Outcome.refused(Refusal.DENIED, name(volume, field) + ": " + outcome.message())
                : outcome;
    }

    private static String name(VolumeSpec volume, String field) {
        return volume.uid().isEmpty()
                ? field + " of the pod's volume " + volume.name()
                : "spec." + field + " of PersistentVolume " + volume.name();
    }
}
