// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All volumes, arranged for the question which of them a claim would get on a node (FindMatchingVolume with a node, semantics/binder
 * §2.2), so that no node's question looks at all volumes of a class.
 *
 * <p>Free volumes stand by class, in it by node affinity ({@link AffinityBuckets}), in that in order of capacity, then name. Volumes that
 * are for a claim, by their claimRef or because a bind is under way, stand by claim. Confined to the decider.
 */
final class StaticVolumes {
    /** T4: uid before no uid, smaller capacity, name. */
    private static final Comparator<StaticVolume> FOR_A_CLAIM = Comparator.comparing(StaticVolume::namesNoUid)
            .thenComparing(StaticVolume::capacity)
            .thenComparing(StaticVolume::name);

    private final boolean upstreamPhaseOrder;
    private final boolean upstreamMatching;
    private final Map<String, StaticVolume> byName = new HashMap<>();
    private final Map<String, AffinityBuckets> freeByClass = new HashMap<>();
    private final Multimap<ObjectKey, String> byClaim = new Multimap<>();
    private final Map<String, Reservation> reservations = new HashMap<>();
    private long probes;

    StaticVolumes(SchedulingOptions options) {
        upstreamPhaseOrder = options.upstreamPhaseOrder();
        upstreamMatching = options.upstreamMatching();
    }

    /**
     * A volume that a bind under way will give to a claim.
     *
     * @param claim the claim
     * @param claimUid its uid
     * @param pods whose binds they are; never empty
     */
    private record Reservation(ObjectKey claim, String claimUid, Set<ObjectKey> pods) {}

    /**
     * What a claim would get.
     *
     * @param volume the volume; empty if none
     * @param elsewhere a volume is for this claim but cannot be reached from the node, so that no other may be taken either (F9)
     */
    record Match(Optional<PersistentVolume> volume, boolean elsewhere) {
        static final Match NONE = new Match(Optional.empty(), false);
        static final Match ELSEWHERE = new Match(Optional.empty(), true);
    }

    void put(PersistentVolume volume) {
        remove(volume.metadata().name());
        StaticVolume entry = StaticVolume.of(volume, upstreamPhaseOrder);
        byName.put(entry.name(), entry);
        entry.claimedBy().ifPresent(claim -> byClaim.add(claim, entry.name()));
        if (isFree(entry)) {
            freeByClass
                    .computeIfAbsent(entry.storageClass(), c -> new AffinityBuckets())
                    .add(entry);
        }
    }

    void remove(String name) {
        StaticVolume before = byName.get(name);
        if (before == null) {
            return;
        }
        takeOut(before);
        byName.remove(name);
        before.claimedBy().ifPresent(claim -> {
            Reservation reservation = reservations.get(name);
            if (reservation == null || !reservation.claim.equals(claim)) {
                forget(claim, name);
            }
        });
    }

    private void forget(ObjectKey claim, String name) {
        byClaim.remove(claim, name);
    }

    private void takeOut(StaticVolume entry) {
        AffinityBuckets free = freeByClass.get(entry.storageClass());
        if (free != null && isFree(entry)) {
            free.remove(entry);
            if (free.isEmpty()) {
                freeByClass.remove(entry.storageClass());
            }
        }
    }

    private boolean isFree(StaticVolume entry) {
        return entry.free() && !reservations.containsKey(entry.name());
    }

    /** Whether any claim may take a volume now. */
    boolean isFree(String name) {
        StaticVolume entry = byName.get(name);
        return entry != null && isFree(entry);
    }

    /** The free volume's class; empty text if it has none or is not known. */
    String classOf(String name) {
        StaticVolume entry = byName.get(name);
        return entry == null ? "" : entry.storageClass();
    }

    // ---- binds under way ----

    /** Whether a volume could be reserved for a claim: it is free, for the claim, or reserved for it already. */
    boolean isObtainable(String name, PersistentVolumeClaim claim) {
        StaticVolume entry = byName.get(name);
        return entry != null && (isFree(entry) || isFor(entry, claim));
    }

    /**
     * Keeps a volume for a claim.
     *
     * @throws IllegalStateException if it is kept for another claim
     */
    void reserve(String name, ObjectKey claim, String claimUid, ObjectKey pod) {
        Reservation reservation = reservations.get(name);
        if (reservation != null) {
            if (!reservation.claim.equals(claim) || !reservation.claimUid.equals(claimUid)) {
                throw new IllegalStateException(name + " is kept for " + reservation.claim + ", not for " + claim);
            }
            reservation.pods.add(pod);
            return;
        }
        StaticVolume entry = byName.get(name);
        if (entry != null) {
            takeOut(entry);
        }
        Set<ObjectKey> pods = new TreeSet<>();
        pods.add(pod);
        reservations.put(name, new Reservation(claim, claimUid, pods));
        byClaim.add(claim, name);
    }

