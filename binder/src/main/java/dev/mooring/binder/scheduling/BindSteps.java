// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.control.Claiming;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * From an assumption to bound claims (semantics/binder §3.6, PreBind). First all volumes name their claims, then all claims to provision
 * name their node; the binder does the rest. Each step looks at the objects and asks for what is missing, so that a write that was
 * answered by a conflict is simply made again as long as it still makes sense. Pure.
 */
final class BindSteps {
    static final String CLAIM_VOLUME = "claim-volume";
    static final String SELECT_NODE = "select-node";
    static final String DROP_NODE = "drop-node";

    private final BindProgress before;
    private final Assumption assumption;
    private final Situation situation;
    private final SchedulingView view;
    private final Set<String> volumes;
    private final Set<ObjectKey> claims;
    private final List<Effect> writes = new ArrayList<>();
    private boolean waiting;

    /** Why the bind cannot come true any more. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        private final String reason;

        Broken(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    private BindSteps(BindProgress before, Situation situation, SchedulingView view) {
        this.before = before;
        this.assumption = before.assumption();
        this.situation = situation;
        this.view = view;
        this.volumes = new TreeSet<>(before.volumes());
        this.claims = new TreeSet<>(before.claims());
    }

    /** The next step. */
    static BindStep next(BindProgress progress, Situation situation, SchedulingView view) {
        return new BindSteps(progress, situation, view).next();
    }

    private BindStep next() {
        Duration elapsed = before.elapsed(situation.now().monotonicNanos());
        try {
            requireNoRefusal();
            requirePod();
            Node node = node();
            for (StaticBinding binding : assumption.bindings()) {
                bind(binding, node);
            }
            if (writes.isEmpty()) {
                for (Provision provision : assumption.provisions()) {
                    selectNode(provision);
                }
            }
            if (writes.isEmpty()) {
                awaitClaims(node);
            }
        } catch (Broken broken) {
            return BindStep.failed(before, broken.reason(), List.of());
        }
        BindProgress progress = new BindProgress(assumption, volumes, claims, before.startedNanos());
        if (writes.isEmpty() && !waiting) {
            return BindStep.bound(progress);
        }
        return elapsed.compareTo(view.options().bindTimeout()) >= 0
                ? BindStep.failed(progress, "timed out waiting for the claims to be bound", dropNode(elapsed))
                : BindStep.goesOn(progress, writes);
    }

    /** A write of this bind that was refused will be refused again. One of a bind before it may be answered only now, and says nothing. */
    private void requireNoRefusal() throws Broken {
        for (EffectResult result : situation.results()) {
            boolean refused = result.storeFailure()
                    .filter(failure -> failure == Failure.INVALID || failure == Failure.FORBIDDEN)
                    .isPresent();
            if (refused
                    && result.effect() instanceof Effect.Update<?> update
                    && isOurs(update.change().edited())) {
                throw new Broken(result.message());
            }
        }
    }

    private boolean isOurs(KubernetesObject written) {
        if (written instanceof PersistentVolume volume) {
            String claimUid = volume.spec().claimRef().map(ObjectReference::uid).orElse("");
            return assumption.bindings().stream()
                    .anyMatch(
                            binding -> binding.volume().equals(volume.metadata().name())
                                    && binding.claimUid().equals(claimUid));
        }
        boolean here = written.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .filter(assumption.node()::equals)
                .isPresent();
        return here
                && assumption.provisions().stream()
                        .anyMatch(provision ->
                                provision.claimUid().equals(written.metadata().uid()));
    }

    private void requirePod() throws Broken {
        Optional<Pod> pod = situation.caches().get(Kinds.POD, assumption.pod());
        boolean same = pod.filter(found -> found.metadata().uid().equals(assumption.podUid()))
                .isPresent();
        if (!same || pod.get().metadata().isDeleting()) {
            throw new Broken("pod " + assumption.pod() + " does not exist any more");
        }
    }

    private Node node() throws Broken {
        return situation
                .caches()
                .get(Kinds.NODE, ObjectKey.cluster(assumption.node()))
                .orElseThrow(() -> new Broken("node \"" + assumption.node() + "\" not found"));
    }

    private PersistentVolumeClaim claim(ObjectKey key, String uid) throws Broken {
        PersistentVolumeClaim claim = view.claim(key)
                .filter(found -> found.metadata().uid().equals(uid))
                .orElseThrow(() -> new Broken("persistentvolumeclaim \"" + key.name() + "\" not found"));
        if (claim.metadata().isDeleting()) {
            throw new Broken("persistentvolumeclaim \"" + key.name() + "\" is being deleted");
        }
        return claim;
    }

