// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.term.FencedCalls;
import dev.mooring.runtime.term.FencedStore;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.store.ClusterStore;
import org.apiguardian.api.API;

/** How a process is kept from doing what it may do only as long as it leads. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Fences {
    /** Those of production. */
    Fences STANDARD = new Fences() {
        @Override
        public ClusterStore store(ClusterStore store, Tenure tenure) {
            return new FencedStore(store, tenure);
        }

        @Override
        public CallHandler calls(CallHandler calls, Tenure tenure) {
            return FencedCalls.during(tenure, calls);
        }
    };

    /**
     * The way to the store during a tenure.
     *
     * @param store where writes go that are let through; never null
     * @param tenure of the process; never null
     */
    ClusterStore store(ClusterStore store, Tenure tenure);

    /**
     * The way to the back-ends during a tenure.
     *
     * @param calls where calls go that are let through; never null
     * @param tenure of the process; never null
     */
    CallHandler calls(CallHandler calls, Tenure tenure);
}
