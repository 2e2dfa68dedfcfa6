// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Planted bugs of binding and provisioning. */
final class BindingMutants {
    private static final String BINDER = "binder";

    private BindingMutants() {}

    static List<Mutant> binding() {
        return List.of(
                Mutant.unversioned(BINDER, "claim-volume"),
                Mutant.skipped(BINDER, "claim-volume"),
                Mutant.skipped(BINDER, "name-volume"),
                Mutant.skipped(BINDER, "show-claim-phase"),
                Mutant.skipped(BINDER, "show-volume-phase"),
                Mutant.effect(
                        BINDER, "names the volume before it is claimed", "claim-volume", BindingMutants::namedFirst),
                Mutant.effect(BINDER, "shows Bound before it is", "claim-volume", BindingMutants::shownFirst),
                Mutant.effect(BINDER, "takes any free volume", "claim-volume", BindingMutants::anyVolume),
                Mutant.deaf(
                        BINDER, "does not notice new volumes", change -> Mutant.isNew(change, Kinds.PERSISTENT_VOLUME)),
                Mutant.deaf(
                        BINDER,
                        "does not notice that claims go",
                        change -> Mutant.isGone(change, Kinds.PERSISTENT_VOLUME_CLAIM)),
                Mutant.deaf(
                        BINDER,
                        "does not notice changes of volumes",
                        change -> change.concerns(Kinds.PERSISTENT_VOLUME)
                                && change.before().isPresent()),
                Mutant.unapplied(BINDER),
                Mutant.edited(
                        BINDER, "forgets the intent to provision", "ask-provisioner", BindingMutants::withoutIntent),
                Mutant.result(
                        BINDER,
                        "an uncertain provisioning is refused",
                        "provision",
                        BindingMutants::refusedIfUncertain),
                Mutant.skipped(BINDER, "create-volume"),
                Mutant.skipped(BINDER, "close-intent"),
                Mutant.effect(BINDER, "binds no volume that was kept", "claim-volume", BindingMutants::notKept),
                Mutant.mistaken(BINDER, "binds what is being reclaimed", "claim", ReclaimingMutants::withoutMark),
                forgetsWhoChose());
    }

    /** What an instance of before has begun to bind is finished as if the user had chosen the volume. */
    private static Mutant forgetsWhoChose() {
        return new Mutant(BINDER, "forgets in a crash who chose the volume") {
            @Override
            Decision recalled(Key key, Decision decision, Set<String> asked) {
                if (asked.contains("claim-volume")) {
                    return decision;
                }
                List<Effect> effects = decision.effects().stream()
                        .map(effect -> effect.operation().equals("name-volume")
                                ? Mutant.rewritten(
                                        effect, change -> new Change<>(change.base(), chosenByUser(change.edited())))
                                : effect)
                        .toList();
                return decision.withEffects(effects);
            }
        };
    }

    private static KubernetesObject chosenByUser(KubernetesObject claim) {
        return Mutant.withMetadata(claim, meta -> meta.withoutAnnotation(Annotations.BOUND_BY_CONTROLLER));
    }

    // ---- what is done instead ----

    private static List<Effect> notKept(Effect effect, Situation situation) {
        boolean kept = effect instanceof Effect.Update<?> update
                && update.change().base() instanceof PersistentVolume volume
                && volume.spec().claimRef().filter(ref -> ref.uid().isEmpty()).isPresent();
        return kept ? List.of() : List.of(effect);
    }

    private static List<Effect> namedFirst(Effect effect, Situation situation) {
        return withClaim(
                effect,
                situation,
                (volume, claim) -> new Effect.Update<>(
                        "planted",
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                claim,
                                claim.withSpec(claim.spec().withVolumeName(volume))
                                        .withMetadata(claim.metadata()
                                                .withAnnotation(Annotations.BIND_COMPLETED, "yes")
                                                .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes")))));
    }

    private static List<Effect> shownFirst(Effect effect, Situation situation) {
        return withClaim(
                effect,
                situation,
                (volume, claim) -> new Effect.UpdateStatus<>(
                        "planted",
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(claim, claim.withStatus(claim.status().withPhase(ClaimPhase.BOUND)))));
    }

    private static List<Effect> withClaim(
            Effect effect, Situation situation, BiFunction<String, PersistentVolumeClaim, Effect> first) {
        if (effect instanceof Effect.Update<?> update
                && update.change().edited() instanceof PersistentVolume volume
                && volume.spec().claimRef().isPresent()) {
            ObjectReference ref = volume.spec().claimRef().get();
            return situation
                    .caches()
                    .get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(ref.namespace(), ref.name()))
                    .map(claim -> List.of(first.apply(volume.metadata().name(), claim), effect))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    private static List<Effect> anyVolume(Effect effect, Situation situation) {
        if (effect instanceof Effect.Update<?> update && update.change().edited() instanceof PersistentVolume wanted) {
            return situation.caches().of(Kinds.PERSISTENT_VOLUME).all().stream()
                    .filter(volume -> volume.spec().claimRef().isEmpty())
                    .findFirst()
                    .<List<Effect>>map(volume -> List.of(new Effect.Update<>(
                            effect.operation(),
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(
                                    volume,
                                    volume.withSpec(volume.spec()
                                                    .withClaimRef(wanted.spec().claimRef()))
                                            .withMetadata(volume.metadata()
                                                    .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"))))))
                    .orElse(List.of(effect));
        }
        return List.of(effect);
    }

    private static KubernetesObject withoutIntent(KubernetesObject object) {
        return Mutant.withMetadata(object, meta -> meta.withoutFinalizer(Finalizers.PROVISIONING));
    }

    static EffectResult refusedIfUncertain(EffectResult result) {
        return result.match(
                stored -> stored,
                performed -> performed.answer() instanceof Outcome.Uncertain<?>
                        ? new EffectResult.Performed(performed.effect(), Outcome.refused(Refusal.DENIED, "planted"))
                        : performed);
    }
}
