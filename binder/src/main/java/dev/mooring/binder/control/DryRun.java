// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderRule;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.checks.PrebindCheck;
import dev.mooring.binder.checks.VolumeChecks;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.runtime.cache.Caches;
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
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the binder would decide about a cluster as it stands, without doing it: the deciders themselves, on objects that do not change. */
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
     * @param caches the objects; must not change afterwards
     * @param now the time at which the objects were as they are
     */
    public DryRun(BinderOptions options, PluginRegistry plugins, Caches caches, Instant now) {
        this.controller = new BinderController(options, plugins);
        this.options = options;
        this.plugins = plugins;
        this.caches = caches;
        this.now = now;
        controller.kinds().forEach(this::show);
    }

    private <T extends KubernetesObject> void show(Kind<T> kind) {
        for (T object : caches.of(kind).all()) {
            controller.observe(
                    new ObjectChange<>(
                            kind,
                            ObjectKey.of(object),
                            Optional.empty(),
                            Optional.of(object),
                            ObjectChange.Origin.WATCH),
                    NOBODY);
        }
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

    /** The same binder on other objects, at the same time. */
    public DryRun on(Caches others) {
        return new DryRun(options, plugins, others, now);
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
