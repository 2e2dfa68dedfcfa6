// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import org.apiguardian.api.API;

/** A cluster in memory, with the API server's rules. It starts no thread and reads no clock but the one it is given. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryClusterStore extends ApiStore {
    /** How many steps are remembered for watches and pages unless said otherwise. */
    public static final int DEFAULT_HISTORY = 100_000;

    /**
     * Makes an empty store.
     *
     * @param options never null
     */
    public MemoryClusterStore(StoreOptions options) {
        this(options, DEFAULT_HISTORY);
    }

    /**
     * Makes an empty store.
     *
     * @param options never null
     * @param historyLimit how many steps are remembered for watches and pages; at least 1
     */
    public MemoryClusterStore(StoreOptions options, int historyLimit) {
        super(new MemoryDocumentEngine(historyLimit), options);
    }
}
