// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Tells the controllers of a node that a CSI driver has come or has come back, so that what was deferred for it is tried at once and not
 * when its back-off ends (kubernetes#120268). Confined to the decider's thread, on which the embedder delivers the news as it does those of
 * {@link MountChanges}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DriverArrivals {
    private final List<Runnable> listeners = new ArrayList<>();

    /** Makes one without listeners. */
    public DriverArrivals() {}

    /** Registers a listener. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** Says that a driver can be called now. */
    public void driverCame() {
        listeners.forEach(Runnable::run);
    }
}
