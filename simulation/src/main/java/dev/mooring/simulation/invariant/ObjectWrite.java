// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A write that changed an object.
 *
 * @param client who wrote: {@code controllers}, {@code agents}, {@code user}, {@code sidecars} for programs of others, or {@code duties}
 *     for what a store does by itself; empty if unknown; never null
 * @param kind the object's kind; never null
 * @param key its name; never null
 * @param before as it was; empty if it was created; never null
 * @param after as it is; empty if it has gone; never null
 * @param <T> the object's type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectWrite<T extends KubernetesObject>(
        String client, Kind<T> kind, ObjectKey key, Optional<T> before, Optional<T> after) {
    /** Whether the control plane wrote it: a controller or an agent. */
    public boolean ours() {
        return client.equals("controllers") || client.equals("agents");
    }
}
