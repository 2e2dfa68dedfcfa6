// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.binder.index.WaitingClaims;
import dev.mooring.binder.uses.AttachedVolumes;
import dev.mooring.binder.uses.PodsByClaim;
import dev.mooring.runtime.cache.Multimap;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is derived from the caches and from the key states, so that no decision searches: which volumes are free, which claim holds
 * which volume, which claims name a volume, which wait, which were offered one. Confined to the decider.
 */
final class BinderIndexes {
    private final int maxBindsInFlight;
    private final Set<ObjectKey> underWay = new HashSet<>();
    private final Map<ObjectKey, Rank> queued = new HashMap<>();
    private final TreeMap<Rank, ObjectKey> queue = new TreeMap<>();
    private final VolumeIndex volumes;
    private final RecycleOverlaps overlaps;
    private final WaitingClaims waiting = new WaitingClaims();
    private final KnownClasses classes = new KnownClasses();
    private final PodsByClaim pods = new PodsByClaim();
    private final AttachedVolumes attached = new AttachedVolumes();
    private final Map<String, ObjectKey> reservations = new HashMap<>();
    private final Map<ObjectKey, String> heldBy = new HashMap<>();
    private final Multimap<String, ObjectKey> claimsByVolumeName = new Multimap<>();
    private final Multimap<ObjectKey, ObjectKey> claimsBySource = new Multimap<>();
    private final Multimap<ObjectKey, ObjectKey> claimsBySnapshot = new Multimap<>();
    private final Map<ObjectKey, Set<String>> offers = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    private final KnownNodes nodes = new KnownNodes();
    private final VolumesAwaitingNodes awaitingNodes = new VolumesAwaitingNodes(nodes);

    BinderIndexes(boolean onlyAvailable, int maxBindsInFlight, PluginRegistry plugins) {
        overlaps = new RecycleOverlaps(plugins);
        this.maxBindsInFlight = maxBindsInFlight;
        volumes = new VolumeIndex(onlyAvailable);
    }

    VolumeIndex volumes() {
        return volumes;
    }

    WaitingClaims waiting() {
        return waiting;
    }

    RecycleOverlaps overlaps() {
        return overlaps;
    }

    KnownNodes nodes() {
        return nodes;
    }

    /** The released volumes that wait for changes of nodes. */
    VolumesAwaitingNodes awaitingNodes() {
        return awaitingNodes;
    }

    KnownClasses classes() {
        return classes;
    }

    PodsByClaim pods() {
        return pods;
    }

    AttachedVolumes attached() {
        return attached;
    }

    /** The volume that fits a claim best, by name; one that a bind in flight holds for this claim counts as free for it. */
    Optional<String> match(PersistentVolumeClaim claim, MatchOptions options) {
        String held = heldBy.get(ObjectKey.of(claim));
        if (held == null) {
            return volumes.findBestMatch(claim, options)
                    .map(volume -> volume.metadata().name());
        }
        volumes.release(held);
        try {
            return volumes.findBestMatch(claim, options)
                    .map(volume -> volume.metadata().name());
        } finally {
            volumes.reserve(held, claim.metadata().uid());
        }
    }

    /** The volumes whose claimRef names a claim, by name. */
    List<String> claimedBy(ObjectKey claim) {
        return volumes.claimedBy(claim.namespace(), claim.name()).stream()
                .map(volume -> volume.metadata().name())
                .toList();
    }

    // ---- reservations: binds in flight ----

    Optional<ObjectKey> reservedBy(String volume) {
        return Optional.ofNullable(reservations.get(volume));
    }

    boolean reservedForOther(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectKey holder = reservations.get(volume.metadata().name());
        return holder != null && !holder.equals(ObjectKey.of(claim));
    }

    void reserve(String volume, ObjectKey claim, String claimUid) {
        ObjectKey before = reservations.put(volume, claim);
        if (before != null) {
            heldBy.remove(before, volume);
            underWay.remove(before);
            volumes.release(volume);
        }
        heldBy.put(claim, volume);
        volumes.reserve(volume, claimUid);
    }

    /** Ends a claim's reservation of a volume, unless another claim has taken it over. */
    void release(String volume, ObjectKey claim) {
        heldBy.remove(claim, volume);
        if (reservations.remove(volume, claim)) {
            volumes.release(volume);
        }
    }

