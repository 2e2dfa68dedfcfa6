// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.time.InstantSource;

/**
 * The controllers' calls: each goes to whom it concerns, and so does the question of which calls wait for each other. Thread-safe.
 *
 * @param attaching attaches, detaches and fences
 * @param binding does everything else
 */
public record ControllerCalls(CallHandler attaching, CallHandler binding) implements CallHandler {
    /** Carried out by plugins of this process. */
    public static ControllerCalls of(ClusterStore store, PluginRegistry plugins, HostServices host) {
        InstantSource clock = InstantSource.system();
        Secrets secrets = new StoreSecrets(store);
        return new ControllerCalls(
                new AttachDetachCallHandler(plugins, clock, host, secrets),
                new BinderCallHandler(plugins, clock, host, secrets));
    }

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
