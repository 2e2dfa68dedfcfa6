// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.Outcome;
import java.util.Optional;

/**
 * Calls of plugins of which those begin that nothing is said against. Thread-safe.
 *
 * @param calls carries the calls out
 * @param leases says what is against a call
 */
record ServedCalls(CallHandler calls, ServedLeases leases) implements CallHandler {
    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        Optional<String> objection = leases.objection(call.plugin().value());
        return objection.isPresent() ? Outcome.deferred(objection.get()) : calls.perform(call, ticket);
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
