// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.TicketContext;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall.Work;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out a node's calls on this machine. What belongs to the host happens here, around the plugin: the parents of a target are
 * made before a publish, and after an unpublish they are taken away when empty, up to the pod's directory. Thread-safe.
 *
 * @param node this node
 * @param root the root directory of {@link dev.mooring.volumemanager.NodeConfig}
 * @param plugins the plugins
 * @param records where {@link RecordCall} appends
 * @param clock the time that plugins see
 * @param host what the host does for plugins
 * @param secrets what volumes refer to
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeCallHandler(
        NodeRef node,
        Path root,
        PluginRegistry plugins,
        RecordLog records,
        InstantSource clock,
        HostServices host,
        Secrets secrets)
        implements CallHandler {
    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        if (call instanceof RecordCall append) {
            return append.appendTo(records);
        }
        OperationContext context = new TicketContext(ticket, clock, Optional.of(node), host, secrets);
        if (call instanceof PublishCall publish) {
            return publish(context, publish);
        } else if (call instanceof UnpublishCall unpublish) {
            return unpublish(context, unpublish.record());
        } else if (call instanceof ReclaimOnNodeCall reclaim) {
            return reclaim(context, reclaim);
        } else if (call instanceof ProvisionOnNodeCall provision) {
            return with(
                    call.plugin(),
                    Provisioning.class,
                    plugin -> plugin.provision(context, provision.request(), provision.plan()));
        }
        return Outcome.refused(Refusal.UNSUPPORTED, "a node has no call " + call.operation());
    }

    private Outcome<?> publish(OperationContext context, PublishCall call) {
        Outcome<Nothing> parents = new PodDirectories(host.files(), root)
                .makeParents(call.request().target());
        return parents.isDone()
                ? with(call.plugin(), Publishing.class, plugin -> plugin.publish(context, call.request()))
                : parents;
    }

    private Outcome<?> unpublish(OperationContext context, RecordEntry.Publish record) {
        Outcome<?> gone = with(
                record.volumeId().plugin(),
                Publishing.class,
                plugin -> plugin.unpublish(context, record.volumeId(), record.pod(), record.target(), record.state()));
        return gone.isDone() ? new PodDirectories(host.files(), root).removeEmptyParents(record.target()) : gone;
    }

    private Outcome<?> reclaim(OperationContext context, ReclaimOnNodeCall call) {
        return call.work() == Work.DELETE
                ? with(call.plugin(), Deleting.class, plugin -> plugin.delete(context, call.spec()))
                : with(call.plugin(), Recycling.class, plugin -> plugin.recycle(context, call.spec()));
    }

    private <C extends Capability> Outcome<?> with(PluginName name, Class<C> type, Function<C, Outcome<?>> action) {
        // OBSERVATION: a plugin that is not installed (any more) leaves everything as it is; it may come back.
        return plugins.capability(name, type)
                .<Outcome<?>>map(action)
                .orElseGet(
                        () -> Outcome.deferred("this node has no plugin " + name + " that is " + type.getSimpleName()));
    }
}
