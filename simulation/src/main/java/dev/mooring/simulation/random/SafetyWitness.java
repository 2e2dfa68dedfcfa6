// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.world.CallWitness;
import dev.mooring.simulation.world.Machines;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares every call with what is really attached and mounted, by the safety invariants (semantics/attach-and-mount §7.7). It knows
 * the truth and reads the store itself; it believes no controller.
 */
final class SafetyWitness implements CallWitness {
    private final Map<String, Disk> disks = new LinkedHashMap<>();
    private final ClusterStore store;
    private final Machines machines;
    private final Truth truth = new Truth();
    private final List<String> violations = new ArrayList<>();

    SafetyWitness(List<Disk> disks, ClusterStore store, Machines machines) {
        disks.forEach(disk -> this.disks.put(disk.name(), disk));
        this.store = store;
        this.machines = machines;
    }

    Truth truth() {
        return truth;
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public void issued(Call call) {
        Disk disk = disks.get(call.volume());
        if (disk == null) {
            return;
        }
        switch (call.operation()) {
            case "attach" -> attach(disk, call.node());
            case "detach" -> detach(disk, call.node());
            case "stage" -> use(disk, call);
            case "publish" -> {
                use(disk, call);
                publish(disk, call);
            }
            case "unpublish" -> unpublish(disk, call);
            case "unstage" -> unstage(disk, call.node());
            default -> {
                // not about attaching and mounting
            }
        }
    }

    @Override
    public void ended(Call call, boolean applied, boolean hangs) {
        if (applied) {
            truth.apply(call);
        }
        Disk disk = disks.get(call.volume());
        if (disk != null) {
            standing(disk, say(call));
        }
    }

    @Override
    public void machineDied(String node) {
        truth.machineDied(node);
    }

    /** What holds at every moment. */
    void standing(String moment) {
        disks.values().forEach(disk -> standing(disk, moment));
    }

    private void standing(Disk disk, String moment) {
        if (!disk.attachable()) {
            return;
        }
        check(!disk.exclusive() || truth.attached(disk.name()).size() <= 1, "S1", disk, moment);
        check(!disk.exclusive() || aliveOf(truth.mounted(disk.name())).size() <= 1, "S1'", disk, moment);
        for (String name : aliveOf(truth.mounted(disk.name()))) {
            check(node(name).filter(node -> inUse(disk, node)).isPresent(), "S5 on " + name, disk, moment);
        }
        List<VolumeAttachment> slots = slots(disk);
        check(!disk.exclusive() || slots.size() <= 1, "S1 (slots " + slots.size() + ")", disk, moment);
        for (Node node : store.list(Kinds.NODE, ListOptions.ALL).orThrow().items()) {
            boolean confirmed = slots.stream()
                    .anyMatch(slot ->
                            slot.spec().nodeName().equals(node.metadata().name())
                                    && slot.status().attached());
            check(!attached(disk, node) || confirmed, "S6 on " + node.metadata().name(), disk, moment);
        }
    }

    private static String say(Call call) {
        return call.operation() + " on " + call.node();
    }

    private void attach(Disk disk, String node) {
        Set<String> others = new TreeSet<>(truth.attached(disk.name()));
        others.remove(node);
        check(!disk.exclusive() || others.isEmpty(), "S1: attach to " + node + " while on " + others, disk, "attach");
    }

    private void detach(Disk disk, String node) {
        boolean mounted = truth.mounted(disk.name()).contains(node);
        check(!mounted || !machines.isUp(node), "S2: detach under a mount on " + node, disk, "detach");
        check(
                node(node).filter(found -> attached(disk, found)).isEmpty(),
                "S3: still listed on " + node,
                disk,
                "detach");
    }

    private void use(Disk disk, Call call) {
        if (!disk.attachable()) {
            return;
        }
        Optional<Node> node = node(call.node());
        check(node.filter(found -> inUse(disk, found)).isPresent(), "S4: not in use", disk, say(call));
        check(node.filter(found -> attached(disk, found)).isPresent(), "S4: not attached", disk, say(call));
        check(truth.attached(disk.name()).contains(call.node()), "S4: really not attached", disk, say(call));
        Set<String> others = aliveOf(truth.mounted(disk.name()));
        others.remove(call.node());
        check(!disk.exclusive() || others.isEmpty(), "S1': mounted on " + others, disk, say(call));
    }

    private void publish(Disk disk, Call call) {
        check(
                !disk.attachable() || truth.staged(disk.name(), call.node()),
                "S10: published without being staged",
                disk,
                say(call));
        if (disk.onePodOnly()) {
            Set<String> pods = new TreeSet<>(truth.published(disk.name(), call.node()));
            pods.remove(Truth.podOf(call));
            check(pods.isEmpty(), "S9: published to " + pods, disk, say(call));
        }
    }

    private void unpublish(Disk disk, Call call) {
        String uid = Truth.podOf(call);
        if (!truth.published(disk.name(), call.node()).contains(uid)) {
            return;
        }
        boolean lives = store.list(Kinds.POD, ListOptions.ALL).orThrow().items().stream()
                .anyMatch(pod -> pod.metadata().uid().equals(uid) && lives(pod));
        check(!lives, "S7: taken from a living pod", disk, say(call));
    }

    private static boolean lives(Pod pod) {
        return !pod.metadata().isDeleting() && !WorldActs.terminal(pod);
    }

    private void unstage(Disk disk, String node) {
        check(truth.published(disk.name(), node).isEmpty(), "S8: unstaged under a pod on " + node, disk, "unstage");
    }

    private Set<String> aliveOf(Set<String> nodes) {
        Set<String> alive = new TreeSet<>(nodes);
        alive.removeIf(node -> !machines.isUp(node));
        return alive;
    }

    private Optional<Node> node(String name) {
        return store.get(Kinds.NODE, ObjectKey.cluster(name)).value();
    }

    private static boolean inUse(Disk disk, Node node) {
        return node.status().volumesInUse().contains(disk.reportedName());
    }

    private static boolean attached(Disk disk, Node node) {
        return node.status().volumesAttached().stream()
                .anyMatch(entry -> entry.name().equals(disk.reportedName()));
    }

    private List<VolumeAttachment> slots(Disk disk) {
        return store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items().stream()
                .filter(slot -> slot.spec().source().persistentVolumeName().equals(Optional.of(disk.name())))
                .toList();
    }

    private void check(boolean holds, String rule, Disk disk, String moment) {
        if (!holds) {
            violations.add(rule + ": " + disk.name() + " at " + moment);
        }
    }
}
