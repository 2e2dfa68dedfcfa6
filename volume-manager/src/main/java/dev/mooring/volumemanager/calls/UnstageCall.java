// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Undo the preparation of a volume, from what was recorded alone: neither a pod nor the volume has to exist any more.
 *
 * @param onNode where
 * @param record what was prepared; its staging path is present
 * @param noted the volume as its object is now, on which the plugin may note what it had to leave behind (semantics/plugins §3.6); absent if
 *     there is none, or if that is of other storage by now
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnstageCall(NodeRef onNode, RecordEntry.Stage record, Optional<VolumeSpec> noted)
        implements RecordedCall {
    @Override
    public String operation() {
        return "unstage";
    }
}
