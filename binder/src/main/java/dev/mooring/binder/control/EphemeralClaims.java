// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
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
import java.util.TreeMap;

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
    private static final String COMPONENT = "ephemeral_volume";

    private final PodsByClaim pods = new PodsByClaim();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.POD, Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            ObjectChange<Pod> pod = change.as(Kinds.POD);
            pods.update(pod.before(), pod.after());
            if (!EphemeralTemplate.volumesOf(pod.latest()).isEmpty()) {
                mailbox.recheck(new Key(POD, change.key()));
            }
        } else {
            // E5, and a claim in the way that has gone: more pods than the owner may be waiting.
            pods.using(change.key()).stream()
                    .filter(pod -> EphemeralTemplate.wants(pod, change.key().name()))
                    .forEach(pod -> wake(new Key(POD, ObjectKey.of(pod)), change, mailbox));
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
     * What people have been told.
     *
     * @param byVolume the last news by name of the volume
     */
    private record Told(Map<String, String> byVolume) implements KeyState {}

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<Pod> found = situation.caches().get(Kinds.POD, key.object());
        if (found.isEmpty() || found.get().metadata().isDeleting()) {
            return Decision.nothing(); // E4
        }
        Map<String, String> told = state.map(s -> ((Told) s).byVolume()).orElse(Map.of());
        return decide(found.get(), told, situation);
    }

    private static Decision decide(Pod pod, Map<String, String> told, Situation situation) {
        Map<String, String> troubles = new TreeMap<>();
        List<Effect> creations = new ArrayList<>();
        for (PodVolume volume : EphemeralTemplate.volumesOf(pod)) {
            PersistentVolumeClaim wanted = EphemeralTemplate.claim(pod, volume);
            Optional<PersistentVolumeClaim> claim = BinderContext.claim(situation.caches(), ObjectKey.of(wanted));
            Optional<String> trouble;
            if (claim.isPresent()) {
                trouble = collision(pod, claim.get());
            } else {
                trouble =
                        failure(situation, ObjectKey.of(wanted)).or(() -> Optional.ofNullable(told.get(volume.name())));
                creations.add(new Effect.Create<>(CREATE_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, wanted));
            }
            trouble.ifPresent(why -> troubles.put(volume.name(), why));
        }
        // A creation that backs off would have the news wait with it.
        Optional<Duration> wait = creations.isEmpty() ? Optional.empty() : situation.backoff(CREATE_CLAIM);
        Decision decision = wait.map(Decision.nothing()::wakeAfter)
                .orElseGet(() -> Decision.nothing().and(creations));
        return tell(decision, pod, troubles, told);
    }

    /** E2: the claim was made for somebody else. */
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

    private static Decision tell(Decision decision, Pod pod, Map<String, String> troubles, Map<String, String> told) {
        Decision result = decision;
        for (Map.Entry<String, String> trouble : troubles.entrySet()) {
            if (!trouble.getValue().equals(told.get(trouble.getKey()))) {
                result = result.and(Announcement.warning(
                        Kinds.POD,
                        pod,
                        "FailedBinding",
                        "ephemeral volume " + trouble.getKey() + ": " + trouble.getValue(),
                        COMPONENT));
            }
        }
        return troubles.isEmpty() ? result : result.withState(new Told(troubles));
    }
}
