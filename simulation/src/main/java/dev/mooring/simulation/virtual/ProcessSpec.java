// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Controller;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * What a process is made from, at its first start and after every death.
 *
 * @param name unique within a world; processes act in the order of their names where the order is not chance
 * @param controllers makes new controllers that remember nothing, never null
 * @param store the process's way to the cluster; it may throw {@link ProcessDeath} out of a write
 * @param calls the process's way to the back-ends; it may throw {@link ProcessDeath} out of a call
 * @param fences what holds it back once its time as a leader is over; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProcessSpec(
        String name, Supplier<List<Controller>> controllers, ClusterStore store, VirtualCalls calls, Fences fences) {
    /** With the fences of production. */
    public ProcessSpec(String name, Supplier<List<Controller>> controllers, ClusterStore store, VirtualCalls calls) {
        this(name, controllers, store, calls, Fences.STANDARD);
    }
}
