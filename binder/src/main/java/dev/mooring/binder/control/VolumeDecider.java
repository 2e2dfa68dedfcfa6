// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.ProvisionerRole;
import dev.mooring.binder.checks.LiveClaim;
import dev.mooring.binder.checks.ObjectChecks;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/** What to do about a volume (semantics/binder §1.6; the rows are named in the branches). */
final class VolumeDecider {
    private final BinderContext context;
    private final Reclaiming reclaiming;

    VolumeDecider(BinderContext context) {
        this.context = context;
        this.reclaiming = new Reclaiming(context);
    }

    Decision decide(ObjectKey key, VolumeState state, Situation situation) {
        Optional<PersistentVolume> found = BinderContext.volume(situation.caches(), key.name());
        if (found.isEmpty()) {
            return Decision.nothing();
        }
        PersistentVolume volume = found.get();
        String uid = volume.metadata().uid();
        VolumeState known = state.of(uid);
        Situation own = FormerVolume.without(situation, volume);
        Decision decision = Refusals.telling(decideKnowing(volume, known, own), known, own);
        return decision.withState(decision.state().map(VolumeState.class::cast).map(after -> after.withUid(uid)))
                .concerning(BinderEvents.concern(volume));
    }

    private Decision decideKnowing(PersistentVolume volume, VolumeState state, Situation situation) {
        if (context.indexes().reservedBy(volume.metadata().name()).isPresent()) {
            // A claim is being bound to it. That claim writes both statuses; the rest is seen
            // afterwards.
            return Decision.nothing().withState(VolumeState.NONE.kept());
        }
        if (context.isBesideAnother()) {
            return ofAnother(volume, state, situation);
        }
        Optional<String> broken = VolumeChecks.problem(volume);
        if (broken.isPresent()) {
            return leftAlone(volume, state, broken.get());
        }
        PersistentVolume guarded = withDeletionFinalizers(volume);
        if (!guarded.equals(volume)) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.SET_FINALIZERS, Kinds.PERSISTENT_VOLUME, new Change<>(volume, guarded)))
                    .withState(state.kept()); // SV0
        }
        if (NodeProvisioning.hasComeToNothing(volume) && volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.FINISH_DELETE,
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(volume, Transitions.destroyed(volume, Finalizers.PV_CONTROLLER))))
                    .withState(state.kept()); // there is no storage to wait for
        }
        Optional<ObjectReference> claimRef = volume.spec().claimRef();
        boolean reclaimed = PrebindCheck.isBeingReclaimed(volume);
        if (claimRef.isEmpty() && !reclaimed) {
            return free(volume, state); // SV1
        }
        // The claim that it was offered to may not have it any more, and is not asked again at each decision.
        VolumeState taken = state.withoutOffers();
        if (claimRef.filter(ref -> !ref.uid().isEmpty()).isPresent()) {
            return claimed(volume, claimRef.get(), taken, situation);
        }
        return reclaimed
                ? reclaiming.decide(volume, taken, situation) // it may hold what is left of its last user's data (D6)
                : unclaimed(volume, VolumeState.NONE); // SV2
    }

    /** The storage of a volume without a claim is never destroyed, so a volume that is being deleted says what holds it. */
    private static Decision unclaimed(PersistentVolume volume, VolumeState state) {
        Decision decision = phase(volume, state, PersistentVolumePhase.AVAILABLE);
        return volume.metadata().isDeleting() && volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)
                ? decision.waitingFor("the volume is being deleted, and its storage is not destroyed, since no claim is"
                        + " bound to it; set its persistentVolumeReclaimPolicy to Retain to let it go and keep the"
                        + " storage")
                : decision;
    }

    /** What another program binds: the finalizer while it is bound, and the storage once that program says that it is released (§1.9). */
    private Decision ofAnother(PersistentVolume volume, VolumeState state, Situation situation) {
        boolean ours = volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .filter(by -> context.plugins()
                        .named(by)
                        .flatMap(plugin -> plugin.capability(Deleting.class))
                        .isPresent())
                .isPresent();
        if (!ours || VolumeChecks.problem(volume).isPresent()) {
            return Decision.nothing().withState(state.kept());
        }
        ObjectMeta guarded = withFinalizerOfProvisioner(volume);
        if (!guarded.equals(volume.metadata())) {
            return Decision.act(new Effect.Update<>(
                            BinderOperations.SET_FINALIZERS,
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(volume, volume.withMetadata(guarded))))
                    .withState(state.kept());
        }
        boolean wanted = isHere(volume, situation)
                && volume.status().phase() == PersistentVolumePhase.RELEASED
                && volume.spec().claimRef().isPresent()
                && (!volume.metadata().isDeleting() || volume.metadata().hasFinalizer(Finalizers.EXTERNAL_PROVISIONER));
        if (wanted || state.stage() == VolumeState.Stage.NOT_DONE || hasAnswered(state, situation)) {
            return reclaiming.decide(volume, state, situation);
        }
        // That program does not know the mark: a volume that it takes back may be in use again, and is not
        // destroyed.
        return state.stage() == VolumeState.Stage.MARKED
                ? reclaiming.decide(volume, state.at(VolumeState.Stage.NOT_DONE), situation)
                : Decision.nothing().withState(state.kept());
    }

    /** Whether the plugin has answered a call: then what it says is carried to the end. */
    private static boolean hasAnswered(VolumeState state, Situation situation) {
        return state.stage() == VolumeState.Stage.DONE
                || situation.resultOf(BinderOperations.DELETE).isPresent();
    }

    /** A provisioner of one node destroys what only that node can reach (semantics/csi §8.8). */
    private boolean isHere(PersistentVolume volume, Situation situation) {
        Optional<String> here = context.options().beside().flatMap(ProvisionerRole::node);
        return here.isEmpty()
                || NodeChoice.holding(situation.caches(), volume)
                        .filter(node -> node.name().equals(here.get()))
                        .isPresent();
    }

    private static ObjectMeta withFinalizerOfProvisioner(PersistentVolume volume) {
        ObjectMeta metadata = volume.metadata();
        if (volume.spec().persistentVolumeReclaimPolicy() != ReclaimPolicy.DELETE) {
            return metadata.withoutFinalizer(Finalizers.EXTERNAL_PROVISIONER);
        }
        boolean missing = volume.status().phase() == PersistentVolumePhase.BOUND
                && !metadata.isDeleting()
                && !metadata.hasFinalizer(Finalizers.EXTERNAL_PROVISIONER);
        return missing ? metadata.withFinalizer(Finalizers.EXTERNAL_PROVISIONER) : metadata;
    }

    private static Decision leftAlone(PersistentVolume volume, VolumeState state, String problem) {
        String news = ObjectChecks.news("PersistentVolume", volume, problem);
        Decision decision = Decision.remember(VolumeState.NONE.telling(news));
        return news.equals(state.told()) ? decision : decision.and(BinderEvents.warning(volume, "FailedBinding", news));
    }

    // ---- SV1: without a claim ----

    private Decision free(PersistentVolume volume, VolumeState state) {
        VolumeState current = state.at(VolumeState.Stage.NONE);
        if (current.offeredTo().isPresent()) {
            if (!context.indexes().hasAnswered(volume.metadata().name())) {
                return Decision.remember(current);
            }
            current = current.afterDecline();
        }
        Optional<ObjectKey> next = context.indexes().nextOffer(volume, current.declined());
        if (next.isPresent()) {
            return Decision.remember(current.offering(next.get())); // D18; Available only if no claim takes it (D17)
        }
        return unclaimed(volume, current.withoutOffers());
    }

    // ---- SV3 to SV8: with a claim ----

    private Decision claimed(
            PersistentVolume volume, ObjectReference claimRef, VolumeState state, Situation situation) {
        ObjectKey claimKey = ObjectKey.of(claimRef.namespace(), claimRef.name());
        Optional<PersistentVolumeClaim> claim = BinderContext.claim(situation.caches(), claimKey)
                .filter(candidate -> candidate.metadata().uid().equals(claimRef.uid()));
        if (claim.isEmpty()) {
            return claimMissing(volume, claimKey, state, situation);
        }
        PersistentVolumeClaim owner = claim.get();
        String named = owner.spec().volumeName();
        boolean madeForTheClaim =
                volume.metadata().annotation(Annotations.PROVISIONED_BY).isPresent()
                        && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE;
        if (named.isEmpty()) {
            // What is being deleted is bound to no claim any more, and as long as it is claimed it does not go (D9).
            return volume.metadata().isDeleting()
                            && !NodeProvisioning.isMarked(volume)
                            && !(madeForTheClaim && isHeldForItsStorage(volume))
                    ? unbind(volume, state)
                    : unfinished(volume, owner, state); // SV6
        }
        if (named.equals(volume.metadata().name())) {
            return NodeProvisioning.isMarked(volume)
                    ? Decision.nothing()
                    : phase(volume, VolumeState.NONE, PersistentVolumePhase.BOUND); // SV7
        }
        return madeForTheClaim ? released(volume, state, situation) : unbind(volume, state); // SV8
    }

    private Decision claimMissing(PersistentVolume volume, ObjectKey claimKey, VolumeState state, Situation situation) {
        Optional<EffectResult> read = situation.resultOf(BinderOperations.CONFIRM_CLAIM);
        if (read.filter(answer -> LiveClaim.holds(answer, volume)).isPresent()) {
            // A live read contradicts the cache. Try again after the next relist.
            return Decision.nothing().withState(state.kept()).wakeAfter(Defaults.BACKOFF_LONGEST);
        }
        boolean known = isReleased(volume) && read.isEmpty();
        if (!known && !read.filter(answer -> LiveClaim.hasLeft(answer, volume)).isPresent()) {
            return Decision.act(confirmation(claimKey)).withState(state.kept()); // SV3, SV4
        }
        if (NodeProvisioning.isMarked(volume)) {
            return abandoned(volume, claimKey, state, situation);
        }
        return released(volume, state, situation); // SV5
    }

    /** The claim went while a node was making the storage: what the node answers decides what there is to destroy. */
    private static Decision abandoned(
            PersistentVolume volume, ObjectKey claimKey, VolumeState state, Situation situation) {
        Optional<Outcome<?>> result = NodeProvisioning.resultOn(volume);
        if (result.isEmpty()) {
            return unanswered(volume, claimKey, state.at(VolumeState.Stage.AWAITS_NODE), situation);
        }
        // It never carried data, so it is destroyed whatever the class says, as storage made here is.
        PersistentVolume needless = NodeProvisioning.withoutMarks(volume)
                .withSpec(volume.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        return Decision.act(new Effect.Update<>(
                        BinderOperations.UNMARK_RECLAIMING, Kinds.PERSISTENT_VOLUME, new Change<>(volume, needless)))
                .withState(state.at(VolumeState.Stage.NONE).kept());
    }

    private static Decision unanswered(
            PersistentVolume volume, ObjectKey claimKey, VolumeState state, Situation situation) {
        Optional<Effect> label = AskedNode.label(volume, BinderOperations.MARK_RECLAIMING);
        if (label.isPresent()) {
            return Decision.act(label.get()).withState(state);
        }
        AskedNode node = AskedNode.of(volume, NodeIntent.PROVISION_ON);
        Optional<Effect> question = node.question(situation);
        if (question.isPresent()) {
            // What proved that the claim has left proves it once, so that both are read together.
            return Decision.act(confirmation(claimKey), question.get()).withState(state);
        }
        if (!node.hasGone(situation)) {
            return Decision.remember(state).waitingFor("The claim was deleted, and " + node.unanswered(volume, "make"));
        }
        String news = "The claim was deleted, and " + node.news(volume, "make", "");
        Decision decision = Decision.remember(state.telling(news));
        return news.equals(state.told())
                ? decision
                : decision.and(BinderEvents.warning(volume, "VolumeFailedDelete", news));
    }

    private static Effect confirmation(ObjectKey claim) {
        return new Effect.Read<>(BinderOperations.CONFIRM_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, claim);
    }

    static boolean isReleased(PersistentVolume volume) {
        PersistentVolumePhase phase = volume.status().phase();
        return phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED;
    }

    private Decision released(PersistentVolume volume, VolumeState state, Situation situation) {
        return isReleased(volume)
                ? reclaiming.decide(volume, state, situation)
                : phase(volume, state.withoutOffers(), PersistentVolumePhase.RELEASED);
    }

    private static Decision unfinished(PersistentVolume volume, PersistentVolumeClaim owner, VolumeState state) {
        VolumeMode claimMode = owner.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        if (PrebindCheck.modeOf(volume) == claimMode) {
            return Decision.nothing();
        }
        String message = "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
                + owner.metadata().name() + "\" due to incompatible volumeMode.";
        Decision decision = Decision.remember(state.telling(message));
        return message.equals(state.told())
                ? decision
                : decision.and(BinderEvents.warning(volume, "VolumeMismatch", message))
                        .and(BinderEvents.warning(
                                owner,
                                "VolumeMismatch",
                                "Cannot bind PersistentVolume \""
                                        + volume.metadata().name() + "\" to claim: incompatible volumeMode"));
    }

    private static Decision unbind(PersistentVolume volume, VolumeState state) {
        PersistentVolume unbound = Transitions.unbound(volume);
        return unbound.equals(volume)
                ? Decision.nothing().withState(state.kept())
                : Decision.act(new Effect.Update<>(
                                BinderOperations.UNBIND, Kinds.PERSISTENT_VOLUME, new Change<>(volume, unbound)))
                        .withState(state.kept());
    }

    // ---- writes ----

    private static Decision phase(PersistentVolume volume, VolumeState state, PersistentVolumePhase phase) {
        PersistentVolume edited = Transitions.inPhase(volume, phase, "");
        Decision decision = edited.equals(volume)
                ? Decision.nothing()
                : Decision.act(new Effect.UpdateStatus<>(
                        BinderOperations.SHOW_VOLUME_PHASE, Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited)));
        return decision.withState(state.kept());
    }

    /** The finalizer that keeps a dynamically provisioned volume until its storage is destroyed (SV0, §1.13). */
    private PersistentVolume withDeletionFinalizers(PersistentVolume volume) {
        Optional<String> provisioner = volume.metadata().annotation(Annotations.PROVISIONED_BY);
        if (provisioner.isEmpty()) {
            return volume;
        }
        ObjectMeta metadata = context.migration().marked(volume);
        if (context.migration().isMigrated(provisioner.get())) {
            metadata = metadata.withoutFinalizer(Finalizers.PV_CONTROLLER);
        } else if (isDestroyedHere(provisioner.get())) {
            metadata = withOurFinalizer(
                    metadata.withoutFinalizer(Finalizers.EXTERNAL_PROVISIONER),
                    volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE);
        }
        return metadata.equals(volume.metadata()) ? volume : volume.withMetadata(metadata);
    }

    /** Whether the program that destroys the storage waits for the phase Released, which a volume only comes to by its claim. */
    private boolean isHeldForItsStorage(PersistentVolume volume) {
        return volume.metadata().finalizers().stream().anyMatch(held -> !held.equals(Finalizers.PV_PROTECTION))
                || volume.metadata()
                        .annotation(Annotations.PROVISIONED_BY)
                        .filter(by -> !context.migration().isMigrated(by) && isDestroyedHere(by))
                        .isPresent();
    }

    private boolean isDestroyedHere(String provisioner) {
        return Provisioners.isInTree(provisioner)
                || context.plugins()
                        .named(provisioner)
                        .flatMap(plugin -> plugin.capability(Deleting.class))
                        .isPresent();
    }

    private static ObjectMeta withOurFinalizer(ObjectMeta metadata, boolean delete) {
        boolean has = metadata.hasFinalizer(Finalizers.PV_CONTROLLER);
        if (delete && !has && !metadata.isDeleting()) {
            return metadata.withFinalizer(Finalizers.PV_CONTROLLER);
        }
        return !delete && has ? metadata.withoutFinalizer(Finalizers.PV_CONTROLLER) : metadata;
    }
}