    /** Whether another bind may begin; one that is under way may always go on (D4). */
    boolean mayBind(ObjectKey claim) {
        return underWay.size() < maxBindsInFlight || underWay.contains(claim);
    }

    /** Notes whether a claim's bind is one of those that are under way. */
    void underWay(ObjectKey claim, boolean isUnderWay) {
        if (isUnderWay) {
            underWay.add(claim);
        } else {
            underWay.remove(claim);
        }
    }

    /**
     * Notes that a claim waits until fewer binds are under way.
     *
     * @param rank where it stands among those that wait; no two claims have the same
     */
    void queue(ObjectKey claim, Rank rank) {
        dequeue(claim);
        queued.put(claim, rank);
        queue.put(rank, claim);
    }

    /** Notes that a claim does not wait for that. */
    void dequeue(ObjectKey claim) {
        Rank rank = queued.remove(claim);
        if (rank != null) {
            queue.remove(rank);
        }
    }

    /** Who may begin now, by rank (D18); empty if no claim waits or too many binds are under way. */
    Optional<ObjectKey> nextInQueue() {
        return queue.isEmpty() || underWay.size() >= maxBindsInFlight
                ? Optional.empty()
                : Optional.of(queue.firstEntry().getValue());
    }

    // ---- claims that name a volume ----

    void nameVolume(Optional<PersistentVolumeClaim> before, Optional<PersistentVolumeClaim> after) {
        before.ifPresent(claim -> claimsByVolumeName.remove(claim.spec().volumeName(), ObjectKey.of(claim)));
        after.filter(claim -> !claim.spec().volumeName().isEmpty())
                .ifPresent(claim -> claimsByVolumeName.add(claim.spec().volumeName(), ObjectKey.of(claim)));
    }

    Set<ObjectKey> claimsNaming(String volume) {
        return claimsByVolumeName.of(volume);
    }

    // ---- claims that are filled from a claim or a snapshot ----

    void nameSource(Optional<PersistentVolumeClaim> before, Optional<PersistentVolumeClaim> after) {
        before.ifPresent(claim -> {
            ContentSources.claimNamed(claim).ifPresent(source -> claimsBySource.remove(source, ObjectKey.of(claim)));
            ContentSources.snapshotNamed(claim)
                    .ifPresent(source -> claimsBySnapshot.remove(source, ObjectKey.of(claim)));
        });
        after.filter(claim -> claim.spec().volumeName().isEmpty()).ifPresent(claim -> {
            ContentSources.claimNamed(claim).ifPresent(source -> claimsBySource.add(source, ObjectKey.of(claim)));
            ContentSources.snapshotNamed(claim).ifPresent(source -> claimsBySnapshot.add(source, ObjectKey.of(claim)));
        });
    }

    /** The claims without a volume that are to be clones of a claim. */
    Set<ObjectKey> clonesOf(ObjectKey source) {
        return claimsBySource.of(source);
    }

    /** The claims without a volume that are to be filled from a snapshot. */
    Set<ObjectKey> restoredFrom(ObjectKey snapshot) {
        return claimsBySnapshot.of(snapshot);
    }

    // ---- offers: a volume that appeared wakes one waiting claim at a time (D18) ----

    Optional<ObjectKey> nextOffer(PersistentVolume volume, Set<ObjectKey> declined) {
        return volumes.isFree(volume.metadata().name()) ? waiting.bestFor(volume, declined) : Optional.empty();
    }

    void offer(String volume, ObjectKey claim) {
        answered.remove(volume);
        offers.computeIfAbsent(claim, c -> new TreeSet<>()).add(volume);
    }

    /** A claim has decided; answers with the volumes that were offered to it. */
    Set<String> answer(ObjectKey claim) {
        Set<String> offered = offers.remove(claim);
        if (offered == null) {
            return Set.of();
        }
        answered.addAll(offered);
        return offered;
    }

    boolean hasAnswered(String volume) {
        return answered.contains(volume);
    }

    /** Forgets an offer, and what the claim has said to it, or may yet say: it would be taken for the answer to a later one. */
    void withdraw(String volume, ObjectKey claim) {
        answered.remove(volume);
        Set<String> offered = offers.get(claim);
        if (offered != null && offered.remove(volume) && offered.isEmpty()) {
            offers.remove(claim);
        }
    }
}
