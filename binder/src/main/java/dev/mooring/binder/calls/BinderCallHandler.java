// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.NewStorage;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.TicketContext;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.host.HostServices;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out the binder's calls by the plugins of this process.
 *
 * @param plugins the plugins
 * @param host what the host does for plugins
 * @param secrets what volumes refer to
 * @param node the node that this process is, too, where snapshots are made and destroyed of storage that only a node reaches; empty for
 *     none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BinderCallHandler(PluginRegistry plugins, HostServices host, Secrets secrets, Optional<NodeRef> node)
        implements CallHandler {
    /** Carries them out in a process that is no node. */
    public BinderCallHandler(PluginRegistry plugins, HostServices host, Secrets secrets) {
        this(plugins, host, secrets, Optional.empty());
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        HostServices services = plugins.hostFor(call.plugin(), host, List.of());
        OperationContext context = new TicketContext(ticket, Optional.empty(), services, secrets);
        if (call instanceof ProvisionCall provision) {
            return with(
                    call.plugin(),
                    NewStorage.capability(provision.request()),
                    plugin -> NewStorage.make(plugin, context, provision.request(), provision.plan()));
        } else if (call instanceof DeleteCall delete) {
            return with(call.plugin(), Deleting.class, plugin -> plugin.delete(context, delete.spec()));
        } else if (call instanceof RecycleCall recycle) {
            return with(call.plugin(), Recycling.class, plugin -> plugin.recycle(context, recycle.spec()));
        } else if (call instanceof ExpandCall expand) {
            return with(
                    call.plugin(),
                    ControllerExpanding.class,
                    plugin -> plugin.expand(context, expand.spec(), expand.wanted()));
        } else if (call instanceof ModifyCall modify) {
            return with(
                    call.plugin(),
                    Modifying.class,
                    plugin -> plugin.modify(context, modify.spec(), modify.parameters()));
        } else if (call instanceof HealthCall health) {
            return with(call.plugin(), Health.class, plugin -> plugin.check(context, health.spec()));
        } else if (call instanceof CapacityCall capacity) {
            return with(
                    call.plugin(),
                    CapacityReporting.class,
                    plugin -> plugin.freeSpace(context, capacity.parameters(), capacity.place()));
        }
        return snapshots(call, new TicketContext(ticket, nodeOf(call.plugin()), services, secrets));
    }

    /** Where a plugin's snapshots are made: on the node, if only that reaches its storage. */
    private Optional<NodeRef> nodeOf(PluginName plugin) {
        return plugins.named(plugin)
                .filter(found -> found.describe().reclaimPlace() == Place.NODE)
                .flatMap(found -> node);
    }

    private Outcome<?> snapshots(Call call, OperationContext context) {
        if (call instanceof SnapshotCall snapshot) {
            return with(
                    call.plugin(),
                    Snapshotting.class,
                    plugin -> plugin.createSnapshot(context, snapshot.request(), snapshot.spec()));
        } else if (call instanceof DeleteSnapshotCall gone) {
            return with(call.plugin(), Snapshotting.class, plugin -> plugin.deleteSnapshot(context, gone.snapshot()));
        } else if (call instanceof FindSnapshotCall found) {
            return with(call.plugin(), Snapshotting.class, plugin -> plugin.findSnapshot(context, found.snapshot()));
        }
        return Outcome.refused(Refusal.UNSUPPORTED, "the binder has no call " + call.operation());
    }

    private <C extends Capability> Outcome<?> with(PluginName name, Class<C> type, Function<C, Outcome<?>> action) {
        Optional<C> capability = plugins.capability(name, type);
        // Not by map: an answer that is null would be taken for a plugin that cannot do it, and has done nothing.
        return capability.isPresent()
                ? action.apply(capability.get())
                : Outcome.refused(
                        Refusal.UNSUPPORTED,
                        name + " cannot do " + type.getSimpleName().toLowerCase(Locale.ROOT));
    }
}
