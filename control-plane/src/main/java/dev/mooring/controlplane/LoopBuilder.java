// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.ClusterStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * What a control plane and a node's agent are described by alike. No argument is null. Not thread-safe.
 *
 * @param <B> the builder itself
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract sealed class LoopBuilder<B extends LoopBuilder<B>> permits ControlPlane.Builder, NodeAgent.Builder {
    final ClusterStore store;
    private List<StoragePlugin> plugins = List.of();
    private Optional<EventSink> events = Optional.empty();
    private UnaryOperator<CallHandler> calls = UnaryOperator.identity();
    private LoopListener listener = LoopListener.NONE;

    LoopBuilder(ClusterStore store) {
        this.store = store;
    }

    abstract B self();

    /** The storage back-ends. */
    public B plugins(StoragePlugin... all) {
        return plugins(List.of(all));
    }

    /** The storage back-ends; none by default. */
    public B plugins(Collection<? extends StoragePlugin> all) {
        plugins = List.copyOf(all);
        return self();
    }

    /** Where events for people go; by default Event objects in the store. */
    public B events(EventSink sink) {
        events = Optional.of(sink);
        return self();
    }

    /** Is given the handler of the plugins' calls, and answers what is used in its place. */
    public B calls(UnaryOperator<CallHandler> around) {
        calls = around;
        return self();
    }

    /** Hears what the loop does, on a thread of its own. */
    public B listener(LoopListener hears) {
        listener = hears;
        return self();
    }

    PluginRegistry registry() {
        return new PluginRegistry(plugins);
    }

    /** The chosen sink, or one that writes to this store. */
    EventSink sink(ClusterStore written) {
        return events.orElseGet(() -> new StoreEventSink(written, TimeSource.system()));
    }

    /**
     * The options of the loop.
     *
     * @param handler carries out the plugins' calls
     * @param metrics listen beside the caller's listener, before it
     */
    RuntimeOptions options(String name, CallHandler handler, EventSink sink, LoopListener... metrics) {
        List<LoopListener> listeners = new ArrayList<>(List.of(metrics));
        listeners.add(listener);
        return RuntimeOptions.defaults()
                .withName(name)
                .withCalls(calls.apply(handler))
                .withListener(LoopListener.all(listeners.toArray(LoopListener[]::new)))
                .withEvents(sink);
    }
}
