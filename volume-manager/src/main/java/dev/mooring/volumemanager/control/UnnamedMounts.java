// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.Unnamed;
import dev.mooring.volumemanager.adoption.AdoptionObjects;
import dev.mooring.volumemanager.calls.TakeAwayCall;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes away what was found mounted at the start and what no object names: once, after the cluster has been listed (semantics/attach-and-mount
 * §3.13). It has nothing to do on a node on which nothing was found.
 */
public final class UnnamedMounts extends Tidying {
    private static final String TYPE = "unnamed-mount";
    private static final String REMOVED =
            " belonged to no pod and was unmounted. Its volume is unknown, so what is reported in use of its plugin"
                    + " stays so until the next start";

    private final Map<Key, Unnamed> found = new LinkedHashMap<>();

    public UnnamedMounts(NodeConfig config, NodeRecords records, List<Unnamed> unnamed) {
        super(config, records);
        unnamed.forEach(each -> found.put(
                new Key(TYPE, ObjectKey.cluster(each.mount().mountPoint().toString())), each));
    }

    @Override
    public String name() {
        return "unnamed-mounts";
    }

    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        found.keySet().forEach(mailbox::recheck);
    }

    /** The uid of a pod that is gone never comes back, so no news concerns it. */
    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {}

    private enum Progress implements KeyState {
        TOLD,
        OVER
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Unnamed unnamed = found.get(key);
        if (unnamed == null || state.filter(Progress.OVER::equals).isPresent() || isNamed(unnamed, situation)) {
            return Decision.remember(Progress.OVER);
        }
        Optional<EffectResult> result = situation.resultOf(AgentOperations.TAKE_AWAY);
        String mount = unnamed.mount().toString();
        if (result.filter(EffectResult::succeeded).isPresent()) {
            return Decision.remember(Progress.OVER)
                    .and(events(situation, false, "UnknownMountRemoved", mount + REMOVED));
        }
        Decision decision = attempt(
                situation,
                new Effect.Perform(
                        AgentOperations.TAKE_AWAY,
                        new TakeAwayCall(config.node(), unnamed),
                        Optional.of(
                                new Target("path", unnamed.mount().mountPoint().toString())),
                        Defaults.MOUNT_TIME_LIMIT));
        if (result.isEmpty() || state.isPresent()) {
            return decision.withState(state);
        }
        String why = result.flatMap(EffectResult::outcome)
                .map(outcome -> ": " + outcome.message())
                .orElse("");
        return decision.withState(Optional.of(Progress.TOLD))
                .and(events(
                        situation, true, "UnknownMount", mount + " belongs to no pod and cannot be unmounted" + why));
    }

    /** A record or a pod may name it since it was found. */
    private boolean isNamed(Unnamed unnamed, Situation situation) {
        Path place = unnamed.mount().mountPoint();
        return records.publishedAt(place).isPresent()
                || records.stagedAt(place).isPresent()
                || situation.caches().of(Kinds.POD).all().stream()
                        .anyMatch(pod -> pod.metadata().uid().equals(unnamed.podUid())
                                || AdoptionObjects.isOfFile(pod, unnamed.podUid()));
    }
}
