// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.attachdetach.calls.FenceCall;
import dev.mooring.attachdetach.calls.UnfenceCall;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.simulation.sidecar.Sidecars;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Mooring's own controllers and agents. Immutable. */
public final class MooringControlPlane implements SimulatedControlPlane {
    private static final String NODE = "node";

    /** The names of all that can take part, in the order of messages. */
    public static final List<String> CONTROLLERS = List.of(
            "binder",
            "pvc-protection",
            "clone-protection",
            "pv-protection",
            "vac-protection",
            "expansion",
            "volume-modification",
            "ephemeral",
            "attach-detach",
            "scheduler",
            NODE);

    private final PluginRegistry plugins;
    private final PluginRegistry nodePlugins;
    private final Set<String> names;
    private final Set<String> attached;

    /**
     * Makes a control plane.
     *
     * @param plugins the plugins of every process
     * @param names those of {@link #CONTROLLERS} that take part; {@code node} for the agents
     */
    public MooringControlPlane(PluginRegistry plugins, Set<String> names) {
        this(plugins, names, Set.of());
    }

    /**
     * Makes a control plane beside which programs of others serve drivers.
     *
     * @param plugins the plugins of every process
     * @param names those of {@link #CONTROLLERS} that take part; {@code node} for the agents
     * @param attached the drivers that an external attacher, provisioner and resizer serve; the controllers have no plugin for them, the
     *     agents do
     */
    public MooringControlPlane(PluginRegistry plugins, Set<String> names, Set<String> attached) {
        this.plugins = plugins;
        this.nodePlugins = SimulatedPlugins.onNodes(plugins, attached);
        this.names = Set.copyOf(names);
        this.attached = Set.copyOf(attached);
    }

    @Override
    public List<Controller> controllers() {
        BinderOptions binding = BinderOptions.DEFAULT;
        List<Controller> all = new ArrayList<>(new Binder(binding, plugins).controllers());
        all.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        all.add(VolumeScheduling.scheduler(SchedulingOptions.DEFAULT.like(binding)));
        return all.stream()
                .filter(controller -> names.contains(controller.name()))
                .toList();
    }

    @Override
    public Optional<Agent> agent(NodeRef node) {
        return names.contains(NODE) ? Optional.of(new MooringAgent(node, nodePlugins)) : Optional.empty();
    }

    @Override
    public Map<String, Supplier<List<Controller>>> sidecars() {
        return Sidecars.serving(attached);
    }

    @Override
    public Optional<Outcome<?>> success(Call call) {
        if (call instanceof OutsideCall outside) {
            return success(outside.call());
        } else if (call instanceof ProvisionCall provision) {
            return Optional.of(Outcome.done(provision.plan()));
        } else if (call instanceof DeleteCall || call instanceof RecycleCall || call instanceof ModifyCall) {
            return Optional.of(Outcome.done());
        } else if (call instanceof ExpandCall expand) {
            boolean nodeFollows = expand.plugin().value().equals(SimulatedPlugins.DISK);
            return Optional.of(Outcome.done(new Expansion(expand.wanted(), nodeFollows)));
        } else if (call instanceof AttachCall attach) {
            return Optional.of(Outcome.done(Map.of(SimulatedBackends.ATTACHED_TO, attach.node())));
        } else if (call instanceof DetachCall || call instanceof FenceCall || call instanceof UnfenceCall) {
            return Optional.of(Outcome.done());
        }
        return MooringAgent.success(call);
    }
}
