// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import org.apiguardian.api.API;

/** The mount table of a machine, with listeners for its changes. So an agent notices at once that a mount is gone. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MountTableSource {
    /** The table now. */
    Outcome<MountTable> table();

    /** Registers a listener for each change. The source calls it on a thread of its own. */
    void onChange(Runnable listener);
}
