// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;

/** A way to the store in memory keeps the contract of all stores. */
class ForwardingStoreContractTest extends MemoryClusterStoreContractTest {
    private final ClusterStore way = new ForwardingStore(super.store()) {};

    @Override
    protected ClusterStore store() {
        return way;
    }
}
