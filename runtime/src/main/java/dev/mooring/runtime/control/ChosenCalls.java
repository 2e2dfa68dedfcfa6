// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Outcome;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Passes each call, and the question which calls wait for each other, to the handler that it concerns. Thread-safe.
 *
 * @param concerns whether a call is the first one's
 */
record ChosenCalls(Predicate<? super Call> concerns, CallHandler first, CallHandler others) implements CallHandler {
    private CallHandler handlerOf(Call call) {
        return concerns.test(call) ? first : others;
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        return handlerOf(call).perform(call, ticket);
    }

    @Override
    public String bulkhead(Call call) {
        return handlerOf(call).bulkhead(call);
    }

    @Override
    public Optional<String> pluginShare(Call call) {
        return handlerOf(call).pluginShare(call);
    }

    @Override
    public Optional<String> nodeShare(Call call) {
        return handlerOf(call).nodeShare(call);
    }
}
