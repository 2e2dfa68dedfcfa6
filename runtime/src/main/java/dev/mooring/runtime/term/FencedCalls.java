// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.term;

import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Calls of plugins that begin only during one {@link Tenure}, as {@link FencedStore} does it for writes (S14, semantics/attach-and-mount
 * §7.2): what a leader decided before its process was stopped, and would begin when it goes on in another's term, does not happen.
 *
 * <p>A call that began in time may still be under way when the term ends. It is cancelled as soon as the term is over,
 * and its plugin knows the term's number, by which a back-end can recognise the older call. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FencedCalls {
    private FencedCalls() {}

    /**
     * Wraps a handler.
     *
     * @param term when calls may begin
     * @param calls carries the calls out
     */
    public static CallHandler during(Tenure term, CallHandler calls) {
        return calls.carriedOutBy((call, ticket) -> term.isHeld()
                ? calls.perform(call, new TermTicket(ticket, term))
                : Outcome.deferred("not begun: term " + term.number() + " of the leader that decided it is over"));
    }

    private record TermTicket(CallTicket ticket, Tenure during) implements CallTicket {
        @Override
        public InstantSource clock() {
            return ticket.clock();
        }

        @Override
        public Instant deadline() {
            return ticket.deadline();
        }

        @Override
        public boolean cancelled() {
            return ticket.cancelled() || !during.isHeld();
        }

        @Override
        public void onCancel(Runnable action) {
            ticket.onCancel(action);
        }

        @Override
        public int attempt() {
            return ticket.attempt();
        }

        @Override
        public String idempotencyKey() {
            return ticket.idempotencyKey();
        }

        @Override
        public void report(Notice notice) {
            ticket.report(notice);
        }

        @Override
        public OptionalLong term() {
            return OptionalLong.of(during.number());
        }
    }
}
