// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Show a volume to a pod. A success carries the {@link dev.mooring.storage.spi.PluginState} that the undo will need.
 *
 * @param onNode where
 * @param record what is recorded of it
 * @param request what the plugin is asked
 * @param setup what the host does to the volume besides
 * @param holders the uids of the other pods that surely have got the volume, as recorded
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PublishCall(
        NodeRef onNode, RecordEntry.Publish record, PublishRequest request, PodSetup setup, Set<String> holders)
        implements RecordedCall {
    /** Copies the set. */
    public PublishCall {
        holders = Set.copyOf(holders);
    }

    /** A call after which the host has nothing to do to the volume. */
    public PublishCall(NodeRef onNode, RecordEntry.Publish record, PublishRequest request) {
        this(onNode, record, request, PodSetup.NONE, Set.of());
    }

    /** The same call on another occasion. */
    PublishCall on(Occasion occasion) {
        return new PublishCall(onNode, record, request.on(occasion), setup, holders);
    }

    @Override
    public String operation() {
        return "publish";
    }
}
