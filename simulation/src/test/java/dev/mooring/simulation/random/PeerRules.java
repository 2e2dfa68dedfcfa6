// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Our control plane with one rule of the peer: by the switch that asks for it, or by a planted bug that does what the peer does, or did.
 * The models of whole controllers are in {@code simulation.peer}; there is none of its scheduler and of its kubelet.
 */
@SuppressWarnings("exports") // tests live outside the module's walls
public final class PeerRules {
    /** How often the peer looks at everything. */
    private static final Duration RESYNC = Duration.ofSeconds(15);

    /** C6: a write that conflicts is not tried again before everything is looked at. */
    private static final Mutant CONFLICTS_WAIT = new Mutant("binder", "a conflict waits for the next look") {
        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            boolean conflict = situation.results().stream()
                    .anyMatch(result -> result.storeFailure().equals(Optional.of(Failure.CONFLICT)));
            return conflict ? new Decision(decision.state(), List.of(), Optional.of(RESYNC)) : decision;
        }
    };

    /** C5: a claim that waits for a class is looked at again with everything else. */
    private static final Mutant DEAF_TO_CLASSES = Mutant.deaf(
            "binder",
            "does not notice new classes",
            change -> change.concerns(Kinds.STORAGE_CLASS) && change.before().isEmpty());

    /** isVolumeReleased: asked of the cache, and nothing is written between the answer and the call (#142332). */
    private static final Mutant RELEASED_BY_CACHE = new Mutant("binder", "asks the cache what is released") {
        private final Mutant unversioned = Mutant.unversioned("binder", "mark-reclaiming");

        @Override
        boolean believesCache(Effect effect) {
            return effect.operation().equals("confirm-claim")
                    || effect.operation().equals("confirm-volume");
        }

        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            return unversioned.decided(key, decision, situation);
        }
    };

    /** SV8: a volume whose claim has another one is let go when everything is looked at, 15 s after the start (#58655). */
    private static final Mutant UNBOUND_LATER = new Mutant("binder", "lets go at the next look") {
        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            boolean early = situation.now().monotonicNanos() < RESYNC.toNanos();
            return early
                            && decision.effects().stream()
                                    .anyMatch(effect -> effect.operation().equals("unbind"))
                    ? new Decision(decision.state(), List.of(), Optional.of(RESYNC))
                    : decision;
        }
    };

    /** #126704: claims were looked at by namespaces, and one that was still used ended the look. */
    private static final Mutant NAMESPACES = new Mutant("pvc-protection", "one that is used holds up its namespace") {
        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            String namespace = key.object().namespace();
            boolean used = situation.caches().of(Kinds.PERSISTENT_VOLUME_CLAIM).all().stream()
                    .filter(claim -> claim.metadata().isDeleting()
                            && claim.metadata().namespace().equals(namespace))
                    .anyMatch(claim -> situation.caches().of(Kinds.POD).all().stream()
                            .filter(pod -> pod.metadata().namespace().equals(namespace))
                            .flatMap(pod -> pod.spec().volumes().stream())
                            .anyMatch(volume -> volume.persistentVolumeClaimName()
                                    .equals(Optional.of(claim.metadata().name()))));
            return used ? new Decision(decision.state(), List.of(), Optional.of(RESYNC)) : decision;
        }
    };

    /** #84030: what a claim was once asked to be is pursued for ever. */
    private static final Mutant NEVER_LOWERED = new Mutant("expansion", "a target is never lowered") {
        @Override
        Decision decided(Key key, Decision decision, Situation situation) {
            return decision.effects().stream().anyMatch(PeerRules::lowers)
                    ? new Decision(decision.state(), List.of(), Optional.of(RESYNC))
                    : decision;
        }
    };

    /** Before allocatedResourceStatuses a condition was all that said what a growth waits for (CNPG 9980). */
    private static final Mutant CONDITION_ALONE =
            Mutant.edited("expansion", "a condition is all that is said", "show-size", PeerRules::withoutStatuses);

    private PeerRules() {}

    private static boolean lowers(Effect effect) {
        return effect instanceof Effect.UpdateStatus<?> update
                && update.change().base() instanceof PersistentVolumeClaim base
                && update.change().edited() instanceof PersistentVolumeClaim edited
                && allocated(edited).compareTo(allocated(base)) < 0;
    }

    private static Quantity allocated(PersistentVolumeClaim claim) {
        return claim.status().allocatedResources().getOrDefault("storage", Quantity.ZERO);
    }

    private static KubernetesObject withoutStatuses(KubernetesObject object) {
        return object instanceof PersistentVolumeClaim claim
                ? claim.withStatus(
                        claim.status().withAllocatedResources(Map.of()).withAllocatedResourceStatuses(Map.of()))
                : object;
    }

    /**
     * The control plane with a rule of the peer.
     *
     * @param real our control plane
     * @param plugins its plugins
     * @param rule a {@link BinderSwitch}, {@code scheduling} for {@link SchedulingOptions#UPSTREAM} and without D10, or the
     *     name of a planted bug, also of one that was ours
     */
    public static SimulatedControlPlane in(SimulatedControlPlane real, PluginRegistry plugins, String rule) {
        BinderOptions peer = BinderOptions.DEFAULT;
        if (rule.equals("scheduling")) {
            peer = peer.withSelectedNodeTtl(Optional.empty());
            return new Optioned(real, plugins, peer, SchedulingOptions.UPSTREAM);
        }
        for (BinderSwitch each : BinderSwitch.values()) {
            if (each.name().equals(rule)) {
                return new Optioned(real, plugins, peer.with(each), SchedulingOptions.DEFAULT);
            }
        }
        Stream<Mutant> own = Stream.of(
                CONFLICTS_WAIT,
                DEAF_TO_CLASSES,
                RELEASED_BY_CACHE,
                UNBOUND_LATER,
                NAMESPACES,
                NEVER_LOWERED,
                new ObjectFirst(),
                CONDITION_ALONE);
        Mutant mutant = Stream.of(
                        Mutants.all().stream(),
                        own,
                        PeerNodeRules.all().stream(),
                        OwnFaults.all().stream(),
                        OwnWakes.all().stream())
                .flatMap(each -> each)
                .filter(each -> each.name.equals(rule))
                .findFirst()
                .orElseThrow();
        return new MutantPlane(real, mutant);
    }

    private record Optioned(
            SimulatedControlPlane real, PluginRegistry plugins, BinderOptions binding, SchedulingOptions scheduling)
            implements SimulatedControlPlane {
        @Override
        public List<Controller> controllers() {
            List<Controller> optioned = new ArrayList<>(new Binder(binding, plugins).controllers());
            optioned.add(VolumeScheduling.scheduler(scheduling));
            return real.controllers().stream()
                    .map(each -> optioned.stream()
                            .filter(other -> other.name().equals(each.name()))
                            .findFirst()
                            .orElse(each))
                    .toList();
        }

        @Override
        public Optional<Agent> agent(NodeRef node) {
            return real.agent(node);
        }

        @Override
        public Map<String, Supplier<List<Controller>>> sidecars() {
            return real.sidecars();
        }

        @Override
        public Optional<Outcome<?>> success(Call call) {
            return real.success(call);
        }
    }
}
