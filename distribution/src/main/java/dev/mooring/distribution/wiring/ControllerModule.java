// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dagger.Module;
import dagger.Provides;
import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.distribution.logging.DecisionLog;
import dev.mooring.distribution.operations.LoopMetrics;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.spi.Secrets;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** How the controllers are tied to each other. */
@Module
interface ControllerModule {
    @Provides
    @Singleton
    static PluginRegistry plugins(ControllerParts parts) {
        return new PluginRegistry(parts.plugins());
    }

    @Provides
    static Secrets secrets(ControllerParts parts) {
        return new StoreSecrets(parts.store());
    }

    @Provides
    @Singleton
    static BinderMetrics binderMetrics(PluginRegistry plugins) {
        return new BinderMetrics(plugins, TimeSource.system());
    }

    @Provides
    @Singleton
    static AttachDetachMetrics attachDetachMetrics(PluginRegistry plugins) {
        return new AttachDetachMetrics(plugins);
    }

    @Provides
    @Singleton
    static LoopMetrics loopMetrics() {
        return new LoopMetrics("controllers");
    }

    @Provides
    static LoopListener listener(
            ControllerParts parts, BinderMetrics binder, AttachDetachMetrics attachDetach, LoopMetrics loop) {
        return LoopListener.all(new DecisionLog(), binder, attachDetach, loop, parts.listener());
    }

    @Provides
    static List<Controller> controllers(ControllerParts parts, PluginRegistry plugins) {
        List<Controller> all = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        all.addAll(AttachDetach.controllers(parts.attachDetach(), plugins));
        all.addAll(parts.duties());
        return all;
    }

    @Provides
    static CallHandler calls(ControllerParts parts, PluginRegistry plugins, Secrets secrets) {
        return CallHandler.choosing(
                AttachDetachCallHandler::handles,
                new AttachDetachCallHandler(plugins, parts.host(), secrets),
                new BinderCallHandler(plugins, parts.host(), secrets));
    }

    @Provides
    @Singleton
    static ControllerRuntime runtime(
            ControllerParts parts, List<Controller> controllers, CallHandler calls, LoopListener listener) {
        RuntimeOptions options = RuntimeOptions.defaults()
                .withName("controllers")
                .withCalls(parts.calls().apply(calls))
                .withListener(listener)
                .withEvents(parts.events());
        return new ControllerRuntime(parts.store(), controllers, options);
    }
}
