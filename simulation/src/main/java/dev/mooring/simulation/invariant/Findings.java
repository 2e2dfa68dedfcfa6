// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import org.apiguardian.api.API;

/** Takes down what is wrong. Confined to the world's thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface Findings {
    /**
     * Something is wrong.
     *
     * @param rule which rule is broken: a short name without blanks, always the same for one rule, by which failures are distinguished
     * @param about what breaks it, for people
     */
    void violated(String rule, String about);

    /** Something is wrong unless a condition holds. */
    default void require(boolean holds, String rule, String about) {
        if (!holds) {
            violated(rule, about);
        }
    }
}
