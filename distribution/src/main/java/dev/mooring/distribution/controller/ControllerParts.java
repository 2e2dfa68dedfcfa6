// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.attachdetach.calls.FenceCall;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The controllers that replace those of kube-controller-manager that are switched off for them: binding, provisioning, reclaiming,
 * expansion, modification, ephemeral claims, protection, attaching and detaching. What is not replaced (garbage collection, namespaces,
 * the life cycle of nodes) stays Kubernetes' own.
 */
public final class ControllerParts {
    private ControllerParts() {}

    /** A runtime that has not begun; the store belongs to one term of a leader. */
    public static ControllerRuntime runtime(ClusterStore store, List<StoragePlugin> installed, HostServices host) {
        PluginRegistry plugins = new PluginRegistry(installed);
        List<Controller> controllers = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        controllers.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        RuntimeOptions options = RuntimeOptions.defaults()
                .withName("controllers")
                .withCalls(calls(store, plugins, host))
                .withEvents(new StoreEventSink(store, TimeSource.system()));
        return new ControllerRuntime(store, controllers, options);
    }

    private static CallHandler calls(ClusterStore store, PluginRegistry plugins, HostServices host) {
        InstantSource clock = InstantSource.system();
        Secrets secrets = new StoreSecrets(store);
        CallHandler attaching = new AttachDetachCallHandler(plugins, clock, host, secrets);
        CallHandler binding = new BinderCallHandler(plugins, clock, host, secrets);
        return (call, ticket) -> call instanceof AttachCall || call instanceof DetachCall || call instanceof FenceCall
                ? attaching.perform(call, ticket)
                : binding.perform(call, ticket);
    }
}
