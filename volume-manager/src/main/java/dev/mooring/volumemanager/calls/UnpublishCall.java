// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import org.apiguardian.api.API;

/**
 * Take a volume away from a pod, from what was recorded alone: neither the pod nor the volume has to exist any more.
 *
 * @param onNode where
 * @param record what was published
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnpublishCall(NodeRef onNode, RecordEntry.Publish record) implements RecordedCall {
    @Override
    public String operation() {
        return "unpublish";
    }
}
