// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.protection;

import dev.mooring.binder.uses.PodsByClaim;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.PodFields;
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
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A claim that a pod uses is not deleted before the pod is (semantics/binder §3.1). */
public final class ClaimProtection implements Controller {
    /** The name of this controller. */
    public static final String NAME = "pvc-protection";

    private static final String COMPONENT = "persistentvolumeclaim-protection-controller";
    private static final int MOST_NAMED = 5;
    private static final String CLAIM = "claim";
    private static final String PROTECT = "protect";
    private static final String RELEASE = "release";
    private static final String LIST_PODS = "list-pods";
    private static final int AFTER_THE_BINDER = 30;

    private final PodsByClaim pods = new PodsByClaim();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    @Override
    public FieldSelection reads(Kind<?> kind) {
        return kind == Kinds.POD ? PodFields.STORAGE : FieldSelection.ALL;
    }

    @Override
    public Rank rank(Key key) {
        return Rank.tier(AFTER_THE_BINDER);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            ObjectChange<Pod> pod = change.as(Kinds.POD);
            pods.update(pod.before(), pod.after()).stream()
                    .sorted()
                    .forEach(claim -> mailbox.recheck(new Key(CLAIM, claim)));
        } else if (change.after().isPresent() && concerns(change.latest().metadata())) {
            mailbox.recheck(new Key(CLAIM, change.key()));
        }
    }

    private static boolean concerns(ObjectMeta metadata) {
        return metadata.isDeleting() == metadata.hasFinalizer(Finalizers.PVC_PROTECTION);
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Decision decision = decide(key, situation);
        return situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, key.object())
                .filter(claim -> claim.metadata().isDeleting())
                .map(claim -> Concern.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "WaitForPods", COMPONENT)
                        .asNormal())
                .map(decision::concerning)
                .orElse(decision);
    }

    private Decision decide(Key key, Situation situation) {
        Optional<PersistentVolumeClaim> found = situation.caches().get(Kinds.PERSISTENT_VOLUME_CLAIM, key.object());
        if (found.isEmpty() || !concerns(found.get().metadata())) {
            return Decision.nothing();
        }
        PersistentVolumeClaim claim = found.get();
        if (!claim.metadata().isDeleting()) {
            return update(PROTECT, claim, claim.metadata().withFinalizer(Finalizers.PVC_PROTECTION)); // PP1
        }
        UsersOfClaim usersOf = UsersOfClaim.of(claim);
        List<Pod> users = pods.using(key.object())
                .filter(usersOf)
                .limit(MOST_NAMED + 1) // more than are named; however many there are
                .toList();
        if (!users.isEmpty()) {
            return Decision.nothing() // PP3 (a); the pod's end posts the key
                    .waitingFor("the claim stays until these pods, which use it, are deleted: " + names(users));
        }
        // PP3 (b): the cache may lag behind a pod that was just started.
        Effect.FindLive<Pod> search = new Effect.FindLive<>(
                LIST_PODS,
                Kinds.POD,
                ListOptions.inNamespace(key.object().namespace()).keeping(PodFields.STORAGE),
                usersOf);
        Optional<EffectResult> answer = situation
                .resultOf(LIST_PODS)
                .filter(EffectResult::succeeded)
                .filter(result -> result.effect().equals(search)); // else the claim has changed since
        if (answer.isEmpty()) {
            return Decision.act(search);
        }
        return answer.get().found().isPresent()
                // The cache was told otherwise, and may not be told when that pod goes.
                ? Decision.nothing()
                        .wakeAfter(Defaults.BACKOFF_LONGEST)
                        .waitingFor("a list of the API server shows pods that use the claim")
                : update(RELEASE, claim, claim.metadata().withoutFinalizer(Finalizers.PVC_PROTECTION)); // PP2
    }

    /** A few of them: many pods that end one after the other must not make a new event each. */
    private static String names(List<Pod> users) {
        String first = users.stream()
                .map(pod -> pod.metadata().name())
                .sorted()
                .limit(MOST_NAMED)
                .collect(Collectors.joining(", "));
        return users.size() > MOST_NAMED ? first + " and others" : first;
    }

    private static Decision update(String operation, PersistentVolumeClaim claim, ObjectMeta metadata) {
        return Decision.act(new Effect.Update<>(
                operation, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, claim.withMetadata(metadata))));
    }
}
