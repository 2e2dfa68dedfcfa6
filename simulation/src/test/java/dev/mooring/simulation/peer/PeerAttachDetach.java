// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.simulation.peer.AttachMemory.Entry;
import dev.mooring.simulation.peer.AttachMemory.Operation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The attach-detach controller of Kubernetes as semantics/attach-and-mount §1 describes it, for CSI volumes whose driver serves its calls
 * at once: a scan of everything every 100 ms, what is attached kept in memory, an uncertain attachment that blocks no node, a detachment
 * forced after six minutes or by a taint alone, a verification that believes {@code status.attached}.
 *
 * <p>It is a model to be compared with, not to be used: unlike a real controller here it keeps its state beside the loop's.
 */
public final class PeerAttachDetach implements Controller {
    private static final Key LOOP = new Key("peer", ObjectKey.cluster("loop"));
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration FORCE_AFTER = Duration.ofMinutes(6);
    private static final Duration VERIFY_PERIOD = Duration.ofMinutes(1);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final AttachMemory memory = new AttachMemory();
    private final AttachOperations operations = new AttachOperations(memory);
    private final Map<String, Map<String, Wanted>> wanted = new TreeMap<>();
    private final Map<String, Set<String>> inUse = new TreeMap<>();
    private final AttachedLists lists;
    private final Set<OldRule> old;
    private List<Entry> readBefore = List.of();
    private boolean populated;
    private long verifiedNanos;
    private long scanned;

    /** The controller of today. */
    public PeerAttachDetach() {
        this(Set.of());
    }

    /** The controller with rules that it had once. */
    public PeerAttachDetach(Set<OldRule> old) {
        this.old = old;
        this.lists = new AttachedLists(memory, operations, old);
    }

    /** How many entries were looked at by all scans so far. */
    public long scanned() {
        return scanned;
    }

    @Override
    public String name() {
        return "attach-detach";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(
                Kinds.POD,
                Kinds.NODE,
                Kinds.PERSISTENT_VOLUME,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.VOLUME_ATTACHMENT,
                Kinds.CSI_DRIVER);
    }

    @Override
    public void started(Mailbox mailbox) {
        mailbox.inputChanged(LOOP);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        // Nothing is done for an event; the scan finds it.
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        List<Effect> effects = new ArrayList<>();
        if (!populated) {
            populate(situation.caches());
            populated = true;
        }
        situation.results().forEach(result -> operations.learn(result, situation, effects));
        operations.lookAtAttachers(situation, effects);
        // what a Node that has gone said last stays known (hole H8)
        situation
                .caches()
                .of(Kinds.NODE)
                .all()
                .forEach(node -> inUse.put(
                        node.metadata().name(), Set.copyOf(node.status().volumesInUse())));
        Map<String, Wanted> desired = desired(situation.caches());
        verify(situation);
        detachPass(desired, situation);
        attachPass(desired, situation, effects);
        lists.write(situation, effects);
        return Decision.act(effects.toArray(Effect[]::new)).wakeAfter(PERIOD);
    }

    // ---- start (§1.3) ----

    private void populate(Caches caches) {
        for (Node node : caches.of(Kinds.NODE).all()) {
            for (PersistentVolume volume : caches.of(Kinds.PERSISTENT_VOLUME).all()) {
                Wanted.of(volume, node.metadata().name()).ifPresent(what -> {
                    boolean listed = node.status().volumesAttached().stream()
                            .anyMatch(entry -> entry.name().equals(what.reportedName()));
                    boolean slot =
                            caches.get(Kinds.VOLUME_ATTACHMENT, what.slot()).isPresent();
                    if (listed || slot) {
                        boolean believed = listed || old.contains(OldRule.WHAT_IS_FOUND_IS_ATTACHED);
                        memory.actual.put(what.key(), new Entry(what, believed));
                    }
                });
            }
        }
    }

    // ---- what is wanted (§1.4) ----

