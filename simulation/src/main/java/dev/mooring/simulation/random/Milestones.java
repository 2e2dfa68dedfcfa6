// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.ObjectWrite;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Takes down when what users wait for came to be: pods that run, claims that are bound, and what goes. Finds nothing wrong. */
final class Milestones implements Invariant {
    private final Map<String, Duration> reached = new TreeMap<>();

    /** When each was reached first, since the world's beginning. */
    Map<String, Duration> reached() {
        return reached;
    }

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        String name = write.key().name();
        Optional<? extends KubernetesObject> after = write.after();
        if (after.isEmpty()) {
            write.before().ifPresent(before -> note(world, nameOf(before, write) + " has gone"));
        } else if (after.get() instanceof Pod pod && pod.status().phase() == PodPhase.RUNNING) {
            note(world, name + " runs");
        } else if (after.get() instanceof PersistentVolumeClaim claim
                && claim.status().phase() == ClaimPhase.BOUND) {
            note(world, name + " is bound");
        }
    }

    private static String nameOf(KubernetesObject object, ObjectWrite<?> write) {
        String name = object instanceof VolumeAttachment slot
                ? slot.spec().source().persistentVolumeName().orElse("")
                : write.key().name();
        return name + " " + write.kind().name();
    }

    private void note(WorldView world, String what) {
        reached.putIfAbsent(what, world.elapsed());
    }
}
