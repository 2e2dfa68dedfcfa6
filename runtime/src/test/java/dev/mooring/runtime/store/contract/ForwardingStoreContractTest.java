// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.store.contract;

import dev.mooring.runtime.store.ForwardingStore;
import dev.mooring.storage.store.ClusterStore;

/** A way to the store in memory keeps the contract of all stores. */
class ForwardingStoreContractTest extends MemoryClusterStoreContractTest {
    private final ClusterStore way = new ForwardingStore(super.store()) {};

    @Override
    protected ClusterStore store() {
        return way;
    }
}
