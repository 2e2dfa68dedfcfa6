// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.Outcome;
import org.apiguardian.api.API;

/** Carries out calls without blocking and without the world outside: a simulated back-end. Confined to the world's thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface VirtualCalls {
    /**
     * Carries out one call.
     *
     * @param call what to do
     * @param ticket who asks, until when, for which attempt
     * @return how it goes, never null; an exception counts as {@link Outcome.Uncertain}
     */
    CallAnswer perform(Call call, CallTicket ticket);

    /** Hears that a call that hung was given up at its deadline, or that its process died. */
    default void gaveUp(Call call, boolean processDied) {}

    /** Calls that always answer at once, by a handler that does not block. */
    static VirtualCalls of(CallHandler handler) {
        return (call, ticket) -> CallAnswer.of(handler.perform(call, ticket));
    }
}
