// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Taints that do not keep a pod off a node.
 *
 * @param key of the taints; empty for any
 * @param operator {@code Exists} for any value, {@code Equal} or empty for the one named
 * @param value of the taints
 * @param effect of the taints; empty for any
 * @param tolerationSeconds for how long a pod that runs stays on a node that gets such a taint; absent for ever
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Toleration(String key, String operator, String value, String effect, Optional<Long> tolerationSeconds)
        implements TolerationBuilder.With {
    /** Whether a taint does not keep the pod off. */
    public boolean tolerates(Taint taint) {
        boolean meant =
                (effect.isEmpty() || effect.equals(taint.effect())) && (key.isEmpty() || key.equals(taint.key()));
        return meant
                && switch (operator) {
                    case "", "Equal" -> value.equals(taint.value());
                    case "Exists" -> true;
                    default -> false;
                };
    }
}
