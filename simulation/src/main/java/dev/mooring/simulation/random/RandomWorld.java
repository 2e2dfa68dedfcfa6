// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.virtual.LivelockException;
import dev.mooring.simulation.world.ControlPlane;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One random world from its beginning to its end: some nodes and disks, users who make and delete pods, faults of calls and writes,
 * processes that die; then the faults end, and what is still wanted has to be there, and in the end nothing may be left.
 */
public final class RandomWorld {
    private static final Duration CALM = Duration.ofMinutes(30);

    private final long seed;
    private final SimulatedCluster cluster;
    private final SafetyWitness witness;
    private final WorldActs acts;
    private final List<Disk> disks;
    private final List<String> unsettled = new ArrayList<>();
    private int calls;

    private RandomWorld(long seed, ControlPlane plane) {
        Random random = new Random(seed);
        this.seed = seed;
        this.cluster = new SimulatedCluster(Kinds.standard(), plane, seed);
        this.disks = List.of(
                Disk.csi("alpha-single", "alpha", "ReadWriteOnce"),
                Disk.csi("alpha-pod", "alpha", "ReadWriteOncePod"),
                Disk.csi("beta-shared", "beta", "ReadWriteMany"),
                Disk.csi("beta-single", "beta", "ReadWriteOnce"),
                Disk.nfs("beta-export", "beta"));
        this.witness = new SafetyWitness(disks, cluster.store(), cluster.machines());
        this.acts = new WorldActs(cluster, disks, random);
    }

    /**
     * Plays a world.
     *
     * @param seed decides everything
     * @param plane the control plane
     * @param length how many acts
     */
    public static WorldReport play(long seed, ControlPlane plane, int length) {
        return new RandomWorld(seed, plane).play(length, true);
    }

    /** The same without the end: what comes to be when the faults are over is not looked at. */
    public static WorldReport playFaultsOnly(long seed, ControlPlane plane, int length) {
        return new RandomWorld(seed, plane).play(length, false);
    }

    private WorldReport play(int length, boolean toTheEnd) {
        cluster.show(witness);
        cluster.start();
        acts.begin();
        try {
            for (int i = 0; i < length; i++) {
                acts.act();
                look("after act " + i);
            }
            if (toTheEnd) {
                end();
            }
        } catch (LivelockException e) {
            unsettled.add(e.getMessage());
        }
        return new WorldReport(
                seed,
                acts.log(),
                witness.violations(),
                unsettled,
                cluster.trace().defects(),
                calls);
    }

    private void end() {
        acts.calm();
        cluster.advance(CALM);
        look("when calm");
        wantedIsThere();
        acts.deleteAllPods();
        cluster.advance(CALM);
        look("at the end");
        nothingIsLeft();
    }

    private void look(String moment) {
        witness.standing(moment);
        calls += cluster.trace().calls().size();
        List<String> defects = cluster.trace().defects();
        if (defects.isEmpty()) {
            cluster.trace().clear();
        }
    }

    /** L1, L3: every pod whose volume nobody else holds runs. */
    private void wantedIsThere() {
        for (Pod pod : pods()) {
            boolean waits = !pod.metadata().isDeleting() && WorldActs.pending(pod);
            if (waits && !acts.contended(pod, pods())) {
                unsettled.add(
                        "L3: pod " + ObjectKey.of(pod) + " on " + pod.spec().nodeName() + " does not run");
            }
            if (pod.metadata().isDeleting()) {
                unsettled.add("L3: pod " + ObjectKey.of(pod) + " does not go");
            }
        }
    }

    /** L2, S12: nothing attached, nothing mounted, nothing said to be. */
    private void nothingIsLeft() {
        for (Pod pod : pods()) {
            unsettled.add("S12: pod " + ObjectKey.of(pod) + " is left");
        }
        for (Disk disk : disks) {
            Set<String> attached = witness.truth().attached(disk.name());
            Set<String> mounted = witness.truth().mounted(disk.name());
            if (!attached.isEmpty() || !mounted.isEmpty()) {
                unsettled.add("L2: " + disk.name() + " is attached to " + attached + ", mounted on " + mounted);
            }
        }
        for (VolumeAttachment slot : cluster.store()
                .list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL)
                .orThrow()
                .items()) {
            unsettled.add(
                    "S12: " + slot.metadata().name() + " of " + slot.spec().nodeName() + " is left");
        }
        for (Node node :
                cluster.store().list(Kinds.NODE, ListOptions.ALL).orThrow().items()) {
            if (!node.status().volumesInUse().isEmpty()
                    || !node.status().volumesAttached().isEmpty()) {
                unsettled.add("S12: node " + node.metadata().name() + " has in use "
                        + node.status().volumesInUse() + ", attached "
                        + node.status().volumesAttached());
            }
        }
    }

    private List<Pod> pods() {
        return cluster.store().list(Kinds.POD, ListOptions.ALL).orThrow().items();
    }
}
