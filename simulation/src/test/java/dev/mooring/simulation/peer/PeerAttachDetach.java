// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The attach-detach controller of Kubernetes as semantics/attach-and-mount §1 describes it, for CSI volumes whose driver serves its calls
 * at once: a scan of everything every 100 ms, what is attached kept in memory, an uncertain attachment that blocks nobody, a detachment
 * forced after six minutes or by a taint alone, a verification that believes {@code status.attached}.
 *
 * <p>It is a model to be compared with, not to be used: unlike a real controller here it keeps its state beside the loop's.
 */
public final class PeerAttachDetach implements Controller {
    private static final Key LOOP = new Key("peer", ObjectKey.cluster("loop"));
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration FORCE_AFTER = Duration.ofMinutes(6);
    private static final Duration VERIFY_PERIOD = Duration.ofMinutes(1);
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(122);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final Map<String, Entry> actual = new TreeMap<>();
    private final Map<String, Operation> running = new LinkedHashMap<>();
    private final Map<String, Wait> waits = new TreeMap<>();
    private final Set<String> told = new TreeSet<>();
    private final Set<String> nodeWrites = new TreeSet<>();
    private boolean populated;
    private long sequence;
    private long verifiedNanos;
    private long scanned;

    /** A volume on a node, as far as this memory goes. */
    private static final class Entry {
        final Wanted what;
        boolean confirmed;
        boolean reported;
        long detachRequestedNanos = -1;

        Entry(Wanted what, boolean confirmed) {
            this.what = what;
            this.confirmed = confirmed;
            this.reported = confirmed;
        }
    }

    /** A volume that shall be on a node. */
    private record Wanted(String volume, String driver, String handle, String node, boolean many) {
        String key() {
            return volume + "@" + node;
        }

        String reportedName() {
            return "kubernetes.io/csi/" + driver + "^" + handle;
        }

        ObjectKey slot() {
            return ObjectKey.cluster(AttachmentNames.of(handle, driver, node));
        }

        /** Whether the driver's calls are made here: its name is one of a plugin. */
        boolean isServedHere() {
            return driver.equals(driver.toLowerCase(Locale.ROOT));
        }

        PluginName plugin() {
            return new PluginName(driver.toLowerCase(Locale.ROOT));
        }
    }

    /** An operation and where it stands. */
    private static final class Operation {
        final Wanted what;
        final boolean attach;
        final boolean safe;
        String step;

        Operation(Wanted what, boolean attach, boolean safe, String step) {
            this.what = what;
            this.attach = attach;
            this.safe = safe;
            this.step = step;
        }
    }

