// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Optional;

/** Faults that were ours once, of which scenarios of the corpus ({@code found-}) tell, planted again. */
final class OwnFaults {
    private static final String ATTACH = "attach-detach";

    private OwnFaults() {}

    static List<Mutant> all() {
        return List.of(
                deletesByName(),
                lostCreationWasNone(),
                Mutant.fromCache(ATTACH, "confirm-attachment"),
                Mutant.fromCache("ephemeral", "confirm-pod"),
                goesByTheUid(),
                leavesWhatIsBeingDeleted(),
                beginsLate(),
                noNodeIsAnotherNode(),
                triesWithoutAnswerWereNone());
    }

    /** found-d15: a try to make storage whose answer was lost was forgotten, and the refusal of the next try believed. */
    private static Mutant triesWithoutAnswerWereNone() {
        return Mutant.result(
                "binder",
                "a try to make storage that has no answer was none",
                "provision",
                result -> result.match(
                        stored -> stored,
                        performed -> performed.answer() instanceof Outcome.Uncertain<?>
                                ? new EffectResult.Performed(performed.effect(), Outcome.deferred("planted"))
                                : performed));
    }

    /** found-s2: a deletion whose answer was lost strikes whatever has the name when it arrives. */
    private static Mutant deletesByName() {
        return new Mutant(ATTACH, "deletes by the name alone") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                List<Effect> effects = decision.effects().stream()
                        .map(effect -> effect instanceof Effect.Delete<?> delete ? byName(delete) : effect)
                        .toList();
                return decision.withEffects(effects);
            }
        };
    }

    private static Effect byName(Effect.Delete<?> delete) {
        return new Effect.Delete<>(delete.operation(), delete.kind(), delete.object(), DeleteOptions.DEFAULT);
    }

    /** found-s1: a creation whose answer was lost holds no slot. */
    private static Mutant lostCreationWasNone() {
        return Mutant.result(
                ATTACH,
                "a creation without an answer was none",
                "create-attachment",
                result -> result.storeFailure().equals(Optional.of(Failure.UNKNOWN))
                        ? new EffectResult.Stored(result.effect(), StoreResult.failed(Failure.UNAVAILABLE, "planted"))
                        : result);
    }

    /** found-i2: a volume that is being deleted, claimed for a claim that does not name it yet, was not let go. */
    private static Mutant leavesWhatIsBeingDeleted() {
        return new Mutant("binder", "leaves what is being deleted") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                boolean unbinds = decision.effects().stream()
                        .anyMatch(effect -> effect.operation().equals("unbind"));
                boolean deleting = situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, key.object())
                        .filter(volume -> volume.metadata().isDeleting())
                        .isPresent();
                return unbinds && deleting ? Decision.nothing() : decision;
            }
        };
    }

    /** found-pp: a bound volume out of which a user took the claim's uid looked like one that no claim has. */
    private static Mutant goesByTheUid() {
        return new Mutant("pv-protection", "goes by the uid") {
            @Override
            Decision decided(Key key, Decision decision, Situation situation) {
                return situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, key.object())
                        .filter(volume -> volume.metadata().isDeleting()
                                && volume.metadata().hasFinalizer(Finalizers.PV_PROTECTION)
                                && volume.spec()
                                        .claimRef()
                                        .filter(ref -> !ref.uid().isEmpty())
                                        .isEmpty())
                        .map(volume -> Decision.act(release(volume)))
                        .orElse(decision);
            }
        };
    }

    /** found-pp: a pod could begin to use a claim that was being deleted as long as the claim had its finalizer. */
    private static Mutant beginsLate() {
        return new Mutant("node", "begins with a claim that is being deleted") {
            @Override
            Caches shown(Caches real) {
                return ShownCaches.of(real, OwnFaults::living);
            }
        };
    }

    private static KubernetesObject living(KubernetesObject object) {
        return object instanceof PersistentVolumeClaim claim
                        && claim.metadata().isDeleting()
                        && claim.metadata().hasFinalizer(Finalizers.PVC_PROTECTION)
                ? claim.withMetadata(claim.metadata().withDeletionTimestamp(Optional.empty()))
                : object;
    }

    /** found-s7: a pod that seemed to have no node was taken for one that is not here. */
    private static Mutant noNodeIsAnotherNode() {
        return new Mutant("node", "a pod without a node is elsewhere") {
            @Override
            Caches shown(Caches real) {
                return ShownCaches.of(real, OwnFaults::elsewhere);
            }
        };
    }

    private static KubernetesObject elsewhere(KubernetesObject object) {
        return object instanceof Pod pod && pod.spec().nodeName().isEmpty()
                ? pod.withSpec(pod.spec().withNodeName("elsewhere"))
                : object;
    }

    private static Effect release(PersistentVolume volume) {
        return new Effect.Update<>(
                "release",
                Kinds.PERSISTENT_VOLUME,
                new Change<>(
                        volume, volume.withMetadata(volume.metadata().withoutFinalizer(Finalizers.PV_PROTECTION))));
    }
}
