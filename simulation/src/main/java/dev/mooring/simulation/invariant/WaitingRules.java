// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A waiting object has an event (N1): one that has waited longer than {@link Defaults#LONG_WAIT} has an event about itself that came since
 * it began to wait. Time counts only while the controllers and the agents of all machines that are up run and follow their watches; a
 * process that starts again knows only from then on that a claim or a pod waits.
 */
final class WaitingRules implements Invariant {
    /** What the steps between the beginning of a wait and a controller's first decision about it may take. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private static final List<String> OURS = List.of(
            Finalizers.PVC_PROTECTION, Finalizers.PROVISIONING, Finalizers.PV_CONTROLLER, Finalizers.PV_PROTECTION);

    private final Map<Waiter, Wait> waits = new HashMap<>();

    /** Objects that had an event and, for a moment only, did not wait: a change that is taken back ends no wait. */
    private final Map<Waiter, Pause> interrupted = new HashMap<>();

    private record Pause(Wait interrupted, Duration since) {}

    /** An object that waits, and for what kind of thing. An object that goes on to wait for another thing is the same. */
    private record Waiter(Kind<?> kind, ObjectKey object, String uid, String aim) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Waiter waiter
                    && kind.equals(waiter.kind)
                    && object.equals(waiter.object)
                    && uid.equals(waiter.uid);
        }

        @Override
        public int hashCode() {
            return Objects.hash(kind, object, uid);
        }

        static Waiter of(Kind<?> kind, KubernetesObject object, String aim) {
            return new Waiter(kind, ObjectKey.of(object), object.metadata().uid(), aim);
        }

        @Override
        public String toString() {
            return kind.name() + " " + object + " " + aim;
        }
    }

    private static final class Wait {
        private final Duration since;
        private boolean told;

        Wait(Duration since) {
            this.since = since;
        }
    }

    @Override
    public void told(WorldView world, Announcement news, Findings findings) {
        look(world, findings); // an event that comes too late does not help
        waits.forEach((waiter, wait) -> wait.told |= waiter.kind().equals(news.kind())
                && waiter.object().equals(news.object())
                && waiter.uid().equals(news.uid()));
    }

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        look(world, findings);
    }

    @Override
    public void step(WorldView world, Findings findings) {
        look(world, findings);
    }

    @Override
    public void atRest(WorldView world, Findings findings) {
        look(world, findings);
    }

    private void look(WorldView world, Findings findings) {
        Set<Waiter> waiting = new HashSet<>(waiters(world));
        // Those that have waited until now are judged first: what has just happened may end the wait.
        waits.forEach((waiter, wait) -> judge(world, waiter, wait, findings));
        Duration now = world.elapsed();
        interrupted.values().removeIf(pause -> now.minus(pause.since()).compareTo(SLACK) > 0);
        waits.forEach((waiter, wait) -> {
            if (wait.told && !waiting.contains(waiter)) {
                interrupted.put(waiter, new Pause(wait, now));
            }
        });
        waits.keySet().retainAll(waiting);
        waiting.forEach(waiter -> waits.computeIfAbsent(waiter, added -> {
            Pause pause = interrupted.remove(waiter);
            return pause == null ? new Wait(now) : pause.interrupted();
        }));
    }

    private static void judge(WorldView world, Waiter waiter, Wait wait, Findings findings) {
        Duration served = world.elapsed().minus(wait.since);
        if (world.undisturbed().compareTo(served) < 0) {
            served = world.undisturbed();
        }
        boolean late = served.compareTo(Defaults.LONG_WAIT.plus(SLACK)) > 0;
        findings.require(!late || wait.told, "N1", waiter + " and no event says why");
    }

    private static Collection<Waiter> waiters(WorldView world) {
        List<Waiter> waiting = new ArrayList<>();
        world.pods().forEach(pod -> pod(world, pod).ifPresent(waiting::add));
        world.claims().forEach(claim -> claim(claim).ifPresent(waiting::add));
        world.volumes().forEach(volume -> volume(volume).ifPresent(waiting::add));
        for (VolumeAttachment attachment : world.attachments()) {
            if (attachment.metadata().isDeleting()
                    || attachment.metadata().annotations().containsKey(Annotations.DETACH_REQUESTED_AT)) {
                waiting.add(Waiter.of(Kinds.VOLUME_ATTACHMENT, attachment, "waits to be detached"));
            }
        }
        return waiting;
    }

    private static Optional<Waiter> pod(WorldView world, Pod pod) {
        String node = pod.spec().nodeName();
        boolean served = world.isUp(node)
                && world.find(Kinds.NODE, ObjectKey.cluster(node)).isPresent();
        if (!served) {
            return Optional.empty();
        }
        if (pod.metadata().isDeleting()) {
            return Optional.of(Waiter.of(Kinds.POD, pod, "waits to go"));
        }
        return pod.status().phase() == PodPhase.PENDING
                ? Optional.of(Waiter.of(Kinds.POD, pod, "waits to run"))
                : Optional.empty();
    }

    private static Optional<Waiter> claim(PersistentVolumeClaim claim) {
        if (claim.metadata().isDeleting()) {
            return claim.metadata().finalizers().stream().anyMatch(OURS::contains)
                    ? Optional.of(Waiter.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "waits to go"))
                    : Optional.empty();
        }
        if (claim.status().phase() == ClaimPhase.PENDING) {
            return Optional.of(Waiter.of(Kinds.PERSISTENT_VOLUME_CLAIM, claim, "waits for a volume"));
        }
        Optional<Quantity> has = Optional.ofNullable(claim.status().capacity().get("storage"));
        return claim.status().phase() == ClaimPhase.BOUND
                        && has.filter(size -> size.compareTo(claim.spec().requestedStorage()) < 0)
                                .isPresent()
                ? Optional.of(Waiter.of(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        claim,
                        "waits to grow to " + claim.spec().requestedStorage()))
                : Optional.empty();
    }

    private static Optional<Waiter> volume(PersistentVolume volume) {
        ReclaimPolicy policy = volume.spec().persistentVolumeReclaimPolicy();
        PersistentVolumePhase phase = volume.status().phase();
        boolean reclaimed = (phase == PersistentVolumePhase.RELEASED || phase == PersistentVolumePhase.FAILED)
                && (policy == ReclaimPolicy.DELETE || policy == ReclaimPolicy.RECYCLE);
        boolean deleted = volume.metadata().isDeleting()
                && volume.metadata().finalizers().stream().anyMatch(OURS::contains);
        return reclaimed || deleted
                ? Optional.of(
                        Waiter.of(Kinds.PERSISTENT_VOLUME, volume, reclaimed ? "waits to be reclaimed" : "waits to go"))
                : Optional.empty();
    }
}
