// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.protection;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.binder.checks.LiveClaim;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.control.NodeProvisioning;
import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;

/**
 * A volume is not deleted while the claim that it is claimed by exists and has no other volume, nor while its storage is being
 * reclaimed (semantics/binder §3.2; the claim, read live, decides instead of the phase, D9).
 */
public final class VolumeProtection implements Controller {
    /** The name of this controller. */
    public static final String NAME = "pv-protection";

    private static final String COMPONENT = "persistentvolume-protection-controller";
    private static final String VOLUME = "volume";
    private static final String PROTECT = "protect";
    private static final String RELEASE = "release";
    private static final String CONFIRM_CLAIM = "confirm-claim";
    private static final int AFTER_THE_BINDER = 30;

    private final Multimap<ObjectKey, String> deletingByClaim = new Multimap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            // A claim lets go of a volume when it goes, when another one takes its name, and when it gets another
            // volume.
            deletingByClaim
                    .of(change.key())
                    .forEach(volume -> mailbox.recheck(new Key(VOLUME, ObjectKey.cluster(volume))));
            return;
        }
        ObjectChange<PersistentVolume> volume = change.as(Kinds.PERSISTENT_VOLUME);
        volume.before()
                .flatMap(BoundPair::claimOf)
                .ifPresent(claim -> deletingByClaim.remove(claim, change.key().name()));
        volume.after()
                .filter(after -> after.metadata().isDeleting())
                .flatMap(BoundPair::claimOf)
                .ifPresent(claim -> deletingByClaim.add(claim, change.key().name()));
        if (change.after().isPresent() && concerns(change.latest().metadata())) {
            mailbox.recheck(new Key(VOLUME, change.key()));
        }
    }

    private static boolean concerns(ObjectMeta metadata) {
        return metadata.isDeleting() == metadata.hasFinalizer(Finalizers.PV_PROTECTION);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Decision decision = decide(key, situation);
        return situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME, key.object())
                .filter(volume -> volume.metadata().isDeleting())
                .map(volume -> Concern.of(Kinds.PERSISTENT_VOLUME, volume, "WaitForClaim", COMPONENT)
                        .asNormal())
                .map(decision::concerning)
                .orElse(decision);
    }

    private Decision decide(Key key, Situation situation) {
        Optional<PersistentVolume> found = situation.caches().get(Kinds.PERSISTENT_VOLUME, key.object());
        if (found.isEmpty() || !concerns(found.get().metadata())) {
            return Decision.nothing();
        }
        PersistentVolume volume = found.get();
        if (!volume.metadata().isDeleting()) {
            return update(PROTECT, volume, volume.metadata().withFinalizer(Finalizers.PV_PROTECTION)); // VP1
        }
        if (PrebindCheck.isBeingReclaimed(volume)
                && volume.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.RETAIN) {
            // Its storage is being worked on; the end of that is a change of the volume.
            return Decision.nothing();
        }
        Optional<ObjectReference> owner = volume.spec().claimRef();
        if (owner.isEmpty() || NodeProvisioning.hasComeToNothing(volume)) {
            return release(volume);
        }
        ObjectKey claim = ObjectKey.of(owner.get().namespace(), owner.get().name());
        boolean used = situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, claim)
                .filter(candidate -> mayUse(candidate, owner.get().uid(), volume))
                .isPresent();
        if (used) {
            return Decision.nothing()
                    .waitingFor("the volume stays until claim " + claim + ", which uses it, is deleted");
        }
        if (owner.get().uid().isEmpty()) {
            return release(volume);
        }
        Optional<EffectResult> read = situation.resultOf(CONFIRM_CLAIM);
        if (read.filter(answer -> LiveClaim.holds(answer, volume)).isPresent()) {
            // The cache was told otherwise; another list will tell it the truth.
            return Decision.nothing()
                    .wakeAfter(Defaults.BACKOFF_LONGEST)
                    .waitingFor("the API server shows claim " + claim + ", which uses the volume");
        }
        return read.filter(answer -> LiveClaim.hasLeft(answer, volume)).isPresent()
                ? release(volume) // VP2
                : Decision.act(new Effect.Read<>(CONFIRM_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, claim));
    }

    /** Whether a claim has the volume, or none yet; what it once has it keeps, also if its uid is removed from the volume by hand. */
    private static boolean mayUse(PersistentVolumeClaim claim, String uid, PersistentVolume volume) {
        String named = claim.spec().volumeName();
        boolean names = named.equals(volume.metadata().name());
        return uid.isEmpty()
                ? names
                        && claim.metadata()
                                .annotation(Annotations.BIND_COMPLETED)
                                .isPresent()
                : claim.metadata().uid().equals(uid) && (named.isEmpty() || names);
    }

    private static Decision release(PersistentVolume volume) {
        return update(RELEASE, volume, volume.metadata().withoutFinalizer(Finalizers.PV_PROTECTION));
    }

    private static Decision update(String operation, PersistentVolume volume, ObjectMeta metadata) {
        return Decision.act(new Effect.Update<>(
                operation, Kinds.PERSISTENT_VOLUME, new Change<>(volume, volume.withMetadata(metadata))));
    }
}
