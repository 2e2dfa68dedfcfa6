// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.distribution.logging.DecisionLog;
import dev.mooring.distribution.wiring.ControllerCalls;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
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
        return runtime(store, new PluginRegistry(installed), host, LoopListener.NONE);
    }

    /** Controllers that have begun, and are measured. */
    static Controllers start(ClusterStore store, List<StoragePlugin> installed, HostServices host) {
        PluginRegistry plugins = new PluginRegistry(installed);
        BinderMetrics binder = new BinderMetrics(plugins, TimeSource.system());
        AttachDetachMetrics attaching = new AttachDetachMetrics(plugins);
        ControllerRuntime runtime =
                runtime(store, plugins, host, LoopListener.all(new DecisionLog(), binder, attaching));
        return new Controllers(runtime.start(), binder, attaching);
    }

    private static ControllerRuntime runtime(
            ClusterStore store, PluginRegistry plugins, HostServices host, LoopListener listener) {
        List<Controller> controllers = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        controllers.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        RuntimeOptions options = RuntimeOptions.defaults()
                .withName("controllers")
                .withCalls(ControllerCalls.of(store, plugins, host))
                .withListener(listener)
                .withEvents(new StoreEventSink(store, TimeSource.system()));
        return new ControllerRuntime(store, controllers, options);
    }
}
