// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import org.apiguardian.api.API;

/** The mount table of a machine, and who is told when it changes, so that an agent misses a mount that goes at once. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MountTableSource {
    /** The table now. */
    Outcome<MountTable> table();

    /** Asks to be told of each change, by a thread of the source's. */
    void onChange(Runnable listener);
}
