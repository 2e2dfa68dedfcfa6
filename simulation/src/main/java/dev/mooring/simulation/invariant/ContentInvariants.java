// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.PublishCall;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is on a volume. No file system is made over data (semantics/attach-and-mount §7.7, S16). And as the whole of what protection,
 * reclaiming and binding are for: what the pods of a claim have written is there as long as the claim has the volume ({@code DATA-lost}),
 * and no other claim's pods are shown it ({@code DATA-shown}). A pod that is given a volume for writing writes.
 *
 * <p>Who takes a claim out of a volume by hand, or writes a volume object by hand, has the say about what is there: he may mean the data
 * for the next user, who may mean it to go. That excuses what happens to what was written until then, and what a call does to the
 * storage that was already under way and cannot be called back (docs/operate/known-gaps.md).
 */
final class ContentInvariants implements Invariant {
    /** By volume: which claims have written, by uid, and what they wrote on. */
    private final Map<String, Map<String, Long>> written = new HashMap<>();

    /** By volume: the claims, by uid, whose data a user handles by hand. */
    private final Map<String, Set<String>> givenUp = new HashMap<>();

    /** The calls that empty or destroy storage and have not ended. */
    private final Set<Call> erasing = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Those of them during which a user has handled the volume by hand. */
    private final Set<Call> overruled = Collections.newSetFromMap(new IdentityHashMap<>());

    @Override
    public void formatting(
            WorldView world, Call call, boolean surelyNothing, Optional<String> held, Findings findings) {
        String what = "a file system is made on " + call.volume() + " on " + call.node();
        findings.require(surelyNothing, "S16", what + ", and no look at it was sure that nothing is there");
        findings.require(held.isEmpty(), "S16", what + ", over " + held.orElse("nothing"));
        Optional<PersistentVolume> volume = world.everKnown(call.volume());
        if (volume.isEmpty() || world.liedAbout(call.volume())) {
            return;
        }
        Set<String> attached = world.attachedTo(call.volume());
        boolean there = !VolumeFacts.attachable(world, volume.get()) || attached.contains(call.node());
        findings.require(there, "S16", what + ", where it is not attached");
        Set<String> others = new TreeSet<>(world.mountedOn(call.volume()));
        others.removeIf(node -> node.equals(call.node()) || !world.isUp(node));
        findings.require(others.isEmpty(), "S16", what + " while it is mounted on " + others);
    }

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (!write.client().equals("user") || !write.kind().equals(Kinds.PERSISTENT_VOLUME)) {
            return;
        }
        String before = write.before()
                .map(PersistentVolume.class::cast)
                .map(VolumeFacts::uidOf)
                .orElse("");
        String after = write.after()
                .map(PersistentVolume.class::cast)
                .map(VolumeFacts::uidOf)
                .orElse("");
        if (write.before().isEmpty() || !before.equals(after)) {
            String volume = write.key().name();
            Set<String> given = givenUp.computeIfAbsent(volume, name -> new HashSet<>());
            given.add(before);
            given.addAll(written.getOrDefault(volume, Map.of()).keySet());
            erasing.stream().filter(call -> call.volume().equals(volume)).forEach(overruled::add);
        }
    }

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (erases(call)) {
            erasing.add(call);
        }
    }

    @Override
    public void answered(WorldView world, Call call, Optional<Outcome<?>> answer, Findings findings) {
        if (answer.isPresent()) {
            erasing.remove(call);
        }
    }

    @Override
    public void ended(WorldView world, Call call, Findings findings) {
        erasing.remove(call);
    }

    private static boolean erases(Call call) {
        return call.operation().equals("delete") || call.operation().equals("recycle");
    }

    @Override
    public void called(WorldView world, Call call, boolean applied, Findings findings) {
        if (!applied || world.liedAbout(call.volume())) {
            return;
        }
        switch (call.operation()) {
            case "publish" -> {
                if (call instanceof PublishCall publish) {
                    published(world, publish, findings);
                }
            }
            case "delete", "recycle" -> erased(world, call, findings);
            default -> {
                // leaves what is there, or is seen by who is shown it next
            }
        }
    }

    private void published(WorldView world, PublishCall call, Findings findings) {
        String volume = call.volume();
        Optional<PersistentVolumeClaim> claim =
                claimOf(world, volume, call.request().pod().uid());
        if (claim.isEmpty()) {
            return;
        }
        String uid = claim.get().metadata().uid();
        long content = world.contentOf(volume);
        Map<String, Long> writers = written.computeIfAbsent(volume, name -> new HashMap<>());
        Set<String> given = givenUp.getOrDefault(volume, Set.of());
        if (given.contains(uid)) {
            return; // its pods keep what they have, whichever claim has the volume next
        }
        String to = volume + " on " + call.node() + " to a pod of " + ObjectKey.of(claim.get());
        writers.forEach((writer, wrote) -> {
            if (given.contains(writer)) {
                return;
            }
            if (writer.equals(uid)) {
                findings.require(wrote == content, "DATA-lost", to + ": what its pods wrote has gone");
            } else {
                findings.require(
                        wrote != content, "DATA-shown", to + ": it holds what pods of claim " + writer + " wrote");
            }
        });
        if (!call.request().readOnly()) {
            writers.put(uid, content);
        }
    }

    /** The claim by which a pod has a volume: of the claims that name it the claim that has it, or else a claim that is shown as bound. */
    private static Optional<PersistentVolumeClaim> claimOf(WorldView world, String volume, String pod) {
        String owner = world.everKnown(volume).map(VolumeFacts::uidOf).orElse("");
        Optional<PersistentVolumeClaim> found = Optional.empty();
        for (Pod each : world.pods()) {
            if (!each.metadata().uid().equals(pod)) {
                continue;
            }
            for (ObjectKey key : VolumeFacts.claimsOf(each)) {
                Optional<PersistentVolumeClaim> claim = world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                        .filter(named -> named.spec().volumeName().equals(volume));
                if (claim.filter(named -> named.metadata().uid().equals(owner)).isPresent()) {
                    return claim;
                }
                found = found.or(() -> claim.filter(named -> named.status().phase() == ClaimPhase.BOUND));
            }
        }
        return found;
    }

    /** A claim that has the volume, and whose deletion was not asked for, has what its pods wrote there. */
    private void erased(WorldView world, Call call, Findings findings) {
        Map<String, Long> writers = written.getOrDefault(call.volume(), Map.of());
        if (writers.isEmpty() || overruled.contains(call)) {
            return;
        }
        world.everKnown(call.volume())
                .flatMap(volume -> volume.spec().claimRef())
                .flatMap(ref -> world.find(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                        .filter(claim -> claim.metadata().uid().equals(ref.uid())))
                .filter(claim -> claim.spec().volumeName().equals(call.volume()))
                .filter(claim -> !claim.metadata().isDeleting())
                .filter(claim -> writers.containsKey(claim.metadata().uid()))
                .filter(claim -> !givenUp.getOrDefault(call.volume(), Set.of())
                        .contains(claim.metadata().uid()))
                .ifPresent(claim -> findings.violated(
                        "DATA-lost",
                        call.operation() + " of " + call.volume() + " under claim " + ObjectKey.of(claim)));
    }
}
