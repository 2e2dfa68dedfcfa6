// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The part of a new PersistentVolume that its plugin decides; the binder adds name, claim, class, policy and finalizers.
 *
 * @param source where the storage is. The plan of a CSI driver, which chooses the handle itself, has a {@code csi} source without
 *     {@code volumeHandle}
 * @param capacity its size, at least what was requested
 * @param accessModes the modes that it has
 * @param nodeAffinity from where it can be reached; absent for everywhere
 * @param annotations what the plugin needs to find again, in a fixed order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeTemplate(
        VolumeSource source,
        Quantity capacity,
        List<AccessMode> accessModes,
        Optional<VolumeNodeAffinity> nodeAffinity,
        Map<String, String> annotations)
        implements VolumeTemplateBuilder.With {
    /** Copies the list and, in its order, the map. */
    public VolumeTemplate {
        accessModes = List.copyOf(accessModes);
        annotations = Ordered.copy(annotations);
    }

    /** Whether the source says which storage it is. What does not is only a plan, and only {@link Provisioning#provision} can tell. */
    public boolean namesStorage() {
        return CsiSource.of(source).filter(csi -> csi.volumeHandle().isEmpty()).isEmpty();
    }
}
