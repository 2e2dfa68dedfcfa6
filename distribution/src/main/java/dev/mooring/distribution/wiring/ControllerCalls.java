// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import java.time.InstantSource;

/** The calls of all controllers: each goes to whom it concerns, and so does the question of which calls wait for each other. */
public final class ControllerCalls implements CallHandler {
    private final CallHandler attaching;
    private final CallHandler binding;

    /** Calls to plugins of this process. */
    public ControllerCalls(PluginRegistry plugins, HostServices host, Secrets secrets) {
        InstantSource clock = InstantSource.system();
        this.attaching = new AttachDetachCallHandler(plugins, clock, host, secrets);
        this.binding = new BinderCallHandler(plugins, clock, host, secrets);
    }

    private CallHandler of(Call call) {
        return AttachDetachCallHandler.handles(call) ? attaching : binding;
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        return of(call).perform(call, ticket);
    }

    @Override
    public String bulkhead(Call call) {
        return of(call).bulkhead(call);
    }
}
