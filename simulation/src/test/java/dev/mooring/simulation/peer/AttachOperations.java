// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.peer;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.simulation.peer.AttachMemory.Entry;
import dev.mooring.simulation.peer.AttachMemory.Operation;
import dev.mooring.simulation.peer.AttachMemory.Wait;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the peer attaches and detaches one volume (semantics/attach-and-mount §1.12, §2). */
final class AttachOperations {
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(122);
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(7);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final AttachMemory memory;

    AttachOperations(AttachMemory memory) {
        this.memory = memory;
    }

    /** A driver that has an attacher of its own: its status decides, and an error of an earlier try fails this one (hole H17, §1.12). */
    void lookAtAttachers(Situation situation, List<Effect> effects) {
        for (Operation operation : List.copyOf(memory.running.values())) {
            Optional<VolumeAttachment> slot = situation.caches().get(Kinds.VOLUME_ATTACHMENT, operation.what.slot());
            boolean waits = operation.step.equals("await") || operation.step.equals("vanish");
            if (waits && !isTime(operation, situation.now().monotonicNanos())) {
                continue;
            }
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
            } else if (waits && situation.now().monotonicNanos() - operation.begunNanos > LIMIT.toNanos()) {
                fail(operation, situation);
            }
        }
    }

    /** The cache is asked after sleeps that grow, first after half a second (PR 97834). */
    private static boolean isTime(Operation operation, long now) {
        if (now < operation.nextLookNanos) {
            return false;
        }
        Duration longer = operation.sleep.multipliedBy(105).dividedBy(100);
        operation.sleep = longer.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : longer;
        operation.nextLookNanos = now + operation.sleep.toNanos();
        return true;
    }

    Effect next(Operation operation, Situation situation) {
        Wanted what = operation.what;
        String name = operation.step + "|" + what.key() + "|" + memory.next();
        VolumeId id = new VolumeId(what.plugin(), what.handle());
        return switch (operation.step) {
            case "create" -> new Effect.Create<>(name, Kinds.VOLUME_ATTACHMENT, what.newSlot());
            case "attach" ->
                new Effect.Perform(
                        name,
                        new AttachCall(
                                id.plugin(),
                                what.volume(),
                                what.spec(situation.caches()),
                                new NodeRef(what.node(), ""),
                                ""),
                        Optional.empty(),
                        Duration.ofMinutes(2));
            case "confirm" -> {
                VolumeAttachment slot = situation
                        .caches()
                        .get(Kinds.VOLUME_ATTACHMENT, what.slot())
                        .orElseGet(what::newSlot);
                yield new Effect.UpdateStatus<>(
                        name,
                        Kinds.VOLUME_ATTACHMENT,
                        new Change<>(slot, slot.withStatus(slot.status().withAttached(true))));
            }
            case "look" -> new Effect.Read<>(name, Kinds.NODE, ObjectKey.cluster(what.node()));
            case "detach" ->
                new Effect.Perform(
                        name,
                        new DetachCall(what.volume(), id, new NodeRef(what.node(), ""), ""),
                        Optional.empty(),
                        Duration.ofMinutes(2));
            default -> new Effect.Delete<>(name, Kinds.VOLUME_ATTACHMENT, what.slot(), DeleteOptions.DEFAULT);
        };
    }

    void learn(EffectResult result, Situation situation, List<Effect> effects) {
        String[] name = result.effect().operation().split("\\|", -1);
        if (name[0].equals("node")) {
            memory.nodeWrites.remove(name[1]);
            return;
        }
        if (name.length < 2) {
            return;
        }
        Operation operation = memory.running.get(name[1]);
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
            operation.step = following;
            operation.begunNanos = situation.now().monotonicNanos();
            operation.nextLookNanos = operation.begunNanos + operation.sleep.toNanos();
            return;
        }
        if (!following.isEmpty()) {
            operation.step = following;
            effects.add(next(operation, situation));
            return;
        }
        memory.running.remove(operation.what.key());
        memory.waits.remove(operation.what.lock());
        if (operation.attach) {
            Entry entry = new Entry(operation.what, true);
            memory.actual.put(operation.what.key(), entry);
            memory.told.remove(operation.what.key());
        } else {
            memory.actual.remove(operation.what.key());
        }
    }

    private static boolean isGone(Operation operation, Situation situation) {
        return situation
                .caches()
                .get(Kinds.VOLUME_ATTACHMENT, operation.what.slot())
                .isEmpty();
    }

    private void fail(Operation operation, Situation situation) {
        memory.running.remove(operation.what.key());
        Entry entry = memory.actual.get(operation.what.key());
        if (entry != null) {
            entry.confirmed = false;
            entry.reported = false;
        }
        String kind = operation.attach ? "attach" : "detach";
        Wait before = memory.waits.get(operation.what.lock());
        Duration length = before == null ? FIRST_WAIT : before.length().multipliedBy(2);
        if (length.compareTo(LONGEST_WAIT) > 0) {
            length = LONGEST_WAIT;
        }
        long until = situation.now().monotonicNanos() + length.toNanos();
        memory.waits.put(operation.what.lock(), new Wait(kind, length, until));
    }
}
