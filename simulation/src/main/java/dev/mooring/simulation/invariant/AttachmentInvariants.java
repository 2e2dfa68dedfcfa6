// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.volumemanager.calls.PublishCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The safety invariants of attaching and mounting (semantics/attach-and-mount §7.7): every call is compared with what is really attached
 * and mounted, and what stands in the objects with what is true.
 */
final class AttachmentInvariants implements Invariant {

    /** What was listed on a node and has not stood there unlisted and unused since. */
    private final Set<String> unproven = new HashSet<>();

    /** Uids of attachments whose deletion was asked for when they were seen unused: an external attacher acts on that later. */
    private final Set<String> handedOver = new HashSet<>();

    private final ForcedDetachments forced;

    AttachmentInvariants(ForcedDetachments forced) {
        this.forced = forced;
    }

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        Optional<PersistentVolume> known = world.everKnown(call.volume());
        if (known.isEmpty()) {
            return;
        }
        PersistentVolume volume = known.get();
        switch (call.operation()) {
            case "attach" -> attach(world, volume, call, findings);
            case "detach" -> detach(world, volume, call, findings);
            case "stage" -> use(world, volume, call, findings);
            case "publish" -> {
                use(world, volume, call, findings);
                publish(world, volume, call, findings);
            }
            case "unpublish" -> unpublish(world, call, findings);
            case "unstage" ->
                findings.require(
                        world.publishedTo(call.volume(), call.node()).isEmpty(), "S8", say(call) + " under a pod");
            default -> {
                // not about attaching and mounting
            }
        }
    }

    private static void attach(WorldView world, PersistentVolume volume, Call call, Findings findings) {
        Set<String> others = world.attachedTo(call.volume());
        others.remove(call.node());
        boolean alone = !VolumeFacts.exclusive(volume) || others.isEmpty() || world.liedAbout(call.volume());
        findings.require(alone, "S1", say(call) + " while on " + others);
        List<VolumeAttachment> slots = VolumeFacts.slots(world, call.volume());
        boolean own = slots.stream().anyMatch(slot -> slot.spec().nodeName().equals(call.node()));
        findings.require(own, "S3-intent", say(call) + " without a slot");
    }

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.kind().equals(Kinds.NODE) && write.after().isEmpty()) {
            // A Node that has gone uses nothing; a Node that takes its name begins again.
            unproven.removeIf(pair -> pair.endsWith(" " + write.key().name()));
        }
        if (write.after().isPresent() && write.after().get() instanceof Node node) {
            String where = " " + node.metadata().name();
            Set<String> listed = new HashSet<>();
            node.status().volumesAttached().forEach(entry -> listed.add(entry.name() + where));
            unproven.removeIf(pair -> pair.endsWith(where)
                    && !listed.contains(pair)
                    && node.status().volumesInUse().stream().noneMatch(name -> pair.equals(name + where)));
            unproven.addAll(listed);
        }
        if (write.after().isPresent() && write.after().get() instanceof VolumeAttachment slot) {
            if (ForcedDetachments.asksToDelete(write) && seenUnused(world, slot)) {
                handedOver.add(slot.metadata().uid());
            }
        }
    }

    private boolean seenUnused(WorldView world, VolumeAttachment slot) {
        return slot.spec()
                .source()
                .persistentVolumeName()
                .flatMap(world::everKnown)
                .filter(volume -> unproven.contains(
                        VolumeFacts.reportedName(volume) + " " + slot.spec().nodeName()))
                .isEmpty();
    }

    private void detach(WorldView world, PersistentVolume volume, Call call, Findings findings) {
        boolean mounted = world.mountedOn(call.volume()).contains(call.node());
        findings.require(!mounted || !world.isUp(call.node()), "S2", say(call) + " under a mount");
        boolean listed = node(world, call.node())
                .filter(node -> VolumeFacts.listed(volume, node))
                .isPresent();
        findings.require(!listed, "S3", say(call) + " while it is listed there");
        boolean evident = forced.concern(world, call)
                || ForcedDetachments.onRecord(world, call)
                || VolumeFacts.slots(world, call.volume()).stream()
                        .filter(slot -> slot.spec().nodeName().equals(call.node()))
                        .anyMatch(slot -> handedOver.contains(slot.metadata().uid()));
        boolean proven = evident || !unproven.contains(VolumeFacts.reportedName(volume) + " " + call.node());
        findings.require(proven || !world.isUp(call.node()), "S3", say(call) + " that was never seen unused there");
    }

    private void use(WorldView world, PersistentVolume volume, Call call, Findings findings) {
        if (!VolumeFacts.attachable(world, volume)) {
            return;
        }
        Optional<Node> node = node(world, call.node());
        findings.require(
                node.filter(found -> VolumeFacts.inUse(volume, found)).isPresent(), "S4", say(call) + ": not in use");
        // The node reads its list after it has said that the volume is in use; what the controller takes from the list
        // after
        // that waits until the node lets go.
        findings.require(
                unproven.contains(VolumeFacts.reportedName(volume) + " " + call.node()),
                "S4",
                say(call) + ": never listed as attached since it is in use");
        boolean believed = world.liedAbout(call.volume());
        findings.require(
                believed || world.attachedTo(call.volume()).contains(call.node()),
                "S4",
                say(call) + ": really not attached");
        Set<String> others = alive(world, world.mountedOn(call.volume()));
        others.remove(call.node());
        findings.require(
                believed || !VolumeFacts.exclusive(volume) || others.isEmpty(),
                "S1-writer",
                say(call) + " while mounted on " + others);
    }

    private static void publish(WorldView world, PersistentVolume volume, Call call, Findings findings) {
        boolean staged = !VolumeFacts.staged(volume)
                || world.liedAbout(call.volume())
                || world.stagedOn(call.volume(), call.node());
        findings.require(staged, "S10", say(call) + " without being staged");
        if (call instanceof PublishCall publish
                && VolumeFacts.onlyReads(world, publish.request().pod().uid(), volume)) {
            findings.require(publish.request().readOnly(), "S18", say(call) + " for writing to a pod that only reads");
        }
        if (VolumeFacts.onePodOnly(volume) && !world.liedAbout(call.volume())) {
            Set<String> pods = world.publishedTo(call.volume(), call.node());
            pods.remove(VolumeFacts.podOf(call));
            findings.require(pods.isEmpty(), "S9", say(call) + " while published to " + pods);
        }
    }

    private static void unpublish(WorldView world, Call call, Findings findings) {
        String uid = VolumeFacts.podOf(call);
        if (!world.publishedTo(call.volume(), call.node()).contains(uid)) {
            return;
        }
        boolean lives =
                world.pods().stream().anyMatch(pod -> pod.metadata().uid().equals(uid) && VolumeFacts.lives(pod));
        findings.require(!lives, "S7", say(call) + " taken from a living pod");
    }

    @Override
    public void step(WorldView world, Findings findings) {
        Map<String, Set<String>> slotted = new HashMap<>();
        Map<String, Set<String>> confirmed = new HashMap<>();
        for (VolumeAttachment slot : world.attachments()) {
            slot.spec().source().persistentVolumeName().ifPresent(volume -> {
                slotted.computeIfAbsent(volume, name -> new TreeSet<>())
                        .add(slot.spec().nodeName());
                if (slot.status().attached()) {
                    confirmed
                            .computeIfAbsent(volume, name -> new HashSet<>())
                            .add(slot.spec().nodeName());
                }
            });
        }
        for (PersistentVolume volume : world.volumes()) {
            if (VolumeFacts.attachable(world, volume)) {
                standing(
                        world,
                        volume,
                        slotted.getOrDefault(VolumeFacts.name(volume), Set.of()),
                        confirmed.getOrDefault(VolumeFacts.name(volume), Set.of()),
                        findings);
            }
        }
    }

    private static void standing(
            WorldView world, PersistentVolume volume, Set<String> slots, Set<String> confirmed, Findings findings) {
        String name = VolumeFacts.name(volume);
        boolean believed = world.liedAbout(name);
        Set<String> mounted = alive(world, world.mountedOn(name));
        // Texts are made only of what is wrong: this is asked after every effect.
        if (VolumeFacts.exclusive(volume)) {
            Set<String> attached = world.attachedTo(name);
            if (!believed && attached.size() > 1) {
                findings.violated("S1", name + " is attached to " + attached);
            }
            if (!believed && mounted.size() > 1) {
                findings.violated("S1-writer", name + " is mounted on " + mounted);
            }
            if (slots.size() > 1) {
                findings.violated("S1-slots", name + " has slots for " + slots);
            }
        }
        String reported = VolumeFacts.reportedName(volume);
        for (Node node : world.nodes()) {
            String where = node.metadata().name();
            if (!believed
                    && mounted.contains(where)
                    && !node.status().volumesInUse().contains(reported)) {
                findings.violated("S5", name + " is mounted on " + where + " unsaid");
            }
            if (!confirmed.contains(where) && VolumeFacts.lists(node, reported)) {
                findings.violated("S6", name + " is listed on " + where + " unconfirmed");
            }
        }
    }

    private static Set<String> alive(WorldView world, Set<String> nodes) {
        Set<String> alive = new TreeSet<>(nodes);
        alive.removeIf(node -> !world.isUp(node));
        return alive;
    }

    private static Optional<Node> node(WorldView world, String name) {
        return world.find(Kinds.NODE, ObjectKey.cluster(name));
    }

    private static String say(Call call) {
        return call.operation() + " of " + call.volume() + " on " + call.node();
    }
}
