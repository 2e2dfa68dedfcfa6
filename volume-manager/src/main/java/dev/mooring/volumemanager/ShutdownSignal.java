// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Reports to the controllers of a node that its machine is about to be shut down: from then on nothing is published any more, and what no
 * container uses is unmounted, while network and servers are still there (semantics/plugins §3.9). The pods are asked nothing: the next
 * boot shows them their volumes again. Confined to the decider's thread, on which the embedder delivers the news as it does those of
 * {@link MountChanges}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ShutdownSignal {
    private final List<Runnable> listeners = new ArrayList<>();
    private boolean begun;

    /** Makes one without listeners. */
    public ShutdownSignal() {}

    /** Registers a listener for its beginning. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** Whether it has begun; it never ends in this process. */
    public boolean hasBegun() {
        return begun;
    }

    /** Says that it begins. Saying it twice changes nothing. */
    public void begins() {
        if (!begun) {
            begun = true;
            listeners.forEach(Runnable::run);
        }
    }
}