    /** What a pod was once seen to want is wanted as long as the pod is there, whatever becomes of its claim. */
    private Map<String, Wanted> desired(Caches caches) {
        Map<String, Wanted> desired = new TreeMap<>();
        Set<String> living = new TreeSet<>();
        for (Pod pod : caches.of(Kinds.POD).all()) {
            if (terminated(pod) || pod.spec().nodeName().isEmpty()) {
                continue;
            }
            String uid = pod.metadata().uid();
            living.add(uid);
            Map<String, Wanted> its = wanted.computeIfAbsent(uid, first -> new TreeMap<>());
            for (PodVolume volume : pod.spec().volumes()) {
                volume.persistentVolumeClaimName()
                        .flatMap(claim -> caches.get(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                ObjectKey.of(pod.metadata().namespace(), claim)))
                        .map(PersistentVolumeClaim::spec)
                        .flatMap(claim -> caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.volumeName())))
                        .flatMap(found -> Wanted.of(found, pod.spec().nodeName()))
                        .ifPresent(what -> its.put(what.key(), what));
            }
            its.values().stream()
                    .filter(what -> caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(what.volume()))
                            .isPresent())
                    .forEach(what -> desired.put(what.key(), what));
        }
        wanted.keySet().retainAll(living);
        scanned += desired.size();
        return desired;
    }

    private boolean terminated(Pod pod) {
        boolean ended =
                pod.status().phase() == PodPhase.SUCCEEDED || pod.status().phase() == PodPhase.FAILED;
        return ended && !old.contains(OldRule.PODS_THAT_ENDED_KEEP_VOLUMES);
    }

    // ---- the passes (§1.7) ----

    private void detachPass(Map<String, Wanted> desired, Situation situation) {
        List<Entry> read = List.copyOf(memory.actual.values());
        List<Entry> looked = old.contains(OldRule.WHAT_IS_ATTACHED_IS_READ_FIRST) ? readBefore : read;
        readBefore = read;
        for (Entry entry : looked) {
            scanned++;
            if (desired.containsKey(entry.what.key()) || memory.blocked(entry.what, "detach", situation)) {
                continue;
            }
            long now = situation.now().monotonicNanos();
            if (entry.detachRequestedNanos < 0) {
                entry.detachRequestedNanos = now;
            }
            Optional<Node> node = situation.caches().get(Kinds.NODE, ObjectKey.cluster(entry.what.node()));
            boolean healthy = node.filter(Node::isReady).isPresent();
            boolean expired = now - entry.detachRequestedNanos > FORCE_AFTER.toNanos();
            boolean outOfService = node.filter(found -> found.spec().taints().stream()
                            .anyMatch(taint -> taint.key().equals(OUT_OF_SERVICE)))
                    .isPresent();
            boolean used = inUse.getOrDefault(entry.what.node(), Set.of()).contains(entry.what.reportedName())
                    && !old.contains(OldRule.THE_NODE_IS_NOT_ASKED);
            if (used && !(expired && !healthy) && !outOfService) {
                continue;
            }
            entry.reported = false;
            memory.running.put(entry.what.key(), new Operation(entry.what, false, !expired && !outOfService, "report"));
        }
    }

    private void attachPass(Map<String, Wanted> desired, Situation situation, List<Effect> effects) {
        for (Wanted what : desired.values()) {
            Entry entry = memory.actual.get(what.key());
            if (entry != null && entry.confirmed) {
                entry.detachRequestedNanos = -1;
                continue;
            }
            if (memory.blocked(what, "attach", situation)) {
                continue;
            }
            boolean elsewhere = memory.actual.values().stream()
                    .anyMatch(other -> other.confirmed
                            && other.what.volume().equals(what.volume())
                            && !other.what.node().equals(what.node()));
            if (!what.many() && elsewhere) {
                tellMultiAttach(what, situation, effects);
                continue;
            }
            Operation operation = new Operation(what, true, true, "create");
            memory.running.put(what.key(), operation);
            memory.actual.putIfAbsent(what.key(), new Entry(what, false));
            effects.add(operations.next(operation, situation));
        }
    }

    private void tellMultiAttach(Wanted what, Situation situation, List<Effect> effects) {
        if (!memory.told.add(what.key())) {
            return;
        }
        for (Pod pod : situation.caches().of(Kinds.POD).all()) {
            if (pod.spec().nodeName().equals(what.node())) {
                effects.add(Announcement.warning(
                        Kinds.POD,
                        pod,
                        "FailedAttachVolume",
                        "Multi-Attach error for volume \"" + what.volume() + "\"",
                        "attachdetach-controller"));
            }
        }
    }

    /** Believes {@code status.attached} and forgets what is said not to be attached (hole H2). */
    private void verify(Situation situation) {
        long now = situation.now().monotonicNanos();
        if (now - verifiedNanos < VERIFY_PERIOD.toNanos()) {
            return;
        }
        verifiedNanos = now;
        memory.actual
                .values()
                .removeIf(entry -> entry.confirmed
                        && !memory.running.containsKey(entry.what.key())
                        && situation
                                .caches()
                                .get(Kinds.VOLUME_ATTACHMENT, entry.what.slot())
                                .filter(slot -> slot.status().attached())
                                .isEmpty());
    }
}
