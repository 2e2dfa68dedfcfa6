// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several handlers in one loop. */
class CallHandlerTest {
    private static final Call CALL = ToyCall.of("work", "v");

    private record Named(String name) implements CallHandler {
        @Override
        public Outcome<?> perform(Call call, CallTicket ticket) {
            return Outcome.refused(Refusal.UNSUPPORTED, name);
        }

        @Override
        public String bulkhead(Call call) {
            return name + "-pool";
        }

        @Override
        public Optional<String> pluginShare(Call call) {
            return Optional.of(name + "-plugin");
        }

        @Override
        public Optional<String> nodeShare(Call call) {
            return Optional.of(name + "-node");
        }
    }

    private static final CallTicket TICKET =
            new UncancelledTicket(InstantSource.system(), Instant.MAX, 1, "", notice -> {});

    @Test
    void allQuestionsGoToTheOneThatTheCallConcerns() {
        assertAllGoTo("first", CallHandler.choosing(call -> true, new Named("first"), new Named("others")));
        assertAllGoTo("others", CallHandler.choosing(call -> false, new Named("first"), new Named("others")));
    }

    private static void assertAllGoTo(String name, CallHandler handler) {
        assertThat(handler.perform(CALL, TICKET).message()).isEqualTo(name);
        assertThat(handler.bulkhead(CALL)).isEqualTo(name + "-pool");
        assertThat(handler.pluginShare(CALL)).contains(name + "-plugin");
        assertThat(handler.nodeShare(CALL)).contains(name + "-node");
    }
}
