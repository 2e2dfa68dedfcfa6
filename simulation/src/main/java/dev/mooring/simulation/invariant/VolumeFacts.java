// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the rules need to know of volumes and pods, read from the objects; written without a look at how the controllers read them. */
final class VolumeFacts {
    private VolumeFacts() {}

    /** Whether a volume is staged on a node before pods there get it. */
    static boolean staged(PersistentVolume volume) {
        return volume.spec().source().flatMap(CsiSource::of).isPresent();
    }

    /** Whether a volume has to be attached: those of a driver, unless its CSIDriver says that it attaches nothing. */
    static boolean attachable(WorldView world, PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .filter(csi -> world.find(Kinds.CSI_DRIVER, ObjectKey.cluster(csi.driver()))
                        .flatMap(driver -> driver.spec().attachRequired())
                        .orElse(true))
                .isPresent();
    }

    /** Whether only one node may have it. */
    static boolean exclusive(PersistentVolume volume) {
        List<AccessMode> modes = volume.spec().accessModes();
        return !modes.contains(AccessMode.READ_WRITE_MANY) && !modes.contains(AccessMode.READ_ONLY_MANY);
    }

    /** Whether only one pod may have it. */
    static boolean onePodOnly(PersistentVolume volume) {
        return volume.spec().accessModes().equals(List.of(AccessMode.READ_WRITE_ONCE_POD));
    }

    /** How a Node's status calls it. */
    static String reportedName(PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .map(CsiSource::nameOnNodes)
                .orElse("");
    }

    static boolean inUse(PersistentVolume volume, Node node) {
        return node.status().volumesInUse().contains(reportedName(volume));
    }

    static boolean listed(PersistentVolume volume, Node node) {
        return lists(node, reportedName(volume));
    }

    /** Whether a Node's status lists a volume, by the name that it has there, as attached. */
    static boolean lists(Node node, String reportedName) {
        for (AttachedVolume entry : node.status().volumesAttached()) {
            if (entry.name().equals(reportedName)) {
                return true;
            }
        }
        return false;
    }

    static List<VolumeAttachment> slots(WorldView world, String volume) {
        List<VolumeAttachment> slots = new ArrayList<>();
        for (VolumeAttachment slot : world.attachments()) {
            if (slot.spec().source().persistentVolumeName().equals(Optional.of(volume))) {
                slots.add(slot);
            }
        }
        return slots;
    }

    /** Whether a pod has come to its end. */
    static boolean terminal(Pod pod) {
        PodPhase phase = pod.status().phase();
        return phase == PodPhase.SUCCEEDED || phase == PodPhase.FAILED;
    }

    /** Whether containers of a pod may run, or may yet start. */
    static boolean lives(Pod pod) {
        return !pod.metadata().isDeleting() && !terminal(pod);
    }

    /** The claims that a pod names, those of its ephemeral volumes among them. */
    static List<ObjectKey> claimsOf(Pod pod) {
        List<ObjectKey> claims = new ArrayList<>();
        pod.spec()
                .volumes()
                .forEach(volume -> volume.claimName(pod.metadata().name())
                        .ifPresent(
                                name -> claims.add(ObjectKey.of(pod.metadata().namespace(), name))));
        return claims;
    }

    /** The claims of a pod's ephemeral volumes, whosever they are. */
    static List<ObjectKey> ephemeralClaimsOf(Pod pod) {
        List<ObjectKey> claims = claimsOf(pod);
        pod.spec()
                .volumes()
                .forEach(volume -> volume.persistentVolumeClaimName()
                        .ifPresent(name ->
                                claims.remove(ObjectKey.of(pod.metadata().namespace(), name))));
        return claims;
    }

