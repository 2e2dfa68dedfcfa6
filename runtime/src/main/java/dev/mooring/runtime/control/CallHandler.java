// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Outcome;
import org.apiguardian.api.API;

/** Carries out calls, on a thread of the interpreter that may block. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface CallHandler {
    /**
     * Carries out one call.
     *
     * @param call what to do
     * @param ticket who asks, until when, for which attempt
     * @return what became of it; an exception counts as {@link Outcome.Uncertain}
     */
    Outcome<?> perform(Call call, CallTicket ticket);

    /**
     * Which calls wait for each other, where whoever carries them out knows better than the call; never waits, never throws.
     *
     * @param call what will be done
     * @return the name of a pool
     */
    default String bulkhead(Call call) {
        return call.bulkhead();
    }
}
