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
import dev.mooring.storage.builder.WithBuilder;
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
 * @param events where events for people go
 * @param duties controllers beside those of storage, such as a scheduler
 * @param choice which of all controllers run
 * @param calls is given the handler of the controllers' calls, and answers what is used in its place
 * @param listener hears of the work of the loop, on a thread of its own
 * @param binder how claims are bound
 * @param attachDetach when volumes are taken from nodes by force
 * @param node the node that this process is, too; empty for none
 * @param limits how many calls of plugins may run at once
 */
@WithBuilder
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
        CallLimits limits)
        implements ControllerPartsBuilder.With {
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
        return ControllerPartsBuilder.builder()
                .store(store)
                .plugins(plugins)
                .host(host)
                .events(events)
                .duties(List.of())
                .choice(ControllerChoice.ALL)
                .calls(UnaryOperator.identity())
                .listener(LoopListener.NONE)
                .binder(BinderOptions.DEFAULT)
                .attachDetach(AttachDetachOptions.DEFAULT)
                .limits(CallLimits.DEFAULT)
                .build();
    }
}
