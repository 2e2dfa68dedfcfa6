// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Notice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * The ticket of a call that is never cancelled, such as a simulated call, or a call in a test. As thread-safe as its clock and its consumer.
 *
 * @param clock the time as the call sees it; never null
 * @param deadline when the caller stops waiting; never null
 * @param attempt from 1
 * @param idempotencyKey equal for repetitions of one intended effect; never null
 * @param notices takes what the call reports; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UncancelledTicket(
        InstantSource clock, Instant deadline, int attempt, String idempotencyKey, Consumer<Notice> notices)
        implements CallTicket {
    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {
        // never cancelled
    }

    @Override
    public void report(Notice notice) {
        notices.accept(notice);
    }
}