    private void bind(StaticBinding binding, Node node) throws Broken {
        PersistentVolumeClaim claim = claim(binding.claim(), binding.claimUid());
        PersistentVolume volume = view.volume(binding.volume())
                .orElseThrow(() -> new Broken("persistentvolume \"" + binding.volume() + "\" not found"));
        String bound = claim.spec().volumeName();
        if (!bound.isEmpty() && !bound.equals(binding.volume())) {
            throw new Broken("persistentvolumeclaim \"" + claim.metadata().name() + "\" got volume \"" + bound + "\"");
        }
        requireReach(volume, node);
        PersistentVolume claimed = Claiming.claimed(volume, claim);
        if (claimed.equals(volume)) {
            volumes.add(binding.volume());
        } else if (volumes.contains(binding.volume())) {
            throw new Broken("ClaimRef got reset for pv " + binding.volume());
        } else if (!Claiming.mayClaim(volume, claim)) {
            throw new Broken("volume \"" + binding.volume() + "\" is not free any more");
        } else {
            writes.add(new Effect.Update<>(CLAIM_VOLUME, Kinds.PERSISTENT_VOLUME, new Change<>(volume, claimed)));
        }
    }

    private void requireReach(PersistentVolume volume, Node node) throws Broken {
        boolean reaches = volume.spec()
                .nodeAffinity()
                .map(affinity -> affinity.matches(node.metadata().labels()))
                .orElse(true);
        if (!reaches) {
            throw new Broken("pv \"" + volume.metadata().name() + "\" node affinity doesn't match node \""
                    + node.metadata().name() + "\"");
        }
    }

    private void selectNode(Provision provision) throws Broken {
        PersistentVolumeClaim claim = claim(provision.claim(), provision.claimUid());
        if (!claim.spec().volumeName().isEmpty()) {
            return;
        }
        Optional<String> selected =
                claim.metadata().annotation(Annotations.SELECTED_NODE).filter(name -> !name.isEmpty());
        if (selected.equals(Optional.of(assumption.node()))) {
            claims.add(provision.claim());
        } else if (selected.isPresent() || claims.contains(provision.claim())) {
            throw new Broken("provisioning failed for PVC \"" + claim.metadata().name() + "\"");
        } else {
            writes.add(new Effect.Update<>(
                    SELECT_NODE,
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    new Change<>(
                            claim,
                            claim.withMetadata(
                                    claim.metadata().withAnnotation(Annotations.SELECTED_NODE, assumption.node())))));
        }
    }

    private void awaitClaims(Node node) throws Broken {
        for (StaticBinding binding : assumption.bindings()) {
            awaitClaim(claim(binding.claim(), binding.claimUid()), node);
        }
        for (Provision provision : assumption.provisions()) {
            awaitClaim(claim(provision.claim(), provision.claimUid()), node);
        }
        for (ObjectKey key : assumption.bound()) {
            PersistentVolumeClaim claim = view.claim(key)
                    .orElseThrow(() -> new Broken("persistentvolumeclaim \"" + key.name() + "\" not found"));
            awaitClaim(claim(key, claim.metadata().uid()), node);
        }
    }

    private void awaitClaim(PersistentVolumeClaim claim, Node node) throws Broken {
        Optional<PersistentVolume> volume = view.volume(claim.spec().volumeName());
        if (!PodClaims.isBound(claim) || volume.isEmpty()) {
            waiting = true;
        } else {
            requireReach(volume.get(), node);
        }
    }

    /** Claims for which nothing was made in all that time may get another node (#135771, D10). */
    private List<Effect> dropNode(Duration elapsed) {
        boolean drops = view.options()
                .selectedNodeTtl()
                .filter(ttl -> elapsed.compareTo(ttl) >= 0)
                .isPresent();
        List<Effect> effects = new ArrayList<>();
        for (Provision provision : drops ? assumption.provisions() : List.<Provision>of()) {
            view.claim(provision.claim())
                    .filter(claim -> claim.metadata().uid().equals(provision.claimUid())
                            && claim.spec().volumeName().isEmpty()
                            && claim.metadata()
                                    .annotation(Annotations.SELECTED_NODE)
                                    .equals(Optional.of(assumption.node()))
                            && !view.volumes().hasVolumeFor(claim))
                    .ifPresent(claim -> effects.add(new Effect.Update<>(
                            DROP_NODE,
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            new Change<>(
                                    claim,
                                    claim.withMetadata(
                                            claim.metadata().withoutAnnotation(Annotations.SELECTED_NODE))))));
        }
        return effects;
    }
}
