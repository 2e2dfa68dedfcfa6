// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.volumemanager.content.ContentChanges;
import org.apiguardian.api.API;

/**
 * Where an embedder tells the controllers of one node what the store does not. Belongs to one control loop, and all is told on its
 * decider's thread.
 *
 * @param content where changes of objects that volumes show are reported ({@link HostVolumes})
 * @param mounts where changes of the mount table are reported
 * @param shutdown where the shutdown of the machine is reported
 * @param drivers where it is reported that a CSI driver came
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeSignals(
        ContentChanges content, MountChanges mounts, ShutdownSignal shutdown, DriverArrivals drivers) {
    /** A new instance without listeners. */
    public NodeSignals() {
        this(new ContentChanges(), new MountChanges(), new ShutdownSignal(), new DriverArrivals());
    }
}
