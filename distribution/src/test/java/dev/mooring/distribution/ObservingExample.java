// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.clusterstore.duty.DutyOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Quantity;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The example of docs/embed/embedding.md; the lines between the marks stand there. */
final class ObservingExample {
    private ObservingExample() {}

    static void run(PrintStream out) {
        var ids = IdSource.random(new SecureRandom());
        var store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), InstantSource.system(), ids));
        var binder = new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
        var wish = PersistentVolumeClaimSpec.EMPTY
                .withRequestedStorage(Quantity.parse("8Gi"))
                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE));
        var claim = PersistentVolumeClaim.of("default", "data", wish);
        // example begins
        var slow = new LoopListener() {
            @Override
            public boolean measures() {
                return true;
            }

            @Override
            public void onFinished(Dispatch dispatch, EffectResult result, Duration took) {
                if (took.toMinutes() > 0) {
                    out.println(dispatch.key() + ": " + dispatch.effect().operation() + " took " + took);
                }
            }
        };
        var metrics = new BinderMetrics(PluginRegistry.EMPTY, TimeSource.system());
        var options = RuntimeOptions.defaults()
                .withListener(LoopListener.all(metrics, slow))
                .withEvents(new StoreEventSink(store, TimeSource.system()));
        var controllers = new ArrayList<>(binder.controllers());
        controllers.addAll(BackgroundDuties.all(Kinds.standard(), DutyOptions.DEFAULT));
        var runtime = new ControllerRuntime(store, controllers, options);
        try (store;
                runtime) {
            runtime.start();
            store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim).orThrow();
            runtime.whenQuiescent().join();
            for (var metric : runtime.ask(caches -> metrics.collect()).join()) {
                for (var sample : metric.samples()) {
                    out.println(sample.name() + sample.labels() + " " + sample.value());
                }
            }
        }
        // example ends
    }
}
