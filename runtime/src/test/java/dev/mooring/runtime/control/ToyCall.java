// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.PluginName;
import java.time.Duration;
import java.util.Optional;

/** A call to a back-end that is not there. */
public record ToyCall(PluginName plugin, String operation, String volume, String node, String bulkhead)
        implements Call {
    private static final PluginName PLUGIN = new PluginName("toys.example.com/toy");

    /** A call. */
    public static ToyCall of(String operation, String volume) {
        return new ToyCall(PLUGIN, operation, volume, "", volume);
    }

    /** An effect that makes the call; its target is the volume. */
    public static Effect effect(String operation, String volume) {
        return effect(operation, volume, Duration.ofMinutes(2));
    }

    /** The same with a time limit. */
    public static Effect effect(String operation, String volume, Duration limit) {
        return new Effect.Perform(
                operation, of(operation, volume), Optional.of(new Target(PLUGIN.value(), volume)), limit);
    }
}
