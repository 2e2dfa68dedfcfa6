// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Optional;

/**
 * A volume of a CSI driver that is written in a pod (semantics/attach-and-mount §3.10): the driver makes it when it is published, so it is
 * neither attached nor staged, and only a driver that says so makes such volumes.
 */
final class InlineDriver {
    private static final String LIFE_CYCLE = "Ephemeral";

    private InlineDriver() {}

    /** Whether a volume is one. */
    static boolean makes(VolumeSpec spec) {
        return spec.uid().isEmpty() && spec.source().type().equals(CsiSource.TYPE);
    }

    /** Why its driver does not make it; empty if it does, or if the source is another one. */
    static Optional<String> problemOf(VolumeSource written, Caches caches) {
        Optional<String> named = CsiSource.of(written).map(CsiSource::driver);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        Optional<CSIDriver> driver = caches.get(Kinds.CSI_DRIVER, ObjectKey.cluster(named.get()));
        String refused = "volume mode \"" + LIFE_CYCLE + "\" not supported by driver " + named.get();
        if (driver.isEmpty()) {
            return Optional.of(refused + " (no CSIDriver object)");
        }
        // No mode at all means Persistent.
        return driver.get().spec().volumeLifecycleModes().contains(LIFE_CYCLE)
                ? Optional.empty()
                : Optional.of(refused + " (only supports " + driver.get().spec().volumeLifecycleModes() + ")");
    }

    /** The source with the handle that this pod's volume has for its driver; another source as it is. */
    static VolumeSource named(VolumeSource written, String podUid, String volume) {
        return written.type().equals(CsiSource.TYPE)
                ? new VolumeSource(
                        written.type(),
                        written.attributes().with(AttachmentNames.inlineHandle(podUid, volume), "volumeHandle"))
                : written;
    }
}
