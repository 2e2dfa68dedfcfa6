// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the controllers' side of a control plane is made of. Immutable.
 *
 * @param store the cluster's objects, as the controllers see them; stays the caller's
 * @param plugins the plugins installed
 * @param host what this machine does for plugins
 * @param events where news for people go
 * @param duties controllers beside those of storage, such as a scheduler
 * @param choice which of all controllers run
 * @param calls is given the handler of the controllers' calls, and answers what is used in its place
 * @param listener hears of the work of the loop, on a thread of its own
 * @param binder how claims are bound
 * @param attachDetach when volumes are taken from nodes by force
 * @param node the node that this process is, too; empty for none
 * @param limits how many calls of plugins may run at once
 */
public record ControllerParts(
        ClusterStore store,
        List<StoragePlugin> plugins,
        HostServices host,
        EventSink events,
        List<Controller> duties,
        ControllerChoice choice,
        UnaryOperator<CallHandler> calls,
        LoopListener listener,
        BinderOptions binder,
        AttachDetachOptions attachDetach,
        Optional<NodeRef> node,
        CallLimits limits) {
    /** Copies the lists. */
    public ControllerParts {
        plugins = List.copyOf(plugins);
        duties = List.copyOf(duties);
    }

    /**
     * The controllers that replace Kubernetes' own; what is not replaced (garbage collection, the life cycle of nodes) stays there. News
     * for people become Event objects.
     */
    public static ControllerParts of(ClusterStore store, List<StoragePlugin> plugins, HostServices host) {
        EventSink events = new StoreEventSink(store, TimeSource.system());
        return new ControllerParts(
                store,
                plugins,
                host,
                events,
                List.of(),
                ControllerChoice.ALL,
                UnaryOperator.identity(),
                LoopListener.NONE,
                BinderOptions.DEFAULT,
                AttachDetachOptions.DEFAULT,
                Optional.empty(),
                CallLimits.DEFAULT);
    }

    /** The same, with calls carried out otherwise. */
    public ControllerParts withCalls(UnaryOperator<CallHandler> otherwise) {
        return new ControllerParts(
                store, plugins, host, events, duties, choice, otherwise, listener, binder, attachDetach, node, limits);
    }

    /** The same with these controllers beside those of storage. */
    public ControllerParts withDuties(List<Controller> others) {
        return new ControllerParts(
                store, plugins, host, events, others, choice, calls, listener, binder, attachDetach, node, limits);
    }

    /** The same with claims bound otherwise. */
    public ControllerParts withBinder(BinderOptions chosen) {
        return new ControllerParts(
                store, plugins, host, events, duties, choice, calls, listener, chosen, attachDetach, node, limits);
    }

    /** The same with another policy for nodes that do not answer any more. */
    public ControllerParts withAttachDetach(AttachDetachOptions chosen) {
        return new ControllerParts(
                store, plugins, host, events, duties, choice, calls, listener, binder, chosen, node, limits);
    }

    /** The same with another place for news. */
    public ControllerParts withEvents(EventSink sink) {
        return new ControllerParts(
                store, plugins, host, sink, duties, choice, calls, listener, binder, attachDetach, node, limits);
    }

    /** The same with other limits. */
    public ControllerParts withLimits(CallLimits most) {
        return new ControllerParts(
                store, plugins, host, events, duties, choice, calls, listener, binder, attachDetach, node, most);
    }

    /** The same with a listener to the loop. */
    public ControllerParts withListener(LoopListener hears) {
        return new ControllerParts(
                store, plugins, host, events, duties, choice, calls, hears, binder, attachDetach, node, limits);
    }
}
