// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.DriverArrivals;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.wanted.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reports the node: that it is Ready, once per process, after which the condition belongs to its heartbeat; that its attachable volumes
 * are attached by a controller; and, always, which of them are in use (S5). In use is what a pod here needs or what a record that is not
 * GONE is about, so it is written before the first stage or publish, which waits for it (S4), and taken back after the last undo.
 * Several changes at one time are one write.
 */
public final class NodeReport extends NodeController {
    private static final String READY = "Ready";
    private static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";
    private static final Rank AFTER_ALL_OTHERS = Rank.tier(200);

    private final PluginRegistry plugins;
    private final NodeRecords records;
    private final VolumeNeeds needs;
    private final InUseReport report;
    private final Set<PluginName> unclear;
    private final Set<String> undone = new TreeSet<>();
    private final Key key;

    public NodeReport(
            NodeConfig config,
            PluginRegistry plugins,
            NodeRecords records,
            VolumeNeeds needs,
            InUseReport report,
            DriverArrivals drivers,
            Set<PluginName> unclear) {
        super(config);
        this.plugins = plugins;
        this.records = records;
        this.needs = needs;
        this.report = report;
        this.unclear = Set.copyOf(unclear);
        this.key = new Key("node", ObjectKey.cluster(config.node().name()));
        drivers.listen(() -> recheck(key));
        records.onStage(record -> record.reportedName().ifPresent(name -> {
            if (record.phase() == RecordPhase.GONE) {
                undone.add(name);
            }
            recheck(key);
        }));
        needs.onChange((before, now) -> {
            if (!reportedName(before).equals(reportedName(now))) {
                recheck(key);
            }
        });
    }

    private static Optional<String> reportedName(Optional<VolumeNeed> need) {
        return need.flatMap(VolumeNeed::device).flatMap(Device::reportedName);
    }

    @Override
    public String name() {
        return "node-status";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    /** One write for everything that is needed at one time. */
    @Override
    public Rank rank(Key ranked) {
        return AFTER_ALL_OTHERS;
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (!change.concerns(Kinds.NODE) || !change.key().equals(key.object())) {
            return;
        }
        ObjectChange<Node> own = change.as(Kinds.NODE);
        if (change.origin() != Origin.WATCH) {
            mailbox.recheck(key);
        } else if (!own.before().map(this::relevant).equals(own.after().map(this::relevant))) {
            mailbox.inputChanged(key);
        }
    }

    private List<Object> relevant(Node node) {
        return List.of(
                node.metadata().uid(),
                node.metadata().annotation(MANAGED).orElse(""),
                Conditions.statusOf(node.status().conditions(), READY).orElse(ConditionStatus.UNKNOWN),
                node.status().volumesInUse());
    }

    @Override
    public Decision decide(Key decided, Optional<KeyState> state, Situation situation) {
        Optional<Node> found = situation.caches().get(Kinds.NODE, key.object()).filter(this::isThisNode);
        if (found.isEmpty()) {
            return Decision.nothing().withState(state);
        }
        Node node = found.get();
        NodeReportState known = state.map(NodeReportState.class::cast)
                .orElse(NodeReportState.NONE)
                .learn(situation.resultOf(AgentOperations.REPORT_NODE), node, situation.now());
        if (attaches() && !isManaged(node)) {
            return Decision.act(annotate(node)).withState(known);
        }
        NodeStatus status = node.status();
        NodeStatus wanted = status.withVolumesInUse(inUse(node));
        if (!known.ready()
                && Conditions.statusOf(status.conditions(), READY).orElse(ConditionStatus.UNKNOWN)
                        != ConditionStatus.TRUE) {
            wanted = wanted.withConditions(Conditions.with(
                    status.conditions(),
                    READY,
                    ConditionStatus.TRUE,
                    "AgentReady",
                    "the node's agent is running",
                    situation.now().wall()));
        }
        if (wanted.equals(status)) {
            Decision rest = Decision.remember(known.isReady());
            return known.settlesIn(situation.now()).map(rest::wakeAfter).orElse(rest);
        }
        return Decision.act(new Effect.UpdateStatus<>(
                        AgentOperations.REPORT_NODE, Kinds.NODE, new Change<>(node, node.withStatus(wanted))))
                .withState(known.reporting(wanted.volumesInUse(), node, situation.now()));
    }

    private boolean attaches() {
        return plugins.all().stream()
                .anyMatch(plugin -> plugin.capability(Attaching.class).isPresent());
    }

    private static boolean isManaged(Node node) {
        return node.metadata().annotation(MANAGED).filter("true"::equals).isPresent();
    }

    private static Effect annotate(Node node) {
        Node managed = node.withMetadata(node.metadata().withAnnotation(MANAGED, "true"));
        return new Effect.Update<>(AgentOperations.ANNOTATE_NODE, Kinds.NODE, new Change<>(node, managed));
    }

    /** A Node that was deleted and created again under this name is not the one that this process serves. */
    private boolean isThisNode(Node node) {
        return config.node().uid().isEmpty()
                || config.node().uid().equals(node.metadata().uid());
    }

    /** The volumes in use, in the order in which they stand in the status, new ones after them in order of their names. */
    private List<String> inUse(Node node) {
        Set<String> used = new TreeSet<>(needs.reportedNames());
        records.stages().forEach(record -> record.reportedName().ifPresent(used::add));
        List<String> inOrder = new ArrayList<>(node.status().volumesInUse());
        inOrder.stream().filter(this::mayBeMounted).forEach(used::add);
        inOrder.retainAll(used);
        used.removeAll(inOrder);
        inOrder.addAll(used);
        return inOrder;
    }

    /** What an earlier agent reported is not taken back while something is mounted here that may be it (S5). */
    private boolean mayBeMounted(String name) {
        return !undone.contains(name)
                && unclear.stream()
                        .map(PluginName::value)
                        .anyMatch(plugin ->
                                name.startsWith(plugin + "/") || name.startsWith("kubernetes.io/csi/" + plugin + "^"));
    }

    @Override
    public void applied(Key decided, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        report.learn(after.map(NodeReportState.class::cast).flatMap(NodeReportState::names));
    }
}
