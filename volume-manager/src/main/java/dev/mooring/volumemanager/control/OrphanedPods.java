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
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.CleanPodsCall;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Removes what pods have left of their directories: once at the start, for every pod that neither an object nor a record knows, and for a
 * pod that goes. Only empty directories go; of one that stays people are told once (semantics/attach-and-mount §3.18).
 */
public final class OrphanedPods extends Tidying {
    private static final String TYPE = "pod-directory";
    private static final int MOST_EVENTS = 10;

    /** The name under which all directories are looked at; no pod's uid. */
    private static final String ALL = "*";

    public OrphanedPods(NodeConfig config, NodeRecords records) {
        super(config, records);
    }

    private static Key key(String uid) {
        return new Key(TYPE, ObjectKey.cluster(uid));
    }

    @Override
    public String name() {
        return "orphaned-pods";
    }

    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        mailbox.recheck(key(ALL));
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)
                && change.after().isEmpty()
                && isHere(change.as(Kinds.POD).latest())) {
            mailbox.recheck(key(change.as(Kinds.POD).latest().metadata().uid()));
        }
    }

    private boolean isHere(Pod pod) {
        return pod.spec().nodeName().equals(config.node().name());
    }

    private enum Looked implements KeyState {
        ONCE
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        String uid = key.object().name();
        boolean all = uid.equals(ALL);
        Optional<EffectResult> result =
                situation.resultOf(AgentOperations.CLEAN).filter(EffectResult::succeeded);
        if (result.isPresent()) {
            List<Effect> news = news(result.get(), situation);
            return (all ? Decision.remember(Looked.ONCE) : Decision.nothing()).and(news);
        }
        if (state.isPresent()) {
            return Decision.remember(Looked.ONCE);
        }
        if (!all && !records.of(uid).isEmpty()) {
            return Decision.nothing(); // The last unpublish takes the directories away.
        }
        Effect.Perform clean = new Effect.Perform(
                AgentOperations.CLEAN,
                new CleanPodsCall(config.node(), known(situation, all), all ? Optional.empty() : Optional.of(uid)),
                Optional.empty(),
                Defaults.MOUNT_TIME_LIMIT);
        return attempt(situation, clean);
    }

    private SortedSet<String> known(Situation situation, boolean all) {
        SortedSet<String> known = new TreeSet<>();
        if (all) {
            for (Pod pod : situation.caches().of(Kinds.POD).all()) {
                if (isHere(pod)) {
                    known.add(pod.metadata().uid());
                }
            }
            for (Publish record : records.all()) {
                known.add(record.pod().uid());
            }
        }
        return known;
    }

    private List<Effect> news(EffectResult result, Situation situation) {
        List<String> left = result.outcome()
                .flatMap(outcome -> outcome.result()
                        .filter(CleanPodsCall.Answer.class::isInstance)
                        .map(CleanPodsCall.Answer.class::cast))
                .map(CleanPodsCall.Answer::left)
                .orElse(List.of());
        return left.stream()
                .limit(MOST_EVENTS)
                .flatMap(line -> events(situation, true, "OrphanedPodDirectory", line).stream())
                .toList();
    }
}
