// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Claims and volumes do not go while they are used (semantics/binder §3.1, §3.2), storage that was made does not get lost (§1.10, §1.13),
 * and a pod runs only with its volumes.
 */
final class ProtectionRules implements Invariant {
    private final Map<String, String> made = new HashMap<>();

    /** Volumes whose storage another program has made, and has to destroy. */
    private final Set<String> foreign = new HashSet<>();

    /**
     * Objects from which a user removed finalizers by hand, or which he let go during their deletion. What becomes of them is his doing.
     */
    private final Set<String> bared = new HashSet<>();

    /** Claims for which storage was being made when a user removed by hand the mark that says so. */
    private final Set<String> disowned = new HashSet<>();

    /** Volumes whose storage a user has just asked to destroy, and about which the controllers have written nothing since. */
    private final Set<String> doomed = new HashSet<>();

    /** Volumes that were let go when no claim had them, and that something else keeps: a claim that is bound to one then is too late. */
    private final Set<String> released = new HashSet<>();

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.before().isEmpty()) {
            return; // what is new has nothing to lose
        }
        write.after().ifPresent(after -> noteRelease(world, after));
        KubernetesObject before = write.before().get();
        if (write.after().isEmpty()) {
            if (write.client().equals("user") && before.metadata().isDeleting()) {
                lastLetGo(before); // it goes with what kept it
            }
            went(world, before, findings);
        } else if (write.client().equals("user")) {
            changedByHand(before, write.after().get());
        } else if (write.ours()) {
            changedByUs(world, before, write.after().get(), findings);
        }
    }

    private void noteRelease(WorldView world, KubernetesObject after) {
        if (after instanceof PersistentVolume volume
                && volume.metadata().isDeleting()
                && !volume.metadata().hasFinalizer(Finalizers.PV_PROTECTION)
                && !isHad(world, volume)) {
            released.add(volume.metadata().uid());
        }
    }

    private void went(WorldView world, KubernetesObject object, Findings findings) {
        if (bared.contains(object.metadata().uid())) {
            return;
        }
        if (object instanceof PersistentVolumeClaim claim) {
            claimWent(world, claim, findings);
        } else if (object instanceof PersistentVolume volume) {
            volumeWent(world, volume, findings);
        }
    }

    private void changedByHand(KubernetesObject before, KubernetesObject after) {
        String uid = after.metadata().uid();
        if (before instanceof PersistentVolume was && after instanceof PersistentVolume is && becomesDelete(was, is)) {
            doomed.add(uid);
        }
        boolean tooSoon = doomed.contains(uid)
                && after.metadata().isDeleting()
                && !before.metadata().isDeleting();
        if (!after.metadata().finalizers().containsAll(before.metadata().finalizers())
                || isLetGo(before, after)
                || tooSoon) {
            bared.add(uid);
        }
    }

    private void lastLetGo(KubernetesObject before) {
        bared.add(before.metadata().uid());
        if (before.metadata().hasFinalizer(Finalizers.PROVISIONING)) {
            disowned.add(before.metadata().uid());
        }
    }

    private static boolean becomesDelete(PersistentVolume was, PersistentVolume is) {
        return was.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.DELETE
                && is.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
    }

    private void changedByUs(WorldView world, KubernetesObject before, KubernetesObject after, Findings findings) {
        doomed.remove(after.metadata().uid());
        if (before instanceof PersistentVolume volume) {
            boolean letGo = volume.metadata().hasFinalizer(Finalizers.EXTERNAL_PROVISIONER)
                    && !after.metadata().hasFinalizer(Finalizers.EXTERNAL_PROVISIONER);
            findings.require(
                    !letGo || !foreign.contains(VolumeFacts.name(volume)),
                    "D6-finalizer",
                    "volume " + VolumeFacts.name(volume) + " loses its finalizer to a controller that does not own it");
        } else if (before instanceof Pod was
                && after instanceof Pod is
                && was.status().phase() != PodPhase.RUNNING
                && is.status().phase() == PodPhase.RUNNING) {
            runs(world, is, findings);
        }
    }

    /**
     * Of a volume that is being deleted: its storage was asked to be destroyed, for which no finalizer can be set any more, or is freed.
     */
    private static boolean isLetGo(KubernetesObject before, KubernetesObject after) {
        if (!(before instanceof PersistentVolume was
                && after instanceof PersistentVolume is
                && was.metadata().isDeleting())) {
            return false;
        }
        boolean toBeDestroyed = was.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.DELETE
                && is.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        boolean freed =
                was.spec().claimRef().isPresent() && is.spec().claimRef().isEmpty();
        return toBeDestroyed || freed;
    }

    private static void claimWent(WorldView world, PersistentVolumeClaim claim, Findings findings) {
        String volume = claim.spec().volumeName();
        for (Pod pod : world.pods()) {
            boolean names = VolumeFacts.claimsOf(pod).contains(ObjectKey.of(claim));
            boolean has = names
                    && VolumeFacts.lives(pod)
                    && world.publishedTo(volume, pod.spec().nodeName())
                            .contains(pod.metadata().uid());
            findings.require(!has, "PP", "claim " + ObjectKey.of(claim) + " went under pod " + ObjectKey.of(pod));
        }
    }

    /** D9: that the claim exists, and has no other volume, counts; not which phase is shown. */
    private static boolean isHad(WorldView world, PersistentVolume volume) {
        return world.claims().stream()
                .anyMatch(claim -> (claim.spec().volumeName().isEmpty()
                                || claim.spec().volumeName().equals(VolumeFacts.name(volume)))
                        && claim.metadata().uid().equals(VolumeFacts.uidOf(volume))
                        && VolumeFacts.names(volume, ObjectKey.of(claim)));
    }

    private void volumeWent(WorldView world, PersistentVolume volume, Findings findings) {
        boolean had =
                isHad(world, volume) && !released.contains(volume.metadata().uid());
        findings.require(!had, "PP", "volume " + VolumeFacts.name(volume) + " went under its claim");
        boolean leaks = made.containsKey(VolumeFacts.name(volume))
                && volume.metadata().annotation(Annotations.PROVISIONED_BY).isPresent()
                && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        findings.require(!leaks, "D15-leak", "volume " + VolumeFacts.name(volume) + " went before its storage");
    }

    private static void runs(WorldView world, Pod pod, Findings findings) {
        for (PersistentVolume volume : VolumeFacts.volumesInContainersOf(world, pod)) {
            String name = VolumeFacts.name(volume);
            boolean has = world.liedAbout(name)
                    || world.publishedTo(name, pod.spec().nodeName())
                            .contains(pod.metadata().uid());
            findings.require(has, "L3-early", "pod " + ObjectKey.of(pod) + " runs without " + name);
        }
    }

    @Override
    public void called(WorldView world, Call call, boolean applied, Findings findings) {
        if (applied && call instanceof ProvisionCall provision) {
            made.put(call.volume(), provision.request().claimUid());
        } else if (applied && call instanceof DeleteCall) {
            made.remove(call.volume());
        } else if (applied && call instanceof OutsideCall outside && outside.call() instanceof ProvisionCall) {
            foreign.add(call.volume());
        }
    }

    @Override
    public void atRest(WorldView world, Findings findings) {
        made.forEach((volume, claimUid) -> {
            boolean stood = world.everKnown(volume).isPresent();
            boolean wanted = world.claims().stream()
                    .anyMatch(claim -> claim.metadata().uid().equals(claimUid));
            findings.require(
                    stood || wanted || disowned.contains(claimUid),
                    "D15-leak",
                    "the storage of " + volume + " belongs to no object");
        });
        for (PersistentVolume volume : world.volumes()) {
            provisioned(world, volume, findings);
        }
    }

    private void provisioned(WorldView world, PersistentVolume volume, Findings findings) {
        boolean dynamic =
                volume.metadata().annotation(Annotations.PROVISIONED_BY).isPresent()
                        && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE
                        && !volume.metadata().isDeleting();
        boolean theirs = foreign.contains(VolumeFacts.name(volume));
        boolean guarded = !dynamic
                || volume.status().phase() != PersistentVolumePhase.BOUND
                || volume.metadata().hasFinalizer(theirs ? Finalizers.EXTERNAL_PROVISIONER : Finalizers.PV_CONTROLLER);
        findings.require(guarded, "D6-finalizer", "volume " + VolumeFacts.name(volume) + " may go without its storage");
        boolean left = dynamic
                && (theirs || made.containsKey(VolumeFacts.name(volume)))
                && volume.status().phase() == PersistentVolumePhase.RELEASED
                // What is still attached waits; whether that is right, LivenessRules tell.
                && VolumeFacts.slots(world, VolumeFacts.name(volume)).isEmpty();
        findings.require(!left, "L-reclaim", "volume " + VolumeFacts.name(volume) + " is released and not reclaimed");
    }
}
