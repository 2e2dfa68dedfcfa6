// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Outcome;
import java.util.Optional;

/**
 * Calls that wait for each other as one handler says, and are carried out by another. Thread-safe.
 *
 * @param calls says which calls wait for each other
 * @param performer carries them out
 */
record GuardedCalls(CallHandler calls, CallHandler performer) implements CallHandler {
    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        return performer.perform(call, ticket);
    }

    @Override
    public String bulkhead(Call call) {
        return calls.bulkhead(call);
    }

    @Override
    public Optional<String> pluginShare(Call call) {
        return calls.pluginShare(call);
    }

    @Override
    public Optional<String> nodeShare(Call call) {
        return calls.nodeShare(call);
    }
}
