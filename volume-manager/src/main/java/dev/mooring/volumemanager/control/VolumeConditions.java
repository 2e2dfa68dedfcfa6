// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.ConditionMemory;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.ConditionCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks every minute whether the volumes of this node's pods are in good order, where their plugin can tell, and tells the pods in the
 * kubelet's words (semantics/csi §6.10). It is for people only: nothing is done about it.
 */
public final class VolumeConditions extends NodeController {
    private static final String TYPE = "volume-condition";
    private static final String COMPONENT = "kubelet";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final PluginRegistry plugins;
    private final NodeRecords records;

    public VolumeConditions(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        super(config);
        this.plugins = plugins;
        this.records = records;
        records.onPublish(record -> {
            if (canBeTold(record)) {
                recheck(key(record));
            }
        });
    }

    private static Key key(Publish record) {
        return new Key(TYPE, ObjectKey.of(record.pod().uid(), record.podVolume()));
    }

    private boolean canBeTold(Publish record) {
        return record.deviceMap().isEmpty()
                && plugins.capability(record.volumeId().plugin(), Statistics.class)
                        .filter(Statistics::tellsCondition)
                        .isPresent();
    }

    @Override
    public String name() {
        return "volume-conditions";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD);
    }

    /** A pod that waits for a volume comes first. */
    @Override
    public Rank rank(Key key) {
        return Rank.tier(300);
    }

    /** A plugin that comes later is told of by a record that is looked at again when its pod is. */
    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        records.all().stream().filter(this::canBeTold).forEach(record -> mailbox.recheck(key(record)));
    }

    /** The first sight of a pod: what an earlier process published is looked at too. */
    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.before().isEmpty()) {
            records.of(change.as(Kinds.POD).latest().metadata().uid()).stream()
                    .filter(this::canBeTold)
                    .forEach(record -> mailbox.recheck(key(record)));
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Publish> record = records.of(
                        key.object().namespace(), key.object().name())
                .filter(found -> isPublished(found) && canBeTold(found));
        Optional<Pod> pod =
                record.flatMap(found -> podOf(found, situation.caches()).filter(known -> !known.hasEnded()));
        if (pod.isEmpty()) {
            return Decision.nothing();
        }
        ConditionMemory known = state.map(ConditionMemory.class::cast)
                .orElse(ConditionMemory.first(situation.now(), ConditionMemory.INTERVAL));
        Optional<EffectResult> result = situation.resultOf(AgentOperations.LOOK);
        Optional<Condition> condition = ConditionMemory.seenBy(result);
        if (condition.isPresent()) {
            Decision rest = rest(known.after(condition.get(), situation.now()), situation);
            return known.isNews(condition.get(), situation.now())
                    ? rest.and(news(condition.get(), pod.get(), record.orElseThrow()))
                    : rest;
        }
        if (ConditionMemory.isUnable(result)) {
            return rest(ConditionMemory.unable(situation.now()), situation);
        }
        return known.rest(situation.now()).isPresent()
                ? rest(known, situation)
                : RecordLife.held(known, List.of(look(record.orElseThrow())), situation);
    }

    private static Decision rest(ConditionMemory known, Situation situation) {
        return Decision.remember(known).wakeAfter(known.rest(situation.now()).orElse(Duration.ZERO));
    }

    private Effect look(Publish record) {
        return new Effect.Perform(
                AgentOperations.LOOK, new ConditionCall(config.node(), record), Optional.empty(), LIMIT);
    }

    private static Effect news(Condition condition, Pod pod, Publish record) {
        return condition.abnormal()
                ? Announcement.warning(
                        Kinds.POD,
                        pod,
                        ConditionMemory.ABNORMAL,
                        "Volume " + record.podVolume() + ": " + condition.message(),
                        COMPONENT)
                : Announcement.normal(Kinds.POD, pod, ConditionMemory.NORMAL, ConditionMemory.RECOVERED, COMPONENT);
    }
}