    /** Ends what a pod's bind keeps; the volume is free again if no other pod's does. */
    void release(String name, ObjectKey pod) {
        Reservation reservation = reservations.get(name);
        if (reservation == null || !reservation.pods.remove(pod) || !reservation.pods.isEmpty()) {
            return;
        }
        reservations.remove(name);
        StaticVolume entry = byName.get(name);
        if (entry == null || !entry.claimedBy().equals(Optional.of(reservation.claim))) {
            forget(reservation.claim, name);
        }
        if (entry != null && isFree(entry)) {
            freeByClass
                    .computeIfAbsent(entry.storageClass(), c -> new AffinityBuckets())
                    .add(entry);
        }
    }

    // ---- matching ----

    /**
     * The volume that a claim would get on a node.
     *
     * @param excluded volumes that other claims of the same pod get (F2)
     */
    Match match(PersistentVolumeClaim claim, Map<String, String> nodeLabels, Set<String> excluded) {
        Optional<StaticVolume> own = ownVolume(claim, excluded);
        if (own.isPresent()) {
            return reaches(own.get(), nodeLabels)
                    ? new Match(Optional.of(own.get().volume()), false)
                    : Match.ELSEWHERE; // F9
        }
        AffinityBuckets free = freeByClass.get(StorageClasses.nameOf(claim).orElse(""));
        Optional<StaticVolume> best = free == null
                ? Optional.empty()
                : free.first(claim.spec().requestedStorage(), nodeLabels, volume -> {
                    probes++;
                    return !excluded.contains(volume.name())
                            && volume.satisfies(claim)
                            && volume.isSelectedBy(claim)
                            && volume.offersModesOf(claim);
                });
        return best.isEmpty() ? Match.NONE : new Match(best.map(StaticVolume::volume), false);
    }

    /** The volume that is already for the claim; not looked for in other classes if upstream's way is asked for (T8). */
    private Optional<StaticVolume> ownVolume(PersistentVolumeClaim claim, Set<String> excluded) {
        Collection<String> names = byClaim.of(ObjectKey.of(claim));
        return names.stream()
                .map(byName::get)
                .flatMap(entry -> Optional.ofNullable(entry).stream())
                .filter(entry -> !excluded.contains(entry.name())
                        && isFor(entry, claim)
                        && entry.satisfies(claim)
                        && (upstreamMatching
                                ? entry.storageClass()
                                        .equals(StorageClasses.nameOf(claim).orElse(""))
                                : entry.offersModesOf(claim)))
                .min(FOR_A_CLAIM);
    }

    /** The volume that a bind under way will give to a claim. */
    Optional<String> keptFor(PersistentVolumeClaim claim) {
        return byClaim.of(ObjectKey.of(claim)).stream()
                .filter(name -> {
                    Reservation reservation = reservations.get(name);
                    return reservation != null
                            && reservation.claimUid.equals(claim.metadata().uid())
                            && reservation.claim.equals(ObjectKey.of(claim));
                })
                .findFirst();
    }

    /** Whether any volume, in whatever state, is for a claim. */
    boolean hasVolumeFor(PersistentVolumeClaim claim) {
        return byClaim.of(ObjectKey.of(claim)).stream()
                .map(byName::get)
                .anyMatch(entry -> entry != null && isFor(entry, claim));
    }

    private boolean isFor(StaticVolume entry, PersistentVolumeClaim claim) {
        Reservation reservation = reservations.get(entry.name());
        if (reservation == null) {
            return entry.isFor(claim);
        }
        boolean kept = reservation.claim.equals(ObjectKey.of(claim))
                && reservation.claimUid.equals(claim.metadata().uid());
        return kept && (entry.claimedBy().isEmpty() || entry.isFor(claim));
    }

    private static boolean reaches(StaticVolume entry, Map<String, String> nodeLabels) {
        return entry.affinity().map(nodes -> nodes.matches(nodeLabels)).orElse(true);
    }

    /** How many free volumes all matches so far looked at; for tests. */
    long probes() {
        return probes;
    }

    /** Whether nothing is left of any volume, claim or bind; for tests. */
    boolean isEmpty() {
        return byName.isEmpty() && freeByClass.isEmpty() && byClaim.isEmpty() && reservations.isEmpty();
    }

    /** Who keeps what; for tests. */
    List<String> reserved() {
        return List.copyOf(new TreeMap<>(reservations).keySet());
    }
}
