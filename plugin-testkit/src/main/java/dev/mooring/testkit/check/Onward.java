// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;

/** A call that nothing undoes: after trouble the host repeats it until it is done. */
interface Onward {
    /** The volume. */
    VolumeLife life();

    /** The name of the call. */
    String operation();

    /** Makes the world such that the call has something to do. */
    void ready();

    /** Makes the call. */
    Outcome<?> act(OperationContext context);

    /**
     * Holds {@code Done} against the world.
     *
     * @param rule the rule that is broken if it is not true
     */
    void proven(Outcome<?> answer, Rule rule, String said);

    /** The rule that is broken if the answer says that nothing was changed, and something was. */
    default Rule untrue() {
        return Rule.K14;
    }

    /** Takes back what the next time has to do again. */
    default void after() {}
}