    /** Whether a claim was made for a pod. */
    static boolean isMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return claim.metadata().ownerReferences().stream()
                .anyMatch(owner ->
                        owner.controller() && owner.uid().equals(pod.metadata().uid()));
    }

    /** Whether a claim has a name that an ephemeral volume of a pod needs, and was not made for that pod: to the pod it is no claim. */
    static boolean isInTheWay(Pod pod, PersistentVolumeClaim claim) {
        return ephemeralClaimsOf(pod).contains(ObjectKey.of(claim)) && !isMadeFor(pod, claim);
    }

    /** Whether a pod, wherever it names the claim of a volume, asks only to read. */
    static boolean onlyReads(WorldView world, String pod, PersistentVolume volume) {
        Optional<String> claim = volume.spec().claimRef().map(ref -> ref.name());
        return claim.isPresent()
                && world.pods().stream()
                        .filter(each -> each.metadata().uid().equals(pod))
                        .anyMatch(each -> each.spec().volumes().stream()
                                .filter(named ->
                                        named.claimName(each.metadata().name()).equals(claim))
                                .map(PodVolume::claimReadOnly)
                                .reduce(Boolean::logicalAnd)
                                .orElse(false));
    }

    /** The volumes that a pod may use: those of its claims that are bound, both ways. */
    static List<PersistentVolume> volumesOf(WorldView world, Pod pod) {
        List<PersistentVolume> volumes = new ArrayList<>();
        for (ObjectKey key : claimsOf(pod)) {
            world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key)
                    .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                    .flatMap(claim -> volumeOf(world, claim))
                    .ifPresent(volumes::add);
        }
        return volumes;
    }

    /** Of {@link #volumesOf}, those that a container of the pod mounts or has as a device, all if it shows none: others it does not get. */
    static List<PersistentVolume> volumesInContainersOf(WorldView world, Pod pod) {
        List<Container> containers = pod.spec().allContainers();
        if (containers.isEmpty()) {
            return volumesOf(world, pod);
        }
        Set<String> used = new HashSet<>();
        for (Container container : containers) {
            container.volumeMounts().forEach(mount -> used.add(mount.name()));
            container.volumeDevices().forEach(device -> used.add(device.name()));
        }
        Set<ObjectKey> claims = new HashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (used.contains(volume.name())) {
                volume.claimName(pod.metadata().name())
                        .ifPresent(
                                name -> claims.add(ObjectKey.of(pod.metadata().namespace(), name)));
            }
        }
        List<PersistentVolume> volumes = volumesOf(world, pod);
        volumes.removeIf(volume -> volume.spec()
                .claimRef()
                .filter(ref -> claims.contains(ObjectKey.of(ref.namespace(), ref.name())))
                .isEmpty());
        return volumes;
    }

    /** The volume of a claim, if it is claimed by it. */
    static Optional<PersistentVolume> volumeOf(WorldView world, PersistentVolumeClaim claim) {
        return world.find(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .filter(volume -> uidOf(volume).equals(claim.metadata().uid()));
    }

    /** The class of attributes that a claim names, if there is one of that name for a driver. */
    static Optional<String> attributesFor(WorldView world, PersistentVolumeClaim claim, Optional<String> driver) {
        return claim.spec()
                .volumeAttributesClassName()
                .filter(name -> world.find(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(name))
                        .filter(found -> Optional.of(found.driverName()).equals(driver))
                        .isPresent());
    }

    /** The name of the claim that a volume says it is for, whether or not it is the very claim that has the name now. */
    static Optional<ObjectKey> claimOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }

    /** Whether a volume says that it is for a claim of this name. */
    static boolean names(PersistentVolume volume, ObjectKey claim) {
        return claimOf(volume).filter(claim::equals).isPresent();
    }

    /** The uid of the claim by which a volume is claimed; empty if none. */
    static String uidOf(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ref.uid()).orElse("");
    }

    /** The uid of the pod of a publish or unpublish call; empty for others. */
    static String podOf(Call call) {
        if (call instanceof PublishCall publish) {
            return publish.request().pod().uid();
        }
        return call instanceof UnpublishCall unpublish
                ? unpublish.record().pod().uid()
                : "";
    }

    static String name(PersistentVolume volume) {
        return volume.metadata().name();
    }
}
