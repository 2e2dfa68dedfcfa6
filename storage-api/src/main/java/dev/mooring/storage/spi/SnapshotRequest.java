// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.ObjectKey;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A wish for a snapshot of a volume.
 *
 * @param name the name that a back-end may give it, {@code snapshot-<uid of the VolumeSnapshot>}
 * @param snapshot the VolumeSnapshot
 * @param contentName the name of its VolumeSnapshotContent
 * @param parameters the parameters of the VolumeSnapshotClass, in a fixed order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record SnapshotRequest(String name, ObjectKey snapshot, String contentName, Map<String, String> parameters)
        implements SnapshotRequestBuilder.With {
    /** Copies the map in its order. */
    public SnapshotRequest {
        parameters = Ordered.copy(parameters);
    }
}
