// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/** A call about a volume of which the node keeps a record: staging, publishing, and their ends. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface RecordedCall extends Call
        permits StageCall, CompleteCall, UnstageCall, PublishCall, UnpublishCall {
    /** Where. */
    NodeRef onNode();

    /** What is recorded of the volume. */
    RecordEntry record();

    @Override
    default PluginName plugin() {
        return record().volumeId().plugin();
    }

    @Override
    default String volume() {
        return record().volume();
    }

    @Override
    default String node() {
        return onNode().name();
    }

    /** One pool per back-end volume: a server that does not answer delays only those who need it. */
    @Override
    default String bulkhead() {
        return record().volumeId().toString();
    }
}
