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
 * @param storageStays whether only what the host has mounted of it goes, and the pod's storage stays for its next boot
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnpublishCall(NodeRef onNode, RecordEntry.Publish record, boolean storageStays) implements RecordedCall {
    /** A call after which nothing is left. */
    public UnpublishCall(NodeRef onNode, RecordEntry.Publish record) {
        this(onNode, record, false);
    }

    @Override
    public String operation() {
        return "unpublish";
    }
}
