// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Attachments whose deletion was asked for while their machine was down, or had the taint of a machine that is off
 * (semantics/attach-and-mount §1.11), or in the instant in which that ended: between the look at a Node and the request lies a moment. An
 * external attacher detaches when it comes to it, and the machine may then be back: that is not in our hands. What our own controller
 * detaches is judged by the evidence that it writes down. It finds nothing itself: other rules of the same world ask it.
 */
final class ForcedDetachments implements Invariant {
    private static final String EVIDENCE = "mooring.dev/detach-evidence";

    private final Set<String> uids = new HashSet<>();

    /** When nodes were last said to be off that are no more, in time since the world began. */
    private final Map<String, Duration> awayUntil = new HashMap<>();

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.before().isPresent() && write.before().get() instanceof Node before && isSaidToBeOff(before)) {
            awayUntil.put(before.metadata().name(), world.elapsed());
        }
        if (asksToDelete(write)
                && write.after().get() instanceof VolumeAttachment slot
                && !slot.metadata().hasFinalizer(Finalizers.ATTACHMENT)
                && isAway(world, slot.spec().nodeName())) {
            uids.add(slot.metadata().uid());
        }
    }

    /** Whether a write asks for the deletion of an object that is there. */
    static boolean asksToDelete(ObjectWrite<?> write) {
        return write.after().filter(after -> after.metadata().isDeleting()).isPresent()
                && write.before()
                        .filter(before -> !before.metadata().isDeleting())
                        .isPresent();
    }

    private boolean isAway(WorldView world, String node) {
        return !world.isUp(node)
                || world.elapsed().equals(awayUntil.get(node))
                || world.find(Kinds.NODE, ObjectKey.cluster(node))
                        .filter(ForcedDetachments::isSaidToBeOff)
                        .isPresent();
    }

    private static boolean isSaidToBeOff(Node node) {
        return !node.isReady() && node.hasOutOfServiceTaint();
    }

    /** Whether a call is about an attachment of our own controller on which the evidence stands by which it is forced away. */
    static boolean onRecord(WorldView world, Call call) {
        return VolumeFacts.slots(world, call.volume()).stream()
                .filter(slot -> slot.spec().nodeName().equals(call.node()))
                .anyMatch(slot -> slot.metadata().annotation(EVIDENCE).isPresent());
    }

    /** Whether a call is about such an attachment. */
    boolean concern(WorldView world, Call call) {
        return VolumeFacts.slots(world, call.volume()).stream()
                .filter(slot -> slot.spec().nodeName().equals(call.node()))
                .anyMatch(slot -> uids.contains(slot.metadata().uid()));
    }
}
