// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.plugin.NewStorage;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.TicketContext;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.volumemanager.calls.ReclaimOnNodeCall.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Carries out a node's calls on this machine. What belongs to the host happens here, around the plugin: the parents of a target are
 * made before a publish, and after an unpublish they are taken away when empty, up to the pod's directory; what a plugin asks to
 * remember goes to the record of its call. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NodeCallHandler implements CallHandler {
    private final NodeRef node;
    private final PluginRegistry plugins;
    private final HostServices host;
    private final Secrets secrets;
    private final Function<VolumeSpec, VolumeNotes> notes;
    private final RememberedStates states;
    private final VolumeWork work;

    /**
     * A handler that gives volumes to the group of their pod and shows parts of them to containers, and that knows no notes on volumes:
     * see {@link #withNotes} for what is not safe without them.
     *
     * @param node this node
     * @param root the root directory of {@link dev.mooring.volumemanager.NodeConfig}
     * @param plugins the plugins
     * @param records where {@link RecordCall} appends
     * @param host what the host does for plugins
     * @param secrets what volumes refer to
     */
    public NodeCallHandler(
            NodeRef node, Path root, PluginRegistry plugins, RecordLog records, HostServices host, Secrets secrets) {
        this(
                node,
                plugins,
                host,
                secrets,
                volume -> VolumeNotes.NONE,
                new VolumeWork(root, plugins, host, new PodSteps(root, plugins), new RememberedStates(records)));
    }

    private NodeCallHandler(
            NodeRef node,
            PluginRegistry plugins,
            HostServices host,
            Secrets secrets,
            Function<VolumeSpec, VolumeNotes> notes,
            VolumeWork work) {
        this.node = node;
        this.plugins = plugins;
        this.host = host;
        this.secrets = secrets;
        this.notes = notes;
        this.states = work.states();
        this.work = work;
    }

    /**
     * The same with notes on volumes. To be called before the handler is used.
     *
     * <p>Without them, which disk a volume is and that it was formatted is noted on this machine only, or nowhere if the disk has no
     * identity that lasts. Another node then does not know it: a disk that looks blank there is formatted, though it is a damaged one or
     * has lost what it held, and a volume that has become another disk is taken for the same.
     *
     * @param newNotes answers with the notes of a volume, such as {@code volume -> StoreNotes.of(store, volume)} ({@link
     *     dev.mooring.runtime.plugin.StoreNotes}); thread-safe
     */
    public NodeCallHandler withNotes(Function<VolumeSpec, VolumeNotes> newNotes) {
        return new NodeCallHandler(node, plugins, host, secrets, newNotes, work);
    }

    /** The plugin says what a back-end that does not answer may hold up, such as all volumes of one server. */
    @Override
    public String bulkhead(Call call) {
        return CallPools.of(call, plugins);
    }

    /** A record is written and the host looks around whatever plugins may wait for. */
    @Override
    public Optional<String> pluginShare(Call call) {
        return call instanceof RecordCall || call instanceof HostCall
                ? Optional.empty()
                : CallHandler.super.pluginShare(call);
    }

    /** All calls are about this node, of which each back-end has a share of its own: a dead one leaves the others theirs. */
    @Override
    public Optional<String> nodeShare(Call call) {
        return Optional.of(bulkhead(call));
    }

    @Override
    public Outcome<?> perform(Call call, CallTicket ticket) {
        if (call instanceof RecordCall append) {
            return states.append(append.entry());
        }
        if (call instanceof HostCall own) {
            return new HostWork(work.root(), plugins, host)
                    .perform(new TicketContext(ticket, Optional.of(node), host, secrets), own);
        }
        HostServices services = plugins.hostFor(call.plugin(), host, given(call));
        OperationContext context = new TicketContext(ticket, Optional.of(node), services, secrets);
        if (call instanceof StageCall stage) {
            return work.stage(recorded(context, stage.record(), notes.apply(stage.spec())), stage);
        } else if (call instanceof CompleteCall complete) {
            return work.complete(recorded(context, complete.record(), notes.apply(complete.spec())), complete);
        } else if (call instanceof UnstageCall unstage) {
            VolumeNotes noted = unstage.noted().map(notes).orElse(VolumeNotes.NONE);
            return work.unstage(recorded(context, unstage.record(), noted), unstage.record());
        } else if (call instanceof PublishCall publish) {
            VolumeNotes noted = notes.apply(publish.request().volume());
            return work.publish(recorded(context, publish.record(), noted), publish);
        } else if (call instanceof UnpublishCall unpublish) {
            return work.unpublish(recorded(context, unpublish.record(), VolumeNotes.NONE), unpublish);
        } else if (call instanceof ExpandOnNodeCall expand) {
            OperationContext noted = new Noted(context, notes.apply(expand.spec()));
            return with(
                    call.plugin(),
                    NodeExpanding.class,
                    plugin -> plugin.expandOnNode(noted, expand.spec(), expand.path(), expand.wanted()));
        } else if (call instanceof ConditionCall look) {
            return with(
                    call.plugin(),
                    Statistics.class,
                    plugin -> plugin.condition(
                            context, look.record().volumeId(), look.record().target()));
        } else if (call instanceof ReclaimOnNodeCall reclaim) {
            return reclaim(new Noted(context, notes.apply(reclaim.spec())), reclaim);
        } else if (call instanceof ProvisionOnNodeCall provision) {
            return with(
                    call.plugin(),
                    NewStorage.capability(provision.request()),
                    plugin -> NewStorage.make(plugin, context, provision.request(), provision.plan()));
        } else if (call instanceof DiscoverCall discover) {
            return plugins.named(call.plugin())
                    .<Outcome<?>>map(plugin -> plugin.discover(context, discover.nodeLabels()))
                    .orElseGet(() -> Outcome.deferred("this node has no plugin " + call.plugin()));
        }
        return Outcome.refused(Refusal.UNSUPPORTED, "a node has no call " + call.operation());
    }

    /** Where the host tells a plugin to work: the directories in which its mount points are. */
    private static List<Path> given(Call call) {
        Optional<Path> place = Optional.empty();
        if (call instanceof RecordedCall recorded) {
            place = recorded.record().match(publish -> Optional.of(publish.target()), Stage::stagingPath);
        } else if (call instanceof ExpandOnNodeCall expand) {
            place = Optional.of(expand.path());
        }
        return place.map(Path::getParent).stream().toList();
    }

    private OperationContext recorded(OperationContext context, RecordEntry entry, VolumeNotes noted) {
        return new NodeContext(context, entry, states, noted);
    }

    private Outcome<?> reclaim(OperationContext context, ReclaimOnNodeCall call) {
        return call.work() == Work.DELETE
                ? with(call.plugin(), Deleting.class, plugin -> plugin.delete(context, call.spec()))
                : with(call.plugin(), Recycling.class, plugin -> plugin.recycle(context, call.spec()));
    }

    private <C extends Capability> Outcome<?> with(PluginName name, Class<C> type, Function<C, Outcome<?>> action) {
        // A plugin that is not installed (any more) leaves everything as it is; it may come back.
        Optional<C> capability = plugins.capability(name, type);
        // Not by map: an answer that is null would be taken for a plugin that is not there, and has done nothing.
        return capability.isPresent()
                ? action.apply(capability.get())
                : Outcome.deferred("this node has no plugin " + name + " that is " + type.getSimpleName());
    }

    /** The context of a call about a volume that has notes, but no record on the node. */
    private record Noted(OperationContext call, VolumeNotes notes) implements ForwardingContext {}
}
