// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Notice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/** What a running call knows of its caller. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CallTicket {
    /** The time as the call sees it: steps of the wall clock do not move it while the call runs. */
    InstantSource clock();

    /** When the caller stops waiting, by {@link #clock}. */
    Instant deadline();

    /** Whether the caller wants the call to end early. */
    boolean cancelled();

    /** Registers an action for a cancellation, run by another thread. If the call is already cancelled, the caller runs it at once. */
    void onCancel(Runnable action);

    /** How many times this operation was started for its key since it last succeeded, from 1. */
    int attempt();

    /** Equal for repetitions of one intended effect, also by another process; another one for another {@link Call#occasion}. */
    String idempotencyKey();

    /** Reports something to people while the call runs. */
    void report(Notice notice);

    /** The number of the leader's term in which the call was decided; empty without an election. */
    default OptionalLong term() {
        return OptionalLong.empty();
    }
}
