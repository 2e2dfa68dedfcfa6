// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderRule;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectCache;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.Revision;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What the binder would decide about a cluster as it stands, without doing it: the deciders themselves. For one thread at a time. */
public final class DryRun {
    private static final Mailbox NOBODY = new Mailbox() {
        @Override
        public void inputChanged(Key key) {
            // nothing is decided on its own here
        }

        @Override
        public void recheck(Key key) {
            // nothing is decided on its own here
        }
    };

    private final BinderController controller;
    private final BinderOptions options;
    private final PluginRegistry plugins;
    private final Caches caches;
    private final Instant now;

    /**
     * Makes a binder that has seen all objects.
     *
     * @param caches the objects; only this binder may change them afterwards
     * @param now the time at which the objects were as they are
     */
    public DryRun(BinderOptions options, PluginRegistry plugins, Caches caches, Instant now) {
        this(new BinderController(options, plugins), options, plugins, caches, now);
        controller.kinds().forEach(this::show);
    }

    private DryRun(
            BinderController controller, BinderOptions options, PluginRegistry plugins, Caches caches, Instant now) {
        this.controller = controller;
        this.options = options;
        this.plugins = plugins;
        this.caches = caches;
        this.now = now;
    }

    /** The same binder with the same objects at another time. */
    public DryRun at(Instant time) {
        return new DryRun(controller, options, plugins, caches, time);
    }

    private <T extends KubernetesObject> void show(Kind<T> kind) {
        for (T object : caches.of(kind).all()) {
            show(kind, ObjectKey.of(object), Optional.empty(), Optional.of(object));
        }
    }

    private <T extends KubernetesObject> void show(Kind<T> kind, ObjectKey key, Optional<T> before, Optional<T> after) {
        controller.observe(new ObjectChange<>(kind, key, before, after, ObjectChange.Origin.WATCH), NOBODY);
    }

    /**
     * Shows the objects of a kind as they are now. Those that are the same objects as before cost a comparison and nothing else.
     *
     * @param objects all of the kind; of two with one name the last counts
     */
    public <T extends KubernetesObject> void replace(Kind<T> kind, Collection<T> objects) {
        Map<ObjectKey, T> listed = new HashMap<>();
        objects.forEach(object -> listed.put(ObjectKey.of(object), object));
        List<ObjectKey> gone = new ArrayList<>();
        for (T known : caches.of(kind).all()) {
            ObjectKey key = ObjectKey.of(known);
            if (!known.equals(listed.get(key))) {
                gone.add(key);
            } else {
                listed.remove(key);
            }
        }
        gone.forEach(key -> set(kind, key, Optional.empty()));
        listed.forEach((key, object) -> set(kind, key, Optional.of(object)));
    }

    private <T extends KubernetesObject> Optional<T> set(Kind<T> kind, ObjectKey key, Optional<T> object) {
        ObjectCache<T> cache = caches.of(kind);
        Optional<T> before = cache.get(key);
        boolean seen = controller.kinds().contains(kind);
        before.ifPresent(known -> {
            cache.remove(key, known.metadata().uid(), new Revision(Long.MAX_VALUE), ObjectChange.Origin.WATCH);
            if (seen) {
                show(kind, key, before, Optional.empty());
            }
        });
        object.ifPresent(given -> {
            cache.put(given, ObjectChange.Origin.WATCH);
            if (seen) {
                show(kind, key, Optional.empty(), object);
            }
        });
        return before;
    }

    /**
     * Answers a question as if some objects were as given; afterwards everything is as it was.
     *
     * @param objects in place of those of their names, or beside the others; those of kinds that are not cached are left out
     */
    public <R> R given(Collection<? extends KubernetesObject> objects, Supplier<R> question) {
        Deque<Runnable> back = new ArrayDeque<>();
        try {
            for (KubernetesObject object : objects) {
                caches.kinds().stream()
                        .filter(kind -> kind.type().isInstance(object))
                        .forEach(kind -> back.push(given(kind, object)));
            }
            return question.get();
        } finally {
            back.forEach(Runnable::run);
        }
    }

    private <T extends KubernetesObject> Runnable given(Kind<T> kind, KubernetesObject object) {
        ObjectKey key = ObjectKey.of(object);
        Optional<T> before = set(kind, key, Optional.of(kind.type().cast(object)));
        return () -> set(kind, key, before);
    }

    /** What would be decided about a claim that the binder sees for the first time. */
    public Ruling claim(PersistentVolumeClaim claim) {
        Situation situation = new Situation(caches, new Time(now, 0), Map.of(), List.of());
        Decision decision = controller.claims().ruling(claim, situation);
        return new Ruling(
                decision.state().map(ClaimState.class::cast).flatMap(ClaimState::rule),
                decision.effects().stream()
                        .filter(Effect.Announce.class::isInstance)
                        .map(effect -> ((Effect.Announce) effect).announcement())
                        .findFirst(),
                decision.effects().stream()
                        .filter(effect -> effect.operation().equals(BinderOperations.CLAIM_VOLUME))
                        .filter(Effect.Write.class::isInstance)
                        .map(effect -> ((Effect.Write) effect).object().name())
                        .findFirst());
    }

    /**
     * The claims that would take a volume now, in the order in which the binder serves them: only the first one gets it.
     *
     * @param volume the volume's name
     */
    public List<PersistentVolumeClaim> takers(String volume) {
        return caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).all().stream()
                .filter(claim -> claim.spec().volumeName().isEmpty()
                        || claim.spec().volumeName().equals(volume))
                .filter(claim -> claim(claim).takes().filter(volume::equals).isPresent())
                .sorted(Comparator.comparing((PersistentVolumeClaim claim) ->
                                claim.spec().volumeName().isEmpty()) // a volume that appears wakes these at once
                        .thenComparing(claim -> controller.rank(new Key(BinderController.CLAIM, ObjectKey.of(claim)))))
                .toList();
    }

    /** What is wrong with a volume that is left alone for that; empty if nothing is. */
    public static Optional<String> problem(PersistentVolume volume) {
        return VolumeChecks.problem(volume);
    }

    /** Why a volume may not be bound to a claim that names it; empty if it may (semantics/binder §1.4). */
    public static Optional<String> prebindProblem(PersistentVolume volume, PersistentVolumeClaim claim) {
        return PrebindCheck.problem(volume, claim);
    }

    /** The plugins of the binder. */
    public PluginRegistry plugins() {
        return plugins;
    }

    /** Which CSI drivers have taken over for which plugins. */
    public MigratedPlugins migrated() {
        return options.migrated();
    }

    /** The volumes as matching sees them. */
    public VolumeIndex volumes() {
        return controller.volumes();
    }

    /**
     * What would be decided.
     *
     * @param rule the rule that decides; empty if there is nothing to decide
     * @param news the events that would be written
     * @param takes the volume that the claim would be given
     */
    public record Ruling(Optional<BinderRule> rule, Optional<Announcement> news, Optional<String> takes) {}
}
