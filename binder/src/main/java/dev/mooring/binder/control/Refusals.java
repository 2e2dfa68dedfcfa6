// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Objects that cannot be changed in the store as they are, since they break a rule that the binder knows nothing of. A claim looks for
 * another volume then, until that one is changed; an event says what the store says, which names object, field and rule.
 */
final class Refusals {
    /** How many volumes one claim leaves out; there is no end to trying otherwise. */
    private static final int REMEMBERED = 1000;

    private static final int LONGEST = 512;
    static final String THE_CLAIM = "";

    private Refusals() {}

    /** The state with the refusals that have just come in. */
    static ClaimState remembering(ClaimState state, Situation situation) {
        Map<String, String> refused = new HashMap<>(state.refused());
        for (EffectResult result : situation.results()) {
            refusedUpdate(result)
                    .filter(update -> refused.size() < REMEMBERED)
                    .ifPresent(update -> refused.put(nameOf(update), versionOf(update)));
        }
        ClaimState known = refused.equals(state.refused()) ? state : state.withRefused(refused);
        return situation
                .resultOf(BinderOperations.SET_DEFAULT_CLASS)
                .flatMap(result -> refusedClass(result, situation.now()))
                .map(known::withRefusedClass)
                .orElse(known);
    }

    private static Optional<RefusedClass> refusedClass(EffectResult result, Time now) {
        return refusedChange(result)
                .map(update -> update.change().edited())
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast)
                .flatMap(StorageClasses::nameOf)
                .map(name -> RefusedClass.of(name, result, now));
    }

    /** The volumes that are still as they were when they were refused. */
    static Set<String> volumes(ClaimState state, Caches caches) {
        if (state.refused().isEmpty()) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>();
        state.refused()
                .forEach((name, version) -> BinderContext.volume(caches, name)
                        .filter(volume -> volume.metadata().resourceVersion().equals(version))
                        .ifPresent(volume -> names.add(name)));
        return names;
    }

    /** The decision with events for first refusals. */
    static Decision telling(Decision decision, ClaimState before, Situation situation) {
        List<Effect> news = situation.results().stream()
                .filter(result -> refusedChange(result)
                        .filter(update ->
                                !update.operation().equals(BinderOperations.SET_DEFAULT_CLASS)) // U8 announces it
                        .filter(update ->
                                !versionOf(update).equals(before.refused().get(nameOf(update))))
                        .isPresent())
                .map(Refusals::news)
                .toList();
        return decision.and(news);
    }

    /** The same for what a volume's own decisions write; the message itself is what is remembered. */
    static Decision telling(Decision decision, VolumeState before, Situation situation) {
        Optional<EffectResult> last = situation.results().stream()
                .filter(result -> refusedChange(result).isPresent())
                .reduce((first, second) -> second);
        if (last.isEmpty()) {
            return decision;
        }
        VolumeState state = decision.state().map(VolumeState.class::cast).orElse(VolumeState.NONE);
        Decision remembering = decision.withState(state.telling(last.get().message()));
        return last.get().message().equals(before.told()) ? remembering : remembering.and(news(last.get()));
    }

    /** What breaks a rule. What is not allowed says nothing about the object. */
    private static Optional<Effect.Update<?>> refusedUpdate(EffectResult result) {
        return result.storeFailure().equals(Optional.of(Failure.INVALID)) ? refusedChange(result) : Optional.empty();
    }

    /** What breaks a rule or is not allowed: neither is tried again while the object stays as it is. */
    private static Optional<Effect.Update<?>> refusedChange(EffectResult result) {
        boolean refused = result.storeFailure()
                .filter(reason -> reason == Failure.INVALID || reason == Failure.FORBIDDEN)
                .isPresent();
        return refused && result.effect() instanceof Effect.Update<?> update ? Optional.of(update) : Optional.empty();
    }

    private static String nameOf(Effect.Update<?> update) {
        return update.kind() == Kinds.PERSISTENT_VOLUME ? update.object().name() : THE_CLAIM;
    }

    private static String versionOf(Effect.Update<?> update) {
        return update.change().base().metadata().resourceVersion();
    }

    private static Effect news(EffectResult result) {
        Effect.Update<?> update = refusedChange(result).orElseThrow();
        KubernetesObject object = update.change().base();
        return Announcement.warning(
                update.kind(), object, "FailedBinding", inShort(result.message()), BinderEvents.COMPONENT);
    }

    /** The rule. Behind it an API server may show both versions of the object, line by line. */
    static String inShort(String message) {
        String first = message.lines().findFirst().orElse("");
        return first.length() <= LONGEST ? first : first.substring(0, LONGEST - 1) + "…";
    }
}
