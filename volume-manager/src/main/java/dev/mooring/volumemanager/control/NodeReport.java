// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.NodeConfig;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reports the node: that it is Ready, once per process, after which the condition belongs to its heartbeat; and, always, which
 * attachable volumes are in use (S5). In use is what a pod here needs or what a record that is not GONE is about, so it is written
 * before the first publish, which waits to see it (S4), and taken back after the last undo.
 */
final class NodeReport implements Controller {
    private static final String READY = "Ready";

    private final NodeConfig config;
    private final NodeRecords records;
    private final Resolver resolver;
    private final Key key;
    private final boolean attaches;
    private final Relay relay = new Relay();

    NodeReport(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        this.config = config;
        this.records = records;
        this.resolver = new Resolver(config, plugins);
        this.key = new Key("node", ObjectKey.cluster(config.node().name()));
        this.attaches = plugins.all().stream()
                .anyMatch(plugin -> plugin.capability(Attaching.class).isPresent());
        records.onChange(record -> {
            if (record.attachable()) {
                relay.recheck(key);
            }
        });
    }

    @Override
    public String name() {
        return "node-status";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    @Override
    public void started(Mailbox mailbox) {
        relay.through(mailbox);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        boolean own = change.concerns(Kinds.NODE) && change.key().equals(key.object());
        if (own && change.origin() == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else if (own || mayChangeUse(change)) {
            mailbox.recheck(key);
        }
    }

    private boolean mayChangeUse(ObjectChange<?> change) {
        if (!attaches) {
            return false;
        }
        if (change.concerns(Kinds.POD)) {
            return change.as(Kinds.POD)
                    .latest()
                    .spec()
                    .nodeName()
                    .equals(config.node().name());
        }
        return !change.concerns(Kinds.NODE);
    }

    @Override
    public Decision decide(Key decided, Optional<KeyState> state, Situation situation) {
        Optional<Node> node = situation.caches().get(Kinds.NODE, key.object());
        boolean reported = state.isPresent()
                || situation
                        .resultOf(Operations.REPORT_NODE)
                        .filter(EffectResult::succeeded)
                        .isPresent();
        if (node.isEmpty() || !isThisNode(node.get())) {
            return Decision.nothing().withState(state);
        }
        NodeStatus status = node.get().status();
        NodeStatus wanted = status.withVolumesInUse(inUse(node.get(), situation));
        if (!reported
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
            return Decision.remember(Reported.ONCE);
        }
        Effect report = new Effect.UpdateStatus<>(
                Operations.REPORT_NODE,
                Kinds.NODE,
                new Change<>(node.get(), node.get().withStatus(wanted)));
        return Decision.act(report).withState(reported ? Optional.of(Reported.ONCE) : Optional.empty());
    }

    /** A Node that was deleted and created again under this name is not the one that this process serves. */
    private boolean isThisNode(Node node) {
        return config.node().uid().isEmpty()
                || config.node().uid().equals(node.metadata().uid());
    }

    /** The volumes in use, in the order in which they stand in the status, new ones after them in order of their names. */
    private List<String> inUse(Node node, Situation situation) {
        TreeSet<String> used = new TreeSet<>();
        for (Publish record : records.all()) {
            if (record.attachable()) {
                used.add(record.volumeId().toString());
            }
        }
        for (Pod pod : attaches ? situation.caches().of(Kinds.POD).all() : List.<Pod>of()) {
            if (pod.spec().nodeName().equals(config.node().name()) && !PodVolumes.hasEnded(pod)) {
                for (WantedVolume volume : WantedVolume.of(pod)) {
                    attachable(resolver.resolve(pod, volume, situation.caches()))
                            .ifPresent(used::add);
                }
            }
        }
        List<String> inOrder = new java.util.ArrayList<>(node.status().volumesInUse());
        inOrder.retainAll(used);
        used.removeAll(inOrder);
        inOrder.addAll(used);
        return inOrder;
    }

    private static Optional<String> attachable(Resolution resolution) {
        return resolution.match(
                ready -> ready.attachable() ? Optional.of(ready.volumeId().toString()) : Optional.empty(),
                waiting -> Optional.empty(),
                failed -> Optional.empty());
    }

    private enum Reported implements KeyState {
        ONCE
    }
}
