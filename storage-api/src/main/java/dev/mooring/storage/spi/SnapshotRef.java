// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * A snapshot in a back-end.
 *
 * @param contentName the VolumeSnapshotContent that stands for it
 * @param handle its name in the back-end
 * @param annotations those of the VolumeSnapshotContent, in a fixed order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SnapshotRef(String contentName, String handle, Map<String, String> annotations) {
    /** Copies the map in its order. */
    public SnapshotRef {
        annotations = Ordered.copy(annotations);
    }
}
