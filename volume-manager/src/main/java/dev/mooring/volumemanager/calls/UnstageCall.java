// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import org.apiguardian.api.API;

/**
 * Undo the preparation of a volume, from what was recorded alone: neither a pod nor the volume has to exist any more.
 *
 * @param onNode where
 * @param record what was prepared; its staging path is present
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnstageCall(NodeRef onNode, RecordEntry.Stage record) implements RecordedCall {
    @Override
    public String operation() {
        return "unstage";
    }
}