    private record Wait(String operation, Duration length, long untilNanos) {}

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
        situation.results().forEach(result -> learn(result, situation, effects));
        lookAtAttachers(situation, effects);
        Map<String, Wanted> desired = desired(situation.caches());
        verify(situation);
        detachPass(desired, situation);
        attachPass(desired, situation, effects);
        writeNodes(situation, effects);
        return Decision.act(effects.toArray(Effect[]::new)).wakeAfter(PERIOD);
    }

    // ---- start (§1.3) ----

    private void populate(Caches caches) {
        for (Node node : caches.of(Kinds.NODE).all()) {
            for (PersistentVolume volume : caches.of(Kinds.PERSISTENT_VOLUME).all()) {
                wanted(volume, node.metadata().name()).ifPresent(what -> {
                    boolean listed = node.status().volumesAttached().stream()
                            .anyMatch(entry -> entry.name().equals(what.reportedName()));
                    boolean slot =
                            caches.get(Kinds.VOLUME_ATTACHMENT, what.slot()).isPresent();
                    if (listed || slot) {
                        actual.put(what.key(), new Entry(what, listed));
                    }
                });
            }
        }
    }

    // ---- what is wanted (§1.4) ----

    private Map<String, Wanted> desired(Caches caches) {
        Map<String, Wanted> desired = new TreeMap<>();
        for (Pod pod : caches.of(Kinds.POD).all()) {
            if (terminated(pod) || pod.spec().nodeName().isEmpty()) {
                continue;
            }
            for (PodVolume volume : pod.spec().volumes()) {
                volume.persistentVolumeClaimName()
                        .flatMap(claim -> caches.get(
                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                ObjectKey.of(pod.metadata().namespace(), claim)))
                        .map(PersistentVolumeClaim::spec)
                        .flatMap(claim -> caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.volumeName())))
                        .flatMap(found -> wanted(found, pod.spec().nodeName()))
                        .ifPresent(what -> desired.put(what.key(), what));
            }
        }
        scanned += desired.size();
        return desired;
    }

    private static boolean terminated(Pod pod) {
        return pod.status().phase() == PodPhase.SUCCEEDED || pod.status().phase() == PodPhase.FAILED;
    }

    private static Optional<Wanted> wanted(PersistentVolume volume, String node) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .map(csi -> new Wanted(volume.metadata().name(), csi.driver(), csi.volumeHandle(), node, many(volume)));
    }

    private static boolean many(PersistentVolume volume) {
        return volume.spec().accessModes().stream()
                .anyMatch(mode -> mode == AccessMode.READ_WRITE_MANY || mode == AccessMode.READ_ONLY_MANY);
    }

    // ---- the passes (§1.7) ----

    private void detachPass(Map<String, Wanted> desired, Situation situation) {
        for (Entry entry : List.copyOf(actual.values())) {
            scanned++;
            if (desired.containsKey(entry.what.key()) || blocked(entry.what, "detach", situation)) {
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
            boolean inUse = node.filter(found -> found.status().volumesInUse().contains(entry.what.reportedName()))
                    .isPresent();
            if (inUse && !(expired && !healthy) && !outOfService) {
                continue;
            }
            entry.reported = false;
            running.put(entry.what.key(), new Operation(entry.what, false, !expired && !outOfService, "report"));
        }
    }

    private void attachPass(Map<String, Wanted> desired, Situation situation, List<Effect> effects) {
        for (Wanted what : desired.values()) {
            Entry entry = actual.get(what.key());
            if (entry != null && entry.confirmed) {
                entry.detachRequestedNanos = -1;
                continue;
            }
            if (blocked(what, "attach", situation)) {
                continue;
            }
            boolean elsewhere = actual.values().stream()
                    .anyMatch(other -> other.confirmed
                            && other.what.volume().equals(what.volume())
                            && !other.what.node().equals(what.node()));
            if (!what.many() && elsewhere) {
                tellMultiAttach(what, situation, effects);
                continue;
            }
            Operation operation = new Operation(what, true, true, "create");
            running.put(what.key(), operation);
            actual.putIfAbsent(what.key(), new Entry(what, false));
            effects.add(next(operation, situation));
        }
    }

    /** Whether an operation of the volume runs, or this one backs off (§2.2, §2.3). */
    private boolean blocked(Wanted what, String operation, Situation situation) {
        boolean busy = running.values().stream()
                .anyMatch(other -> other.what.volume().equals(what.volume())
                        && (!what.many() || other.what.node().equals(what.node())));
        Wait wait = waits.get(lock(what));
        if (wait != null && !wait.operation().equals(operation)) {
            waits.remove(lock(what));
            return busy;
        }
        return busy || (wait != null && situation.now().monotonicNanos() < wait.untilNanos());
    }

    private static String lock(Wanted what) {
        return what.many() ? what.key() : what.volume();
    }

    private void tellMultiAttach(Wanted what, Situation situation, List<Effect> effects) {
        if (!told.add(what.key())) {
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
        actual.values()
                .removeIf(entry -> entry.confirmed
                        && !running.containsKey(entry.what.key())
                        && situation
                                .caches()
                                .get(Kinds.VOLUME_ATTACHMENT, entry.what.slot())
                                .filter(slot -> slot.status().attached())
                                .isEmpty());
    }

    // ---- operations ----

    /** A driver that has an attacher of its own: its status decides, and an error of an earlier try fails this one (hole H17, §1.12). */
    private void lookAtAttachers(Situation situation, List<Effect> effects) {
        for (Operation operation : List.copyOf(running.values())) {
            Optional<VolumeAttachment> slot = situation.caches().get(Kinds.VOLUME_ATTACHMENT, operation.what.slot());
            if (operation.step.equals("await") && slot.isPresent()) {
                VolumeAttachmentStatus status = slot.get().status();
                if (status.attachError().isPresent()) {
                    fail(operation, situation);
                } else if (status.attached()) {
                    operation.step = "confirm";
                    advance(operation, situation, effects);
                }
            } else if (operation.step.equals("vanish") && slot.isEmpty()) {
                operation.step = "delete";
                advance(operation, situation, effects);
            }
        }
    }

    private Effect next(Operation operation, Situation situation) {
        Wanted what = operation.what;
        String name = operation.step + "|" + what.key() + "|" + sequence++;
        VolumeId id = new VolumeId(what.plugin(), what.handle());
        return switch (operation.step) {
            case "create" -> new Effect.Create<>(name, Kinds.VOLUME_ATTACHMENT, slot(what));
            case "attach" ->
                new Effect.Perform(
                        name,
                        new AttachCall(id.plugin(), what.volume(), spec(what, situation), new NodeRef(what.node(), "")),
                        Optional.empty(),
                        Duration.ofMinutes(2));
            case "confirm" -> {
                VolumeAttachment slot = situation
                        .caches()
                        .get(Kinds.VOLUME_ATTACHMENT, what.slot())
                        .orElseGet(() -> slot(what));
                yield new Effect.UpdateStatus<>(
                        name,
                        Kinds.VOLUME_ATTACHMENT,
                        new Change<>(slot, slot.withStatus(slot.status().withAttached(true))));
            }
            case "look" -> new Effect.Read<>(name, Kinds.NODE, ObjectKey.cluster(what.node()));
            case "detach" ->
                new Effect.Perform(
                        name,
                        new DetachCall(what.volume(), id, new NodeRef(what.node(), "")),
                        Optional.empty(),
                        Duration.ofMinutes(2));
            default -> new Effect.Delete<>(name, Kinds.VOLUME_ATTACHMENT, what.slot(), DeleteOptions.DEFAULT);
        };
    }

    private static VolumeAttachment slot(Wanted what) {
        return new VolumeAttachment(
                ObjectMeta.named(what.slot().name()),
                new VolumeAttachmentSpec(
                        what.driver(),
                        what.node(),
                        VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of(what.volume()))),
                VolumeAttachmentStatus.EMPTY);
    }

    private static VolumeSpec spec(Wanted what, Situation situation) {
        PersistentVolume volume = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(what.volume()))
                .orElseThrow();
        return new VolumeSpec(
                what.volume(),
                volume.metadata().uid(),
                volume.spec().source().orElseThrow(),
                volume.spec().accessModes(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());
    }

    private void learn(EffectResult result, Situation situation, List<Effect> effects) {
        String[] name = result.effect().operation().split("\\|", -1);
        if (name[0].equals("node")) {
            nodeWrites.remove(name[1]);
            return;
        }
        if (name.length < 2) {
            return;
        }
        Operation operation = running.get(name[1]);
        if (operation == null || !operation.step.equals(name[0])) {
            return;
        }
        boolean existed = result.storeFailure()
                .filter(failure -> failure.name().equals("ALREADY_EXISTS")
                        || failure.name().equals("NOT_FOUND"))
                .isPresent();
        boolean good = result.succeeded() || (existed && !operation.step.equals("confirm"));
        if (operation.step.equals("look")) {
            good = !situation
                    .caches()
                    .get(Kinds.NODE, ObjectKey.cluster(operation.what.node()))
                    .filter(node -> node.status().volumesInUse().contains(operation.what.reportedName()))
                    .isPresent();
        }
        if (good) {
            advance(operation, situation, effects);
        } else {
            fail(operation, situation);
        }
    }

    private void advance(Operation operation, Situation situation, List<Effect> effects) {
        boolean here = operation.what.isServedHere();
        String following = switch (operation.step) {
            case "create" -> here ? "attach" : "await";
            case "attach" -> "confirm";
            case "look" -> here ? "detach" : "delete";
            case "detach" -> "delete";
            case "delete" -> here || isGone(operation, situation) ? "" : "vanish";
            default -> "";
        };
        if (following.equals("await") || following.equals("vanish")) {
            // the next scan looks
            operation.step = following;
            return;
        }
        if (!following.isEmpty()) {
            operation.step = following;
            effects.add(next(operation, situation));
            return;
        }
        running.remove(operation.what.key());
        waits.remove(lock(operation.what));
        if (operation.attach) {
            Entry entry = new Entry(operation.what, true);
            actual.put(operation.what.key(), entry);
            told.remove(operation.what.key());
        } else {
            actual.remove(operation.what.key());
        }
    }

    private static boolean isGone(Operation operation, Situation situation) {
        return situation
                .caches()
                .get(Kinds.VOLUME_ATTACHMENT, operation.what.slot())
                .isEmpty();
    }

    private void fail(Operation operation, Situation situation) {
        running.remove(operation.what.key());
        Entry entry = actual.get(operation.what.key());
        if (entry != null) {
            entry.confirmed = false;
            entry.reported = false;
        }
        String kind = operation.attach ? "attach" : "detach";
        Wait before = waits.get(lock(operation.what));
        Duration length = before == null ? FIRST_WAIT : before.length().multipliedBy(2);
        if (length.compareTo(LONGEST_WAIT) > 0) {
            length = LONGEST_WAIT;
        }
        waits.put(lock(operation.what), new Wait(kind, length, situation.now().monotonicNanos() + length.toNanos()));
    }

    // ---- volumesAttached ----

    private void writeNodes(Situation situation, List<Effect> effects) {
        for (Node node : situation.caches().of(Kinds.NODE).all()) {
            String name = node.metadata().name();
            if (nodeWrites.contains(name)) {
                continue;
            }
            Set<String> wanted = new TreeSet<>();
            actual.values().stream()
                    .filter(entry -> entry.reported && entry.what.node().equals(name))
                    .forEach(entry -> wanted.add(entry.what.reportedName()));
            Set<String> there = new TreeSet<>();
            node.status().volumesAttached().forEach(entry -> there.add(entry.name()));
            if (!wanted.equals(there)) {
                nodeWrites.add(name);
                List<AttachedVolume> list = wanted.stream()
                        .map(each -> new AttachedVolume(each, ""))
                        .toList();
                effects.add(new Effect.UpdateStatus<>(
                        "node|" + name + "|" + sequence++,
                        Kinds.NODE,
                        new Change<>(node, node.withStatus(node.status().withVolumesAttached(list)))));
                continue;
            }
            startDetaching(name, situation, effects);
        }
        // a Node that is not there has nothing to be written (§1.7)
        for (Operation operation : List.copyOf(running.values())) {
            ObjectKey node = ObjectKey.cluster(operation.what.node());
            if (situation.caches().get(Kinds.NODE, node).isEmpty()) {
                startDetaching(node.name(), situation, effects);
            }
        }
    }

    private void startDetaching(String node, Situation situation, List<Effect> effects) {
        for (Operation operation : running.values()) {
            if (operation.step.equals("report") && operation.what.node().equals(node)) {
                operation.step = operation.safe ? "look" : operation.what.isServedHere() ? "detach" : "delete";
                effects.add(next(operation, situation));
            }
        }
    }
}
