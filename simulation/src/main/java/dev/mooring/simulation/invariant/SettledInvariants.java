// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold of claims and volumes once nothing is left to do, whatever happened before (semantics/binder §7.1). */
final class SettledInvariants implements Invariant {
    private static final List<String> OURS =
            List.of(Finalizers.PVC_PROTECTION, Finalizers.PROVISIONING, Finalizers.PV_CONTROLLER);

    /** Claims from which a user removed the mark of a finished bind by hand. */
    private final Set<String> unmarked = new HashSet<>();

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.client().equals("user")
                && write.before().orElse(null) instanceof PersistentVolumeClaim before
                && write.after().orElse(null) instanceof PersistentVolumeClaim after
                && isMarked(before)
                && !isMarked(after)) {
            unmarked.add(after.metadata().uid());
        }
    }

    @Override
    public void atRest(WorldView world, Findings findings) {
        Map<String, PersistentVolumeClaim> byUid = new HashMap<>();
        world.claims().forEach(claim -> byUid.put(claim.metadata().uid(), claim));
        world.claims().forEach(claim -> claim(world, claim, findings));
        world.volumes().forEach(volume -> volume(volume, byUid, findings));
        nothingIsShared(world, findings);
        noClaimWaitsForFreeVolume(world, findings);
        nothingStaysDeleting(world, byUid, findings);
        storageIsMade(world, findings);
    }

    private void claim(WorldView world, PersistentVolumeClaim claim, Findings findings) {
        Optional<PersistentVolume> volume = world.find(
                Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()));
        boolean own = VolumeFacts.volumeOf(world, claim).isPresent();
        if (claim.status().phase() != ClaimPhase.BOUND || isUntied(claim, own)) {
            return;
        }
        findings.require(
                !claim.metadata().hasFinalizer(Finalizers.PROVISIONING),
                "D15-open",
                say(claim) + " is Bound, and storage may still be made for it");
        findings.require(own, "I1", say(claim) + " is Bound to a volume that is not its own");
        findings.require(
                volume.filter(found -> found.status().phase() == PersistentVolumePhase.BOUND)
                        .isPresent(),
                "I1",
                say(claim) + " is Bound and its volume is not");
        findings.require(
                claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent(),
                "I1",
                say(claim) + " is Bound without a mark");
    }

    /**
     * Whether a user removed the mark of a finished bind (§1.4 V6); of a claim that is being deleted, also the volume: a claim that goes is
     * not bound any more.
     */
    private boolean isUntied(PersistentVolumeClaim claim, boolean own) {
        return !isMarked(claim)
                && (claim.metadata().annotation(Annotations.BOUND_BY_CONTROLLER).isPresent()
                        || (claim.metadata().isDeleting()
                                && !own
                                && unmarked.contains(claim.metadata().uid())));
    }

    private static boolean isMarked(PersistentVolumeClaim claim) {
        return claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
    }

    private static void volume(PersistentVolume volume, Map<String, PersistentVolumeClaim> byUid, Findings findings) {
        Optional<PersistentVolumeClaim> owner = Optional.ofNullable(byUid.get(VolumeFacts.uidOf(volume)));
        boolean follows = owner.filter(claim -> claim.spec().volumeName().equals(VolumeFacts.name(volume)))
                .isPresent();
        findings.require(
                follows || volume.status().phase() != PersistentVolumePhase.BOUND,
                "I2",
                say(volume) + " is Bound to a claim that is not its own");
        boolean waits = owner.filter(claim -> claim.spec().volumeName().isEmpty())
                .filter(claim -> mayStayBehind(volume, claim))
                .isPresent();
        findings.require(
                follows || waits || owner.isEmpty(),
                "I2",
                say(volume) + " does not follow the claim that it is claimed by");
    }

    /**
     * What people can do between the first write of a bind and the second: a volume that they make too small, or take an access mode from,
     * waits until it serves the claim again; one that was made for the claim, and that they delete, waits for the claim to go, as
     * upstream's does.
     */
    private static boolean mayStayBehind(PersistentVolume volume, PersistentVolumeClaim claim) {
        boolean made = volume.metadata().annotation(Annotations.PROVISIONED_BY).isPresent();
        return !Fitting.serves(volume, claim) || (made && volume.metadata().isDeleting());
    }

    /** A claim whose annotation bind-completed a user removed is not bound, though it may go on showing that it is (§1.4 V6). */
    private static void nothingIsShared(WorldView world, Findings findings) {
        Set<String> named = new HashSet<>();
        for (PersistentVolumeClaim claim : world.claims()) {
            boolean bound = claim.status().phase() == ClaimPhase.BOUND
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
            findings.require(!bound || named.add(claim.spec().volumeName()), "I1", say(claim) + " shares its volume");
        }
        Set<String> uids = new HashSet<>();
        for (PersistentVolume volume : world.volumes()) {
            String uid = VolumeFacts.uidOf(volume);
            findings.require(uid.isEmpty() || uids.add(uid), "I2", say(volume) + " is claimed by a claim that has one");
        }
    }

    private static void noClaimWaitsForFreeVolume(WorldView world, Findings findings) {
        for (PersistentVolumeClaim claim : world.claims()) {
            boolean waits = claim.status().phase() == ClaimPhase.PENDING
                    && claim.spec().volumeName().isEmpty()
                    && !claim.metadata().isDeleting()
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isEmpty()
                    && claim.metadata().annotation(Annotations.SELECTED_NODE).isEmpty()
                    && !waitsForConsumer(world, claim);
            if (waits) {
                world.volumes().stream()
                        .filter(volume -> volume.spec().claimRef().isEmpty() && Fitting.fits(volume, claim))
                        .findFirst()
                        .ifPresent(volume ->
                                findings.violated("I6", say(claim) + " waits, and " + say(volume) + " is free"));
            }
        }
    }

    private static boolean waitsForConsumer(WorldView world, PersistentVolumeClaim claim) {
        return classOf(world, claim)
                .filter(found ->
                        found.volumeBindingMode().equals(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)))
                .isPresent();
    }

    /** A claim that asks for new storage, and for which no volume stands yet, gets it: by us, or by a program that we have asked. */
    private static void storageIsMade(WorldView world, Findings findings) {
        for (PersistentVolumeClaim claim : world.claims()) {
            boolean asks = claim.status().phase() == ClaimPhase.PENDING
                    && claim.spec().volumeName().isEmpty()
                    && !claim.metadata().isDeleting()
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isEmpty()
                    && classOf(world, claim).isPresent()
                    && !waitsForConsumer(world, claim)
                    && !waitsForAttributes(world, claim);
            boolean stands = world.volumes().stream().anyMatch(volume -> standsFor(volume, claim));
            findings.require(
                    !asks || stands, "L-provision", say(claim) + " waits for storage that no provisioner makes");
        }
    }

    /** Storage is not made without the attributes that the claim names: there has to be that class, for the plugin that would make it. */
    private static boolean waitsForAttributes(WorldView world, PersistentVolumeClaim claim) {
        Optional<String> provisioner = classOf(world, claim).map(StorageClass::provisioner);
        return AttributesClasses.nameOf(claim).isPresent()
                && VolumeFacts.attributesFor(world, claim, provisioner).isEmpty();
    }

    private static Optional<StorageClass> classOf(WorldView world, PersistentVolumeClaim claim) {
        return claim.spec()
                .storageClassName()
                .flatMap(name -> world.find(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)));
    }

    /** What was made for a claim is not made again while it is there, also if a user removes the claimRef and deletes the claim. */
    private static boolean standsFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return VolumeFacts.name(volume).equals("pvc-" + claim.metadata().uid())
                || VolumeFacts.names(volume, ObjectKey.of(claim));
    }

    private static void nothingStaysDeleting(
            WorldView world, Map<String, PersistentVolumeClaim> byUid, Findings findings) {
        for (PersistentVolumeClaim claim : world.claims()) {
            boolean used = world.pods().stream()
                    .anyMatch(pod -> VolumeFacts.claimsOf(pod).contains(ObjectKey.of(claim))
                            && !VolumeFacts.isInTheWay(pod, claim));
            boolean protectedOnly = OURS.containsAll(claim.metadata().finalizers());
            findings.require(
                    !claim.metadata().isDeleting() || !protectedOnly || used,
                    "L-delete",
                    say(claim) + " does not go, though no pod names it");
        }
        for (PersistentVolume volume : world.volumes()) {
            boolean protectedOnly = volume.metadata().finalizers().equals(List.of(Finalizers.PV_PROTECTION));
            findings.require(
                    !volume.metadata().isDeleting()
                            || !protectedOnly
                            || byUid.containsKey(VolumeFacts.uidOf(volume))
                            || isToBeEmptiedFirst(world, volume),
                    "L-delete",
                    say(volume) + " does not go, though no claim has it");
        }
    }

    /** Whether it may be half emptied, and pods that live and name its claim, which has gone, hold up the next try. */
    private static boolean isToBeEmptiedFirst(WorldView world, PersistentVolume volume) {
        return volume.metadata().annotation(Annotations.RECLAIMING).isPresent()
                && VolumeFacts.claimOf(volume)
                        .filter(claim -> world.pods().stream()
                                .anyMatch(pod -> VolumeFacts.lives(pod)
                                        && VolumeFacts.claimsOf(pod).contains(claim)))
                        .isPresent();
    }

    private static String say(PersistentVolume volume) {
        return "volume " + VolumeFacts.name(volume);
    }

    private static String say(PersistentVolumeClaim claim) {
        return "claim " + claim.metadata().namespace() + "/" + claim.metadata().name();
    }
}
