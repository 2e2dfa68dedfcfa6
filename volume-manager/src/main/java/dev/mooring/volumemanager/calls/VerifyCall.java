// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import org.apiguardian.api.API;

/**
 * Look whether something is mounted where a record of an earlier process says that it is. A success carries a {@link Boolean}: false only
 * if the mount table surely shows nothing there and something mounted is what the record is about.
 *
 * @param onNode where
 * @param record what is recorded
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record VerifyCall(NodeRef onNode, RecordEntry record) implements HostCall {
    @Override
    public String operation() {
        return "verify";
    }

    @Override
    public String volume() {
        return record.volume();
    }
}
