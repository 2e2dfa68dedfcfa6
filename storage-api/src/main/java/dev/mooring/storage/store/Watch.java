// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import org.apiguardian.api.API;

/** A running watch. Closing it ends it without {@link WatchListener#onEnd}; closing twice does nothing. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Watch extends AutoCloseable {
    /** Ends the watch; no event is delivered after it returned, but for one that was being delivered. */
    @Override
    void close();
}
