// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.calls.RecycleCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The invariants of binding and reclaiming, as far as they speak of single steps (semantics/binder §7.1): every write of the controllers
 * and every call that makes or destroys storage is compared with what the store holds at that moment.
 */
final class BindingRules implements Invariant {
    private final Map<String, PersistentVolumeClaim> claimsByUid = new HashMap<>();
    /** Claims that a user gave a class or a volume after they were made. An earlier choice could not know that. */
    private final Set<String> changedLater = new HashSet<>();

    private final Set<String> everTied = new HashSet<>();
    private final Set<String> marked = new HashSet<>();

    /** When a volume's policy was changed last, by its uid. */
    private final Map<String, Duration> policyEditedAt = new HashMap<>();

    private final Set<String> intended = new HashSet<>();
    private final Set<String> destroyed = new HashSet<>();

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        Optional<? extends KubernetesObject> shown = write.after().isPresent() ? write.after() : write.before();
        if (shown.isPresent() && shown.get() instanceof PersistentVolume volume) {
            volume(world, write, volume, findings);
        } else if (shown.isPresent() && shown.get() instanceof PersistentVolumeClaim claim) {
            claim(write, claim, findings);
        }
    }

    // ---- volumes ----

    private void volume(WorldView world, ObjectWrite<?> write, PersistentVolume shown, Findings findings) {
        if (write.after().isEmpty()) {
            return;
        }
        if (write.before().isPresent()
                && write.before().get() instanceof PersistentVolume before
                && before.spec().persistentVolumeReclaimPolicy() != shown.spec().persistentVolumeReclaimPolicy()) {
            policyEditedAt.put(shown.metadata().uid(), world.elapsed());
        }
        if (write.ours()
                && write.before().isPresent()
                && write.before().get() instanceof PersistentVolume before
                && before.metadata().uid().equals(shown.metadata().uid())) {
            claimRefBy(before, shown, findings);
            marksAndFinalizers(before, shown, findings);
            boolean newlyBound = shown.status().phase() == PersistentVolumePhase.BOUND
                    && before.status().phase() != PersistentVolumePhase.BOUND;
            findings.require(
                    !newlyBound || !VolumeFacts.uidOf(shown).isEmpty(), "I10-order", say(shown) + " Bound, unclaimed");
            boolean newlyReleased = shown.status().phase() == PersistentVolumePhase.RELEASED
                    && before.status().phase() != PersistentVolumePhase.RELEASED;
            findings.require(
                    !newlyReleased || !isUsed(shown, VolumeFacts.uidOf(shown)),
                    "SV5",
                    say(shown) + " is shown Released while its claim is there");
        }
        everTied.add(VolumeFacts.name(shown) + " " + VolumeFacts.uidOf(shown));
    }

    private void claimRefBy(PersistentVolume before, PersistentVolume after, Findings findings) {
        Optional<ObjectReference> was = before.spec().claimRef();
        Optional<ObjectReference> is = after.spec().claimRef();
        boolean byUser =
                before.metadata().annotation(Annotations.BOUND_BY_CONTROLLER).isEmpty();
        String wasUid = VolumeFacts.uidOf(before);
        String isUid = VolumeFacts.uidOf(after);
        boolean sameName = was.isPresent()
                && is.isPresent()
                && ((was.get().name().equals(is.get().name())
                                && was.get().namespace().equals(is.get().namespace()))
                        || (!wasUid.isEmpty() && wasUid.equals(isUid))); // a name that a user edited is put right
        findings.require(
                was.isEmpty() || !byUser || sameName,
                "I8",
                say(after) + " is taken from the claim to which a user gave it");
        findings.require(was.isEmpty() || is.isEmpty() || sameName, "I10", say(after) + " is taken from a claim");
        boolean used = before.status().phase() == PersistentVolumePhase.BOUND
                || before.status().phase() == PersistentVolumePhase.RELEASED;
        boolean scrubbed = before.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.RECYCLE;
        findings.require(
                !used || wasUid.isEmpty() || scrubbed || (is.isPresent() && !isUid.isEmpty()),
                "D6-dirty",
                say(after) + " is free with what its last claim left on it");
        findings.require(
                wasUid.isEmpty() || isUid.isEmpty() || wasUid.equals(isUid),
                "I10",
                say(after) + " is taken from a claim of that name");
        if (wasUid.isEmpty() && !isUid.isEmpty()) {
            boolean free = before.metadata().annotation(Annotations.RECLAIMING).isEmpty();
            findings.require(free, "D6", say(after) + " is claimed while it is reclaimed");
            if (was.isEmpty()) {
                chosen(before, isUid, findings);
            }
        }
    }

    /** I7, as far as one volume can tell: what we choose, fits. */
    private void chosen(PersistentVolume volume, String claimUid, Findings findings) {
        PersistentVolumeClaim claim = claimsByUid.get(claimUid);
        if (claim == null
                || claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()
                || everTied.contains(VolumeFacts.name(volume) + " " + claimUid)) {
            return; // it has gone meanwhile, or adopts what was its own (B3)
        }
        // Not recognised here: a class that is given to a claim while the volume that was chosen for it is written; see
        // docs/operate/known-gaps.md, 6.
        findings.require(
                changedLater.contains(claimUid) || Fitting.fits(volume, claim),
                "I7",
                say(volume) + " does not fit " + say(claim));
        String named = claim.spec().volumeName();
        findings.require(
                changedLater.contains(claimUid) || named.isEmpty() || named.equals(VolumeFacts.name(volume)),
                "I7",
                say(claim) + " names another volume than " + say(volume));
    }

    private void marksAndFinalizers(PersistentVolume before, PersistentVolume after, Findings findings) {
        Optional<String> mark = after.metadata().annotation(Annotations.RECLAIMING);
        ReclaimPolicy policy = after.spec().persistentVolumeReclaimPolicy();
        if (mark.isPresent()
                && before.metadata().annotation(Annotations.RECLAIMING).isEmpty()) {
            findings.require(mark.get().equals(VolumeFacts.uidOf(after)), "D6", say(after) + " is marked for another");
            findings.require(!isUsed(after, mark.get()), "I3", say(after) + " is marked while its claim uses it");
            findings.require(policy != ReclaimPolicy.RETAIN, "I9", say(after) + " is marked and to be kept");
            marked.add(after.metadata().uid() + " " + mark.get());
        }
        boolean letGo = before.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                && !after.metadata().hasFinalizer(Finalizers.PV_CONTROLLER);
        findings.require(
                !letGo
                        || policy != ReclaimPolicy.DELETE
                        || destroyed.contains(after.metadata().uid()),
                "D6-finalizer",
                say(after) + " is let go before its storage was destroyed");
    }

    // ---- claims ----

    private void claim(ObjectWrite<?> write, PersistentVolumeClaim shown, Findings findings) {
        String uid = shown.metadata().uid();
        PersistentVolumeClaim before = claimsByUid.get(uid);
        if (write.after().isEmpty()) {
            claimsByUid.remove(uid);
            return;
        }
        if (write.ours() && before != null) {
            inOrder(before, shown, findings);
        }
        if (before != null && !write.ours() && isChangedLater(before, shown)) {
            changedLater.add(uid);
        }
        claimsByUid.put(uid, shown);
        if (shown.metadata().hasFinalizer(Finalizers.PROVISIONING)) {
            intended.add(uid);
        }
    }

    private static boolean isChangedLater(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        boolean classed = before.spec().storageClassName().isEmpty()
                && after.spec().storageClassName().isPresent();
        boolean named = before.spec().volumeName().isEmpty()
                && !after.spec().volumeName().isEmpty();
        return classed || named;
    }

    private void inOrder(PersistentVolumeClaim before, PersistentVolumeClaim after, Findings findings) {
        String named = after.spec().volumeName();
        boolean tied = everTied.contains(named + " " + after.metadata().uid());
        boolean completed =
                after.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
        boolean nowNames = !named.equals(before.spec().volumeName())
                || (completed
                        && before.metadata()
                                .annotation(Annotations.BIND_COMPLETED)
                                .isEmpty());
        findings.require(!nowNames || tied, "I10-order", say(after) + " names a volume never claimed for it");
        boolean nowBound =
                after.status().phase() == ClaimPhase.BOUND && before.status().phase() != ClaimPhase.BOUND;
        findings.require(!nowBound || (tied && completed), "I10-order", say(after) + " shows Bound before it is");
    }

    // ---- calls ----

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        if (call instanceof ProvisionCall provision) {
            findings.require(
                    intended.contains(provision.request().claimUid()),
                    "D15",
                    call.volume() + " is made without an intent");
        } else if (call instanceof DeleteCall delete) {
            String uid = delete.spec().uid();
            if (uid.isEmpty()) { // what was made without a volume object (§1.10 PI)
                boolean stands = world.volumes().stream()
                        .anyMatch(volume ->
                                VolumeFacts.name(volume).equals(delete.spec().name()));
                findings.require(!stands, "I3-44372", call.volume() + " is destroyed as if no volume stood for it");
            } else {
                touched(world, delete.spec().name(), uid, ReclaimPolicy.DELETE, findings);
            }
        } else if (call instanceof RecycleCall recycle) {
            touched(world, recycle.spec().name(), recycle.spec().uid(), ReclaimPolicy.RECYCLE, findings);
        } else if (call instanceof OutsideCall outside && outside.call() instanceof DeleteCall delete) {
            // Another program destroys what we have shown as Released. It leaves no mark.
            unused(world, delete.spec().name(), delete.spec().uid(), ReclaimPolicy.DELETE, findings);
        }
    }

    @Override
    public void called(WorldView world, Call call, boolean applied, Findings findings) {
        if (applied && call instanceof DeleteCall delete) {
            destroyed.add(delete.spec().uid());
        }
    }

    private void touched(WorldView world, String name, String uid, ReclaimPolicy wanted, Findings findings) {
        findings.require(
                marked.stream().anyMatch(mark -> mark.startsWith(uid + " ")),
                "D6",
                name + " is touched without a mark that was made while it was claimed so");
        detached(world, name, findings);
        unused(world, name, uid, wanted, findings);
    }

    /** Storage is not taken from below a node (§1.10 X7). A node whose attachment a user tore out is not looked at. */
    private static void detached(WorldView world, String name, Findings findings) {
        Set<String> attached = world.attachedTo(name);
        List<String> held = VolumeFacts.slots(world, name).stream()
                .map(slot -> slot.spec().nodeName())
                .filter(attached::contains)
                .toList();
        findings.require(
                held.isEmpty() || world.liedAbout(name), "X7", name + " is touched while it is attached to " + held);
    }

    private void unused(WorldView world, String name, String uid, ReclaimPolicy wanted, Findings findings) {
        world.volumes().stream()
                .filter(volume -> volume.metadata().uid().equals(uid))
                .findFirst()
                .ifPresent(volume -> {
                    // What is edited in the very instant between the last look and the call is edited too late.
                    boolean editedNow = world.elapsed().equals(policyEditedAt.get(uid));
                    findings.require(
                            editedNow || volume.spec().persistentVolumeReclaimPolicy() == wanted,
                            "I9",
                            name + " is touched against its policy");
                    findings.require(
                            !isUsed(volume, VolumeFacts.uidOf(volume)),
                            "I3",
                            name + " is touched while its claim uses it");
                });
    }

    /** Not recognised here: a claimRef that was renamed while its uid stayed; see docs/operate/known-gaps.md, 10. */
    private boolean isUsed(PersistentVolume volume, String claimUid) {
        return Optional.ofNullable(claimsByUid.get(claimUid))
                .filter(claim -> VolumeFacts.names(volume, ObjectKey.of(claim)))
                .map(claim -> claim.spec().volumeName())
                .filter(named -> named.isEmpty() || named.equals(VolumeFacts.name(volume)))
                .isPresent();
    }

    private static String say(PersistentVolume volume) {
        return "volume " + VolumeFacts.name(volume);
    }

    private static String say(PersistentVolumeClaim claim) {
        return "claim " + claim.metadata().namespace() + "/" + claim.metadata().name();
    }
}
