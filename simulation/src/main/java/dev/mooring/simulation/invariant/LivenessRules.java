// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Liveness of attaching and mounting (semantics/attach-and-mount §7.8, L1–L4, S12): once faults have ended, pods that can run do run,
 * objects that have to go have gone, and nothing unwanted is left attached, mounted or reported.
 */
final class LivenessRules implements Invariant {
    /** The volumes of claims that went, or whose volume went, while a pod that named them lived. */
    private final Map<Use, Set<String>> remembered = new HashMap<>();

    private record Use(String podUid, ObjectKey claim) {}

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        Optional<?> gone = write.after().isEmpty() ? write.before() : Optional.empty();
        if (gone.orElse(null) instanceof PersistentVolumeClaim claim) {
            remember(world, write.key(), volumesOf(world, claim));
        } else if (gone.orElse(null) instanceof PersistentVolume volume) {
            VolumeFacts.claimOf(volume)
                    .ifPresent(
                            claim -> remember(world, claim, Set.of(write.key().name())));
        }
    }

    private static Set<String> volumesOf(WorldView world, PersistentVolumeClaim claim) {
        Set<String> volumes = new HashSet<>();
        for (PersistentVolume volume : world.volumes()) {
            if (VolumeFacts.uidOf(volume).equals(claim.metadata().uid())) {
                volumes.add(VolumeFacts.name(volume));
            }
        }
        if (!claim.spec().volumeName().isEmpty()) {
            volumes.add(claim.spec().volumeName());
        }
        return volumes;
    }

    /** The volumes that say that they are a claim's, or that of another one of its name. */
    private static Set<String> claimedBy(WorldView world, ObjectKey claim) {
        Set<String> volumes = new HashSet<>();
        for (PersistentVolume volume : world.volumes()) {
            if (VolumeFacts.names(volume, claim)) {
                volumes.add(VolumeFacts.name(volume));
            }
        }
        return volumes;
    }

    @Override
    public void atRest(WorldView world, Findings findings) {
        Map<String, Set<String>> wanted = new HashMap<>();
        for (Pod pod : world.pods()) {
            if (VolumeFacts.lives(pod)) {
                for (String volume : named(world, pod)) {
                    wanted.computeIfAbsent(volume, name -> new HashSet<>())
                            .add(pod.spec().nodeName());
                }
            }
            pod(world, pod, findings);
        }
        world.volumes().forEach(volume -> {
            nothingIsLeft(world, volume, wanted, findings);
            oneWaitingPodGets(world, volume, findings);
            oneWaitingPodUses(world, volume, findings);
        });
        for (VolumeAttachment slot : world.attachments()) {
            String volume = slot.spec().source().persistentVolumeName().orElse("");
            boolean asked = volume.isEmpty()
                    || world.liedAbout(volume)
                    || wanted.getOrDefault(volume, Set.of())
                            .contains(slot.spec().nodeName());
            findings.require(
                    asked,
                    "S12",
                    "the slot of " + volume + " for " + slot.spec().nodeName() + " is left");
        }
        for (Node node : world.nodes()) {
            said(world, node, wanted, findings);
        }
    }

    /**
     * The volumes that a pod has or may yet want. What was once found for it stays wanted as long as it lives, whatever becomes of the
     * claim: that something is missing is no evidence that the pod has let go.
     */
    private Set<String> named(WorldView world, Pod pod) {
        Set<String> named = new HashSet<>();
        for (ObjectKey key : VolumeFacts.claimsOf(pod)) {
            Optional<PersistentVolumeClaim> claim = world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key);
            Optional<String> naming =
                    claim.map(each -> each.spec().volumeName()).filter(volume -> !volume.isEmpty());
            naming.ifPresent(named::add);
            if (naming.isEmpty()) { // the claim has gone, or is another one of its name
                named.addAll(claimedBy(world, key));
            }
            named.addAll(remembered(world, pod, key));
            // A user may have put another claim with another volume in its place: what counts is what the pod really
            // has.
            remembered.getOrDefault(new Use(pod.metadata().uid(), key), Set.of()).stream()
                    .filter(volume -> has(world, pod, volume))
                    .forEach(named::add);
        }
        for (PersistentVolume volume : world.volumes()) {
            String name = VolumeFacts.name(volume);
            if (has(world, pod, name)) {
                named.add(name);
            }
        }
        return named;
    }

    /** What was once found for a pod under the name of a claim, while that claim is bound to nothing. */
    private Set<String> remembered(WorldView world, Pod pod, ObjectKey claim) {
        return world.find(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                        .flatMap(each -> bound(world, each))
                        .isPresent()
                ? Set.of()
                : remembered.getOrDefault(new Use(pod.metadata().uid(), claim), Set.of());
    }

    private static Optional<PersistentVolume> bound(WorldView world, PersistentVolumeClaim claim) {
        return claim.status().phase() == ClaimPhase.BOUND ? VolumeFacts.volumeOf(world, claim) : Optional.empty();
    }

    private static boolean has(WorldView world, Pod pod, String volume) {
        return world.publishedTo(volume, pod.spec().nodeName())
                .contains(pod.metadata().uid());
    }

    /**
     * A claim, or the volume that it has, goes. The pods that name the claim and live keep what was found for them when both were there:
     * it stays attached as long as they live (§1.4), though later nothing may tell any more whose it was.
     */
    private void remember(WorldView world, ObjectKey claim, Set<String> volumes) {
        for (Pod pod : world.pods()) {
            if (VolumeFacts.lives(pod) && VolumeFacts.claimsOf(pod).contains(claim)) {
                remembered
                        .computeIfAbsent(new Use(pod.metadata().uid(), claim), use -> new HashSet<>())
                        .addAll(volumes);
            }
        }
    }

    private void pod(WorldView world, Pod pod, Findings findings) {
        String about = "pod " + ObjectKey.of(pod) + " on " + pod.spec().nodeName();
        List<PersistentVolume> volumes = VolumeFacts.volumesOf(world, pod);
        if (volumes.stream().anyMatch(volume -> world.liedAbout(VolumeFacts.name(volume)))) {
            return;
        }
        boolean orphan =
                world.find(Kinds.NODE, ObjectKey.cluster(pod.spec().nodeName())).isEmpty();
        boolean away = !orphan && !world.isUp(pod.spec().nodeName()); // §7.8 L4: what has been lost with its machine
        findings.require(!pod.metadata().isDeleting() || orphan || away, "L3", about + " does not go");
        boolean waits = !away && VolumeFacts.lives(pod) && pod.status().phase() == PodPhase.PENDING && !orphan;
        findings.require(!waits || !canRun(world, pod, volumes), "L3", about + " does not run");
    }

    private boolean canRun(WorldView world, Pod pod, List<PersistentVolume> volumes) {
        boolean whole = volumes.size() == VolumeFacts.claimsOf(pod).size()
                && VolumeFacts.claimsOf(pod).stream().allMatch(claim -> usable(world, claim))
                && world.claims().stream().noneMatch(claim -> VolumeFacts.isInTheWay(pod, claim));
        return whole
                && world.pods().stream()
                        .filter(other ->
                                !other.metadata().uid().equals(pod.metadata().uid()))
                        .filter(other -> !VolumeFacts.terminal(other))
                        .noneMatch(other -> contends(world, pod, other, volumes));
    }

    private static boolean usable(WorldView world, ObjectKey claim) {
        return world.find(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                .filter(found -> found.status().phase() == ClaimPhase.BOUND
                        && !found.metadata().isDeleting()
                        && found.metadata()
                                .annotation(Annotations.BIND_COMPLETED)
                                .isPresent())
                .flatMap(found -> VolumeFacts.volumeOf(world, found))
                .filter(volume -> !volume.metadata().isDeleting() && VolumeFacts.names(volume, claim))
                .isPresent();
    }

    private boolean contends(WorldView world, Pod pod, Pod other, List<PersistentVolume> volumes) {
        List<PersistentVolume> theirs = VolumeFacts.volumesOf(world, other);
        boolean elsewhere = !other.spec().nodeName().equals(pod.spec().nodeName());
        return volumes.stream()
                .filter(volume -> VolumeFacts.onePodOnly(volume) || (VolumeFacts.exclusive(volume) && elsewhere))
                .anyMatch(
                        volume -> theirs.contains(volume) || keeps(world, other, VolumeFacts.name(volume), elsewhere));
    }

    /**
     * Whether a pod has a volume that another claim has won meanwhile, since a user removed its claimRef, or the pod's claim. That
     * one is Lost or has gone, but nothing is torn from a pod that lives (S7), nor, as long as it lives, is what was found for it detached
     * from its node (§1.4); while that is so, no other pod may have it (S1, S9).
     */
    private boolean keeps(WorldView world, Pod other, String volume, boolean elsewhere) {
        String node = other.spec().nodeName();
        boolean attached = elsewhere && world.attachedTo(volume).contains(node);
        boolean lost = VolumeFacts.claimsOf(other).stream()
                .anyMatch(key -> remembered(world, other, key).contains(volume)
                        || world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                                .filter(claim -> claim.status().phase() == ClaimPhase.LOST
                                        && claim.spec().volumeName().equals(volume))
                                .isPresent());
        return (attached && lost && VolumeFacts.lives(other))
                || world.publishedTo(volume, node).contains(other.metadata().uid());
    }

    /** Of those who wait for a volume that only one of them can have, one gets it. */
    private static void oneWaitingPodGets(WorldView world, PersistentVolume volume, Findings findings) {
        String name = VolumeFacts.name(volume);
        if (world.liedAbout(name) || !VolumeFacts.attachable(world, volume) || !VolumeFacts.exclusive(volume)) {
            return;
        }
        boolean free = world.attachedTo(name).isEmpty()
                && world.mountedOn(name).isEmpty()
                && VolumeFacts.slots(world, name).isEmpty();
        findings.require(
                !free || world.pods().stream().noneMatch(pod -> awaits(world, pod, volume)),
                "L1",
                name + " is wanted and free, and attached nowhere");
    }

    /** Of the pods of a node that wait for a volume that only one of them can use, one does. */
    private static void oneWaitingPodUses(WorldView world, PersistentVolume volume, Findings findings) {
        String name = VolumeFacts.name(volume);
        boolean used = world.liedAbout(name)
                || !VolumeFacts.onePodOnly(volume)
                || world.nodes().stream()
                        .anyMatch(node ->
                                !world.publishedTo(name, node.metadata().name()).isEmpty());
        findings.require(
                used
                        || world.pods().stream()
                                .filter(pod -> VolumeFacts.claimsOf(pod).size() == 1)
                                .filter(pod -> !VolumeFacts.attachable(world, volume)
                                        || world.attachedTo(name)
                                                .contains(pod.spec().nodeName()))
                                .filter(pod -> world.isUp(pod.spec().nodeName()))
                                .noneMatch(pod -> awaits(world, pod, volume)),
                "L3",
                name + " is where it is wanted, and no pod uses it");
    }

    private static boolean awaits(WorldView world, Pod pod, PersistentVolume volume) {
        return VolumeFacts.lives(pod)
                && pod.status().phase() == PodPhase.PENDING
                && world.find(Kinds.NODE, ObjectKey.cluster(pod.spec().nodeName()))
                        .isPresent()
                && VolumeFacts.volumesOf(world, pod).contains(volume)
                && VolumeFacts.claimOf(volume)
                        .filter(claim -> usable(world, claim))
                        .flatMap(claim -> world.find(Kinds.PERSISTENT_VOLUME_CLAIM, claim))
                        .filter(claim -> !VolumeFacts.isInTheWay(pod, claim))
                        .isPresent();
    }

    private static void nothingIsLeft(
            WorldView world, PersistentVolume volume, Map<String, Set<String>> wanted, Findings findings) {
        String name = VolumeFacts.name(volume);
        if (world.liedAbout(name)) {
            return;
        }
        Set<String> nodes = wanted.getOrDefault(name, Set.of());
        Set<String> attached = world.attachedTo(name);
        attached.removeAll(nodes);
        findings.require(attached.isEmpty(), "L2", name + " is left attached to " + attached);
        Set<String> mounted = new HashSet<>(world.mountedOn(name));
        mounted.removeAll(nodes);
        findings.require(mounted.isEmpty(), "S12", name + " is left mounted on " + mounted);
    }

    private static void said(WorldView world, Node node, Map<String, Set<String>> wanted, Findings findings) {
        String where = node.metadata().name();
        for (PersistentVolume volume : world.volumes()) {
            boolean asked = world.liedAbout(VolumeFacts.name(volume))
                    || !VolumeFacts.attachable(world, volume)
                    || wanted.getOrDefault(VolumeFacts.name(volume), Set.of()).contains(where);
            findings.require(
                    asked || !VolumeFacts.inUse(volume, node) || !world.isUp(where),
                    "S12",
                    VolumeFacts.name(volume) + " is left in use on " + where);
            findings.require(
                    asked || !VolumeFacts.listed(volume, node),
                    "S12",
                    VolumeFacts.name(volume) + " is left listed on " + where);
        }
    }
}
