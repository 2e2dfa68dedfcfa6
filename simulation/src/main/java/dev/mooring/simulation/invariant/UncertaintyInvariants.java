// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is not known is not assumed (semantics/attach-and-mount §7.7, S11): while a call hangs, nothing else is asked for in its place; and
 * what was asked to be undone counts as there until an answer says that it was undone, whatever the truth is.
 */
final class UncertaintyInvariants implements Invariant {
    /** What undoes what. */
    private static final Map<String, String> UNDOING =
            Map.of("attach", "detach", "stage", "unstage", "publish", "unpublish", "provision", "delete");

    private static final Set<String> ON_NODES = Set.of("attach", "detach", "stage", "unstage", "expand-on-node");
    private static final Set<String> MOUNTED = Set.of("stage", "unstage", "expand-on-node");
    private static final Set<String> STAGING = Set.of("stage", "unstage");
    private static final Set<String> FOR_PODS = Set.of("publish", "unpublish");
    private static final Set<String> STORAGE = Set.of("provision", "delete", "recycle", "expand", "modify");
    private static final String GROWTH = "expand-on-node";

    private final List<Call> hanging = new ArrayList<>();

    /** Undoing operations that were not answered, by what they undo. */
    private final Set<Undone> doubted = new HashSet<>();

    /** Calls before which nothing was in doubt. */
    private final Set<Call> first = Collections.newSetFromMap(new IdentityHashMap<>());

    private final ForcedDetachments forced;

    UncertaintyInvariants(ForcedDetachments forced) {
        this.forced = forced;
    }

    private record Undone(String operation, String volume, String node, String pod) {
        static Undone by(String operation, Call call) {
            return new Undone(operation, call.volume(), call.node(), VolumeFacts.podOf(call));
        }
    }

    // ---- calls ----

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (call instanceof OutsideCall) {
            return;
        }
        for (Call other : hanging) {
            boolean begunBefore = MOUNTED.contains(other.operation()) && isGoingOn(world, call);
            boolean grows = call.operation().equals(GROWTH) && mayGrowBeside(world, other);
            if (excludes(other, call) && !begunBefore && !grows) {
                findings.violated("S11", say(call) + " while " + say(other) + " has not ended");
            }
        }
        if (UNDOING.containsValue(call.operation()) && doubted.add(Undone.by(call.operation(), call))) {
            first.add(call);
        }
    }

    /**
     * Whether a detach was begun before, by force: that the machine is back does not end it. What our own controller does by force stands
     * on the attachment, so that the next one goes on with it.
     */
    private boolean isGoingOn(WorldView world, Call call) {
        return call.operation().equals("detach")
                && (doubted.contains(Undone.by("detach", call)) || isForced(world, call));
    }

    private boolean isForced(WorldView world, Call detach) {
        return forced.concern(world, detach) || ForcedDetachments.onRecord(world, detach);
    }

    /** An agent has what is attached to its machine, also if a controller attaches it once more; and it does not know of force. */
    private boolean mayGrowBeside(WorldView world, Call other) {
        return other.operation().equals("attach") || (other.operation().equals("detach") && isForced(world, other));
    }

    private static boolean excludes(Call one, Call other) {
        if (!one.volume().equals(other.volume()) || !one.node().equals(other.node())) {
            return false;
        }
        String old = one.operation();
        String now = other.operation();
        if (FOR_PODS.contains(old) && FOR_PODS.contains(now)) {
            return VolumeFacts.podOf(one).equals(VolumeFacts.podOf(other));
        }
        boolean attachedAnew = now.equals("attach") && MOUNTED.contains(old);
        boolean undoneAfterForce = now.equals("unstage") && (old.equals("detach") || old.equals("attach"));
        if (attachedAnew || undoneAfterForce) {
            return false; // another process's; an agent begins nothing new there before its own has ended, and undoes
            // what it has
        }
        return (ON_NODES.contains(old) && ON_NODES.contains(now))
                || (FOR_PODS.contains(old) && STAGING.contains(now))
                || (STAGING.contains(old) && FOR_PODS.contains(now))
                || (STORAGE.contains(old) && STORAGE.contains(now));
    }

    @Override
    public void answered(WorldView world, Call call, Optional<Outcome<?>> answer, Findings findings) {
        boolean begun = first.remove(call);
        if (answer.isEmpty()) {
            hanging.add(call);
        } else if (answer.get().isDone()) {
            String undoing = UNDOING.getOrDefault(call.operation(), call.operation());
            doubted.remove(Undone.by(undoing, call));
        } else if (begun && surelyNot(answer.get())) {
            doubted.remove(Undone.by(call.operation(), call));
        }
    }

    private static boolean surelyNot(Outcome<?> answer) {
        return answer.isWithoutEffect();
    }

    @Override
    public void ended(WorldView world, Call call, Findings findings) {
        hanging.removeIf(each -> each == call);
    }

    // ---- what is written of it ----

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.kind().equals(Kinds.NODE) && write.after().isEmpty()) {
            // What a machine had goes with it; a machine that takes its name begins again.
            doubted.removeIf(each ->
                    each.node().equals(write.key().name()) && !each.operation().equals("detach"));
        }
        if (!write.ours() || write.before().isEmpty()) {
            return;
        }
        if (write.before().get() instanceof VolumeAttachment slot
                && write.after().isEmpty()) {
            String volume = slot.spec().source().persistentVolumeName().orElse("");
            trusted("detach", volume, slot.spec().nodeName(), "its slot is given up", findings);
        } else if (write.before().get() instanceof PersistentVolume before) {
            volume(before, write, findings);
        } else if (write.before().get() instanceof Node before
                && write.after().isPresent()
                && write.after().get() instanceof Node after) {
            Set<String> left = new HashSet<>(before.status().volumesInUse());
            left.removeAll(after.status().volumesInUse());
            for (Undone each : List.copyOf(doubted)) {
                boolean unsaid = each.node().equals(write.key().name())
                        && world.everKnown(each.volume())
                                .filter(volume -> left.contains(VolumeFacts.reportedName(volume)))
                                .isPresent();
                if (unsaid) {
                    trusted("unstage", each.volume(), each.node(), "it is not said to be in use", findings);
                }
            }
        }
    }

    private void volume(PersistentVolume before, ObjectWrite<?> write, Findings findings) {
        boolean kept = write.after()
                .filter(after -> after.metadata().hasFinalizer(Finalizers.PV_CONTROLLER))
                .isPresent();
        boolean letGo = before.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                && !kept
                && before.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        if (letGo) {
            trusted("delete", VolumeFacts.name(before), "", "it is let go", findings);
        }
    }

    private void trusted(String operation, String volume, String node, String what, Findings findings) {
        boolean doubt = doubted.contains(new Undone(operation, volume, node, ""));
        findings.require(
                !doubt,
                "S11",
                what + ", though it is unknown whether " + operation + " of " + volume
                        + (node.isEmpty() ? "" : " on " + node) + " was done");
    }

    private static String say(Call call) {
        return call.operation() + " of " + call.volume() + (call.node().isEmpty() ? "" : " on " + call.node());
    }
}
