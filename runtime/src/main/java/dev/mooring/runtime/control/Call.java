// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.PluginName;
import org.apiguardian.api.API;

/**
 * What a {@link Effect.Perform} does: an immutable record of the module that asks for it. The interpreter of effects has a
 * {@link CallHandler} that knows the record types.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Call {
    /** The plugin that does it. */
    PluginName plugin();

    /** The operation, in the words of the scenario format: {@code recycle}, {@code publish}, …. */
    String operation();

    /** The volume: the PersistentVolume's name, or {@code <pod uid>/<volume name>} for an inline source. */
    String volume();

    /** The node on which it is done; empty for a controller's call. */
    String node();

    /**
     * What distinguishes the effect from another one of the same operation on the same target and node: the claim after which a volume is
     * emptied, the size that it gets. Equal for every repetition, also by another process: it is made of what stands in the store. Part of
     * the {@link CallTicket#idempotencyKey}; empty where target and node are enough.
     */
    default String occasion() {
        return "";
    }

    /** Which calls share a bounded pool, so that one dead back-end delays nothing else; calls with equal texts do. */
    default String bulkhead() {
        return plugin().value();
    }
}
