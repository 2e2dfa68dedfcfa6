// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.storage.spi.Outcome;

/**
 * The controllers' calls: each goes to whom it concerns, and so does the question of which calls wait for each other. Thread-safe.
 *
 * @param attaching attaches, detaches and fences
 * @param binding does everything else
 */
record ControllerCalls(CallHandler attaching, CallHandler binding) implements CallHandler {
    private CallHandler handlerOf(Call call) {
        return AttachDetachCallHandler.handles(call) ? attaching : binding;
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        return handlerOf(call).perform(call, ticket);
    }

    @Override
    public String bulkhead(Call call) {
        return handlerOf(call).bulkhead(call);
    }
}
