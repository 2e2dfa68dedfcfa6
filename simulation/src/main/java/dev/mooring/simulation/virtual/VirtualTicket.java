// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.storage.spi.Notice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/** What a simulated call knows of its caller. A simulated call ends at once or hangs; nobody cancels it. */
record VirtualTicket(Dispatch dispatch, InstantSource clock, Instant deadline, Consumer<Notice> notices)
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
    public int attempt() {
        return dispatch.attempt();
    }

    @Override
    public String idempotencyKey() {
        return dispatch.idempotencyKey();
    }

    @Override
    public void report(Notice notice) {
        notices.accept(notice);
    }
}
