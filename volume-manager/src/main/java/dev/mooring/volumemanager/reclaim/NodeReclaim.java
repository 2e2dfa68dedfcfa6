// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.control.AgentOperations;
import dev.mooring.volumemanager.control.NodeInterest;
import dev.mooring.volumemanager.control.NodeRecords;
import dev.mooring.volumemanager.control.PodVolumeResults;
import dev.mooring.volumemanager.control.WorkNeeds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes, empties and destroys the storage that only this node can reach, when the binder asks for it by annotations on the volume
 * ({@link NodeIntent}; semantics/binder §7 D6). Every piece of work goes the same way: live reads, a check of everything that must hold
 * ({@link NodeWork}), the call, the result on the volume. After a crash between call and result the call is repeated, which every
 * plugin has to bear.
 */
public final class NodeReclaim implements Controller {
    private static final String RECLAIM = "reclaim";
    private static final String PROVISION = "provision";
    private static final String COMPONENT = "kubelet";

    /**
     * Work on a volume that is done, and whose result is not written yet.
     *
     * @param result what became of it, as it is to stand on the volume
     */
    private record Done(String result) implements KeyState {}

    private final NodeConfig config;
    private final NodeWork reclaiming;
    private final NodeWork provisioning;
    private final Set<Key> asked = new TreeSet<>();

    public NodeReclaim(NodeConfig config, PluginRegistry plugins, NodeRecords records) {
        this.config = config;
        this.reclaiming = new ReclaimWork(config, plugins, new Overlaps(config, plugins, records));
        this.provisioning = new ProvisionWork(config, plugins);
    }

    @Override
    public String name() {
        return "node-reclaim";
    }

    @Override
    public List<Kind<?>> kinds() {
        return NodeInterest.kindsOfWork(Kinds.NODE, config);
    }

    @Override
    public Interest interest(Kind<?> kind) {
        return NodeInterest.of(kind, config);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (!change.concerns(Kinds.PERSISTENT_VOLUME)) {
            asked.forEach(mailbox::recheck); // it may be what the work waits for
            return;
        }
        PersistentVolume volume = change.as(Kinds.PERSISTENT_VOLUME).latest();
        asked.forEach(mailbox::recheck); // it may be what another one is made from
        post(reclaiming, RECLAIM, volume, change, mailbox);
        post(provisioning, PROVISION, volume, change, mailbox);
    }

    @Override
    public void missing(ObjectName object, Mailbox mailbox) {
        asked.forEach(mailbox::recheck);
    }

    private void post(NodeWork work, String type, PersistentVolume volume, ObjectChange<?> change, Mailbox mailbox) {
        Key key = new Key(type, change.key());
        if (intent(work, volume).isEmpty()) {
            asked.remove(key);
            return;
        }
        if (change.after().isPresent()) {
            asked.add(key);
        } else {
            asked.remove(key);
        }
        if (change.origin() == Origin.WATCH) {
            mailbox.inputChanged(key);
        } else {
            mailbox.recheck(key);
        }
    }

    /** The claim that the work is about, if this node is asked to do it. */
    private Optional<String> intent(NodeWork work, PersistentVolume volume) {
        boolean here = volume.metadata()
                .annotation(work.nodeKey())
                .filter(config.node().name()::equals)
                .isPresent();
        return here ? volume.metadata().annotation(work.intentKey()).filter(uid -> !uid.isEmpty()) : Optional.empty();
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        NodeWork work = key.type().equals(RECLAIM) ? reclaiming : provisioning;
        Optional<PersistentVolume> volume = situation.caches().get(Kinds.PERSISTENT_VOLUME, key.object());
        Optional<String> claimUid = volume.flatMap(found -> intent(work, found));
        if (volume.isEmpty() || claimUid.isEmpty()) {
            return Decision.nothing(); // Nothing is asked for any more; a result that was not written has no reader.
        }
        boolean answered = volume.get()
                .metadata()
                .annotation(work.resultKey())
                .flatMap(text -> NodeIntent.parse(text, claimUid.get()))
                .isPresent();
        if (answered) {
            return Decision.nothing(); // It is the binder's turn; it takes the result away to ask again.
        }
        // What was read or done for a former volume of this name, or for another claim, proves nothing.
        return ObjectState.decide(
                        volume.get().metadata().uid() + " " + claimUid.get(),
                        state,
                        situation,
                        (known, own) -> decide(work, volume.get(), claimUid.get(), known.map(Done.class::cast), own))
                .concerning(concerns(work, volume.get()));
    }

    private static Decision decide(
            NodeWork work, PersistentVolume volume, String claimUid, Optional<Done> known, Situation situation) {
        Optional<String> result = known.map(Done::result).or(() -> performed(work, volume, claimUid, situation));
        return result.isPresent()
                ? write(work, volume, result.get(), situation)
                : perform(work, volume, claimUid, situation);
    }

    /** Who waits: the volume that is reclaimed, the claim that storage is made for. */
    private List<Concern> concerns(NodeWork work, PersistentVolume volume) {
        if (work == reclaiming) {
            return List.of(Concern.of(Kinds.PERSISTENT_VOLUME, volume, "VolumeFailedDelete", COMPONENT));
        }
        return volume.spec().claimRef().stream()
                .map(claim -> new Concern(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        ObjectKey.of(claim.namespace(), claim.name()),
                        claim.uid(),
                        true,
                        "ProvisioningFailed",
                        COMPONENT))
                .toList();
    }

    private static Optional<String> performed(
            NodeWork work, PersistentVolume volume, String claimUid, Situation situation) {
        return situation
                .resultOf(AgentOperations.PERFORM)
                .flatMap(EffectResult::outcome)
                .map(outcome -> NodeIntent.format(work.judge(volume, outcome), claimUid));
    }

    private static Decision perform(NodeWork work, PersistentVolume volume, String claimUid, Situation situation) {
        if (!WorkNeeds.areKnown(volume, situation.caches())) {
            return Decision.nothing().waitingFor("what the work needs to know has not been read yet");
        }
        List<Effect> reads = work.proofs(volume);
        if (!PodVolumeResults.readLive(situation, reads)) {
            return held(Decision.nothing(), reads, situation);
        }
        Outcome<Effect.Perform> call = work.check(volume, claimUid, situation.caches());
        if (call.result().isEmpty()) {
            return write(work, volume, NodeIntent.format(call, claimUid), situation);
        }
        // The binder decides when to try again, by taking the result away: it has the back-off.
        return Decision.act(call.result().get());
    }

    private static Decision write(NodeWork work, PersistentVolume volume, String result, Situation situation) {
        PersistentVolume edited = volume.withMetadata(volume.metadata().withAnnotation(work.resultKey(), result));
        Effect write = new Effect.Update<>(
                AgentOperations.WRITE_RESULT, Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited));
        return held(Decision.remember(new Done(result)), List.of(write), situation);
    }

    private static Decision held(Decision decision, List<Effect> effects, Situation situation) {
        Optional<Duration> wait = effects.stream()
                .flatMap(effect -> situation.backoff(effect.operation()).stream())
                .max(Duration::compareTo);
        return wait.isPresent() ? decision.wakeAfter(wait.get()) : decision.and(effects);
    }
}
