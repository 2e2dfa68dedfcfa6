// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

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
public record Toleration(String key, String operator, String value, String effect, Optional<Long> tolerationSeconds) {
    /** The same with another key. */
    public Toleration withKey(String newKey) {
        return new Toleration(newKey, operator, value, effect, tolerationSeconds);
    }

    /** The same with another operator. */
    public Toleration withOperator(String newOperator) {
        return new Toleration(key, newOperator, value, effect, tolerationSeconds);
    }

    /** The same with another value. */
    public Toleration withValue(String newValue) {
        return new Toleration(key, operator, newValue, effect, tolerationSeconds);
    }

    /** The same with another effect. */
    public Toleration withEffect(String newEffect) {
        return new Toleration(key, operator, value, newEffect, tolerationSeconds);
    }

    /** The same with another tolerationSeconds. */
    public Toleration withTolerationSeconds(Optional<Long> newTolerationSeconds) {
        return new Toleration(key, operator, value, effect, newTolerationSeconds);
    }

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
