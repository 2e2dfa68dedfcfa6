// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Add what was missing when a volume was staged, while pods use it (semantics/plugins §3.5). A success, once nothing is missing any more,
 * carries the {@link dev.mooring.storage.spi.PluginState} that the undo will need.
 *
 * @param onNode where
 * @param record what is recorded of it: that it is staged; its staging path is present
 * @param spec the volume as the plugin sees it
 * @param attached what the attachment says, in a fixed order; empty if the volume needs none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CompleteCall(NodeRef onNode, RecordEntry.Stage record, VolumeSpec spec, Map<String, String> attached)
        implements RecordedCall {
    @Override
    public String operation() {
        return "complete";
    }
}
