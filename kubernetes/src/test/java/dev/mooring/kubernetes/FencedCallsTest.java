// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.term.FencedCalls;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No call of a plugin begins after the term of the leader that decided it (S14). */
class FencedCallsTest {
    private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final CallTicket TICKET = new UncancelledTicket(InstantSource.system(), BEGUN, 3, "key", notice -> {
        throw new AssertionError(notice.toString());
    });

    private Duration passed = Duration.ZERO;
    private final Term term = new Term(this::now, DEADLINE, 7, now());
    private final List<CallTicket> begun = new ArrayList<>();
    private final CallHandler calls = FencedCalls.during(term, (call, ticket) -> {
        begun.add(ticket);
        return Outcome.done();
    });

    private Time now() {
        return new Time(BEGUN.plus(passed), passed.toNanos());
    }

    @Test
    void s14_aCallBeginsInItsTermAndKnowsItsNumber() {
        assertThat(calls.perform(new Attach(), TICKET).isDone()).isTrue();
        assertThat(begun).singleElement().satisfies(ticket -> {
            assertThat(ticket.term()).hasValue(7);
            assertThat(ticket.attempt()).isEqualTo(3);
            assertThat(ticket.idempotencyKey()).isEqualTo("key");
            assertThat(ticket.deadline()).isEqualTo(BEGUN);
        });
    }

    @Test
    void s14_whatAStoppedProcessHadDecidedDoesNotBeginWhenItGoesOn() {
        passed = DEADLINE;
        Outcome<?> outcome = calls.perform(new Attach(), TICKET);
        assertThat(outcome).isInstanceOf(Outcome.Deferred.class);
        assertThat(outcome.message()).isEqualTo("not begun: term 7 of the leader that decided it is over");
        assertThat(begun).isEmpty();
    }

    @Test
    void s14_aCallUnderWayIsToldThatItsTermIsOver() {
        calls.perform(new Attach(), TICKET);
        CallTicket seen = begun.get(0);
        assertThat(seen.cancelled()).isFalse();
        passed = DEADLINE;
        assertThat(seen.cancelled()).isTrue();
    }

    private record Attach() implements Call {
        @Override
        public PluginName plugin() {
            return new PluginName("disk.example.com");
        }

        @Override
        public String operation() {
            return "attach";
        }

        @Override
        public String volume() {
            return "v";
        }

        @Override
        public String node() {
            return "n1";
        }
    }
}
