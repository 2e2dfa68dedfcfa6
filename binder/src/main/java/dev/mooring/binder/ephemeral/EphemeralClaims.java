// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.ephemeral;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.cache.PodFields;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the claims of pods' ephemeral volumes (semantics/binder §3.4). A claim is called {@code <pod>-<volume>}, so that two pods may
 * want claims of one name; what tells them apart is whose owner reference the claim carries. The claim goes with the pod, by garbage
 * collection.
 */
public final class EphemeralClaims implements Controller {
    /** The name of this controller. */
    public static final String NAME = "ephemeral";

    private static final String POD = "pod";
    private static final String CREATE_CLAIM = "create-claim";
    private static final String CONFIRM_POD = "confirm-pod";
    private static final String COMPONENT = "ephemeral_volume";

    private final Multimap<ObjectKey, ObjectKey> podsByClaim = new Multimap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD, Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public FieldSelection reads(Kind<?> kind) {
        return kind == Kinds.POD ? PodFields.STORAGE : FieldSelection.ALL;
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            ObjectChange<Pod> pod = change.as(Kinds.POD);
            pod.before()
                    .ifPresent(before ->
                            EphemeralTemplate.keys(before).forEach(claim -> podsByClaim.remove(claim, change.key())));
            pod.after()
                    .ifPresent(after ->
                            EphemeralTemplate.keys(after).forEach(claim -> podsByClaim.add(claim, change.key())));
            if (!EphemeralTemplate.volumesOf(pod.latest()).isEmpty()) {
                mailbox.recheck(new Key(POD, change.key()));
            }
        } else {
            // E5, and a claim in the way that has gone: more pods than the owner may be waiting.
            podsByClaim.of(change.key()).forEach(pod -> wake(new Key(POD, pod), change, mailbox));
        }
    }

    private static void wake(Key pod, ObjectChange<?> change, Mailbox mailbox) {
        if (change.after().isEmpty() && change.origin() != Origin.OWN_WRITE) {
            mailbox.inputChanged(pod);
        } else {
            mailbox.recheck(pod);
        }
    }

    /**
     * What is remembered of a pod.
     *
     * @param told the last news by name of the volume
     * @param had the volumes whose claims the pod had once
     */
    private record Memory(Map<String, String> told, Set<String> had) implements KeyState {
        static final Memory NONE = new Memory(Map.of(), Set.of());

        Optional<KeyState> kept() {
            return equals(NONE) ? Optional.empty() : Optional.of(this);
        }
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Pod> found = situation.caches().get(Kinds.POD, key.object());
        if (found.isEmpty() || found.get().metadata().isDeleting()) {
            return Decision.nothing(); // E4
        }
        return ObjectState.decide(
                found.get().metadata().uid(),
                state,
                situation,
                (known, own) ->
                        decide(found.get(), known.map(Memory.class::cast).orElse(Memory.NONE), own));
    }

    private static Decision decide(Pod pod, Memory memory, Situation situation) {
        Map<String, String> troubles = new TreeMap<>();
        Set<String> had = new TreeSet<>(memory.had());
        List<Effect> creations = new ArrayList<>();
        boolean again = false;
        for (PodVolume volume : EphemeralTemplate.volumesOf(pod)) {
            ObjectKey wanted = EphemeralTemplate.key(pod, volume);
            Optional<PersistentVolumeClaim> claim = situation.caches().get(Kinds.PERSISTENT_VOLUME_CLAIM, wanted);
            Optional<String> malformed = EphemeralTemplate.problem(volume);
            Optional<String> trouble;
            if (claim.isPresent()) {
                trouble = collision(pod, claim.get());
                if (trouble.isEmpty()) {
                    had.add(volume.name());
                }
            } else if (malformed.isPresent()) {
                // Only another template helps, so that the pod has to change.
                trouble = Optional.of("PVC " + wanted + " is not made: " + malformed.get());
            } else {
                trouble = failure(situation, wanted)
                        .or(() -> Optional.ofNullable(memory.told().get(volume.name())));
                creations.add(new Effect.Create<>(
                        CREATE_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, EphemeralTemplate.claim(pod, volume)));
                again |= memory.had().contains(volume.name());
            }
            trouble.ifPresent(why -> troubles.put(volume.name(), why));
        }
        Memory now = new Memory(troubles, had);
        return tell(create(pod, creations, again, situation), pod, now, memory)
                .withState(now.kept())
                .concerning(Concern.of(Kinds.POD, pod, "FailedBinding", COMPONENT));
    }

    /**
     * A claim that was there and has gone may have been collected since its pod has gone, which is not known here yet: before it is made
     * again, the pod is read live, or the two would go on for as long as that is so.
     */
    private static Decision create(Pod pod, List<Effect> creations, boolean again, Situation situation) {
        if (creations.isEmpty()) {
            return Decision.nothing();
        }
        // A creation that backs off would have the news wait with it.
        Optional<Duration> wait = situation.backoff(CREATE_CLAIM);
        if (wait.isPresent()) {
            return Decision.nothing().wakeAfter(wait.get());
        }
        boolean confirmed =
                situation.resultOf(CONFIRM_POD).filter(EffectResult::succeeded).isPresent();
        return again && !confirmed
                ? Decision.act(new Effect.Read<>(CONFIRM_POD, Kinds.POD, ObjectKey.of(pod)))
                : Decision.nothing().and(creations);
    }

    /** The claim was made for something else (E2). */
    private static Optional<String> collision(Pod pod, PersistentVolumeClaim claim) {
        boolean owned = claim.metadata().ownerReferences().stream()
                .anyMatch(owner ->
                        owner.controller() && owner.uid().equals(pod.metadata().uid()));
        return owned
                ? Optional.empty()
                : Optional.of("PVC " + ObjectKey.of(claim) + " was not created for pod " + ObjectKey.of(pod)
                        + " (pod is not owner)");
    }

    /** E3: why the claim could not be created just now. */
    private static Optional<String> failure(Situation situation, ObjectKey claim) {
        Optional<String> why = Optional.empty();
        for (EffectResult result : situation.results()) {
            if (result.effect() instanceof Effect.Create<?> create
                    && create.object().equals(claim)
                    && !result.succeeded()) {
                why = Optional.of("create PVC " + claim.name() + ": " + result.message());
            }
        }
        return why;
    }

    private static Decision tell(Decision decision, Pod pod, Memory now, Memory before) {
        Decision result = decision;
        for (Map.Entry<String, String> trouble : now.told().entrySet()) {
            if (!trouble.getValue().equals(before.told().get(trouble.getKey()))) {
                result = result.and(Announcement.warning(
                        Kinds.POD,
                        pod,
                        "FailedBinding",
                        "ephemeral volume " + trouble.getKey() + ": " + trouble.getValue(),
                        COMPONENT));
            }
        }
        return result;
    }
}
