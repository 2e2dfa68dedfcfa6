// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * Prepare a volume on the node, once for all its pods. A success carries the {@link dev.mooring.storage.spi.PluginState} that the undo
 * will need.
 *
 * @param onNode where
 * @param record what is recorded of it; its staging path is present
 * @param spec the volume as the plugin sees it
 * @param attached what the attachment says, in a fixed order; empty if the volume needs none
 * @param group the {@code fsGroup} of the pod for which it is prepared; empty for none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StageCall(
        NodeRef onNode, RecordEntry.Stage record, VolumeSpec spec, Map<String, String> attached, OptionalInt group)
        implements RecordedCall {
    @Override
    public String operation() {
        return "stage";
    }
}
