// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.runtime.cache.Multimap;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait, arranged by what can help them: so that a change wakes exactly those that it can help, and nothing has
 * to be looked at again from time to time (D3).
 *
 * <h2>Structure</h2>
 *
 * <pre>
 *   claims        claim                     → what it waits for
 *   byDemand      class, attributes class,  → sequences of claims, largest request first
 *                 volume mode, set of
 *                 modes, one label value
 *                 that the selector demands
 *   withoutValue  selector that requires no   → how many claims have it
 *                 value of a label
 *   byVolume, byClass,      name            → claims
 *   byAttributesClass
 *   byNode        name                      → claims for which that node has been chosen
 *   forSomeNode   class                     → claims that wait for a node on which it allows storage
 *   forDefaultClass                         → claims
 * </pre>
 *
 * <p>A claim with a selector stands under one label value that a volume must have to be selected (under each of them if the selector
 * lists several), so a volume meets only claims that one of its labels invites. Claims whose selector requires no value ({@code Exists},
 * {@code DoesNotExist}, {@code NotIn}) stand by their selector, which is tried once, however many claims have it.
 *
 * <h2>Who is offered a volume</h2>
 *
 * <p>Of the claims that wait for any volume and that the volume would suit, the one with the largest request; of equal ones the oldest,
 * then by namespace and name (D18). So a small claim does not spoil a large volume while another claim needs it, and contention is decided
 * by order, not by chance.
 *
 * <p>Single-threaded: confined to the decider.
 */
public final class WaitingClaims {
    private final ProbeCounter probes = new ProbeCounter();
    private final Map<ObjectKey, WaitingClaim> claims = new TreeMap<>();
    private final Map<Place, SortedLeaves<WaitingClaim>> byDemand = new HashMap<>();
    /** The selectors of waiting claims that require no value, and how many claims have each. */
    private final Map<LabelSelector, Integer> withoutValue = new HashMap<>();

    private final Multimap<String, ObjectKey> byVolume = new Multimap<>();
    private final Multimap<String, ObjectKey> byClass = new Multimap<>();
    private final Multimap<String, ObjectKey> byAttributesClass = new Multimap<>();
    private final Set<ObjectKey> forDefaultClass = new TreeSet<>();
    private final Multimap<String, ObjectKey> byNode = new Multimap<>();
    private final Map<String, Set<ObjectKey>> forSomeNode = new TreeMap<>();

    // ---- who waits ----

    /** Notes that a claim waits; what was noted of it before is forgotten. */
    public void register(PersistentVolumeClaim claim, Awaited awaited) {
        WaitingClaim waiting = new WaitingClaim(claim, awaited);
        unregister(waiting.claim());
        claims.put(waiting.claim(), waiting);
        if (awaited.freeVolume()) {
            selectorWithoutValue(waiting).ifPresent(selector -> withoutValue.merge(selector, 1, Integer::sum));
            for (Place place : Place.of(waiting)) {
                byDemand.computeIfAbsent(place, first -> new SortedLeaves<>(probes))
                        .add(waiting);
            }
        }
        note(byVolume, awaited.volumeName(), waiting.claim());
        note(byClass, awaited.className(), waiting.claim());
        note(byAttributesClass, awaited.attributesClassName(), waiting.claim());
        if (awaited.defaultClass()) {
            forDefaultClass.add(waiting.claim());
        }
        awaited.nodeNames().forEach(node -> byNode.add(node, waiting.claim()));
        if (awaited.someNode()) {
            forSomeNode
                    .computeIfAbsent(awaited.className(), first -> new TreeSet<>())
                    .add(waiting.claim());
        }
    }

    /** Notes that a claim waits for what it asks for itself, see {@link Awaited#by}. */
    public void register(PersistentVolumeClaim claim) {
        register(claim, Awaited.by(claim));
    }

    /** Forgets a claim; whether it was waiting. */
    public boolean unregister(ObjectKey claim) {
        WaitingClaim waiting = claims.remove(claim);
        if (waiting == null) {
            return false;
        }
        Awaited awaited = waiting.awaited();
        if (awaited.freeVolume()) {
            selectorWithoutValue(waiting)
                    .ifPresent(selector ->
                            withoutValue.computeIfPresent(selector, (same, count) -> count == 1 ? null : count - 1));
            for (Place place : Place.of(waiting)) {
                SortedLeaves<WaitingClaim> sequence = byDemand.get(place);
                if (sequence != null && sequence.remove(waiting) && sequence.isEmpty()) {
                    byDemand.remove(place);
                }
            }
        }
        byVolume.remove(awaited.volumeName(), claim);
        byClass.remove(awaited.className(), claim);
        byAttributesClass.remove(awaited.attributesClassName(), claim);
        forDefaultClass.remove(claim);
        awaited.nodeNames().forEach(node -> byNode.remove(node, claim));
        if (awaited.someNode()) {
            forSomeNode.computeIfPresent(awaited.className(), (same, waiters) -> {
                waiters.remove(claim);
                return waiters.isEmpty() ? null : waiters;
            });
        }
        return true;
    }

    private static Optional<LabelSelector> selectorWithoutValue(WaitingClaim claim) {
        return Optional.ofNullable(claim.selector())
                .filter(selector -> Equality.of(selector).isEmpty());
    }

    private static void note(Multimap<String, ObjectKey> index, String name, ObjectKey claim) {
        if (!name.isEmpty()) {
            index.add(name, claim);
        }
    }

    /** What a claim waits for; empty if it does not wait. */
    public Optional<Awaited> awaitedBy(ObjectKey claim) {
        return Optional.ofNullable(claims.get(claim)).map(WaitingClaim::awaited);
    }

    /** How many claims wait. */
    public int size() {
        return claims.size();
    }

    // ---- which claims a change concerns ----

    /** The claim that a free volume is offered to first. The caller knows whether the volume is free. */
    public Optional<ObjectKey> bestFor(PersistentVolume volume) {
        return bestFor(volume, Set.of());
    }

    /**
     * The claim that a free volume is offered to after some have declined it.
     *
     * @param declined the claims that have not taken it; only asked for membership
     */
    public Optional<ObjectKey> bestFor(PersistentVolume volume, Set<ObjectKey> declined) {
        VolumeEntry entry = new VolumeEntry(volume, false);
        if (entry.volumeMode() == VolumeMode.UNKNOWN) {
            return Optional.empty();
        }
        Ranked capacity = negatedCapacity(entry);
        List<LabelSelector> selecting = withoutValue.keySet().stream()
                .filter(selector -> selector.matches(entry.labels()))
                .toList();
        probes.add(withoutValue.size());
        WaitingClaim best = null;
        for (int mask : ModeMasks.subsetsOf(entry.mask())) {
            best = better(best, firstAt(Place.withoutLabel(entry, mask), capacity, entry, declined));
            for (LabelSelector selector : selecting) {
                best = better(best, firstAt(Place.selectedBy(selector, entry, mask), capacity, entry, declined));
            }
            for (Map.Entry<String, String> label : entry.labels().entrySet()) {
                Place place = Place.withLabel(entry, mask, label.getKey(), label.getValue());
                best = better(best, firstAt(place, capacity, entry, declined));
            }
        }
        return Optional.ofNullable(best).map(WaitingClaim::claim);
    }

    private static Ranked negatedCapacity(VolumeEntry volume) {
        return new Amount(AmountKeys.floorOfNegated(volume.quantity()), volume.exact(), volume.quantity());
    }

    private static @Nullable WaitingClaim better(@Nullable WaitingClaim best, @Nullable WaitingClaim other) {
        return best == null || (other != null && other.isBefore(best)) ? other : best;
    }

    private @Nullable WaitingClaim firstAt(Place place, Ranked capacity, VolumeEntry volume, Set<ObjectKey> declined) {
        SortedLeaves<WaitingClaim> sequence = byDemand.get(place);
        if (sequence == null) {
            return null;
        }
        long at = sequence.seek(capacity);
        WaitingClaim claim = sequence.at(at);
        int steps = 1;
        while (claim != null && !(claim.selects(volume.labels()) && !declined.contains(claim.claim()))) {
            at = sequence.next(at);
            claim = sequence.at(at);
            steps++;
        }
        probes.add(steps);
        return claim;
    }

    /** The claims that wait for the volume of a name, in order of their keys. */
    public List<ObjectKey> waitingForVolume(String name) {
        return List.copyOf(byVolume.of(name));
    }

    /** The claims that wait for the storage class of a name, in order of their keys. */
    public List<ObjectKey> waitingForClass(String name) {
        return List.copyOf(byClass.of(name));
    }

    /** The claims that wait for the class of attributes of a name, in order of their keys. */
    public List<ObjectKey> waitingForAttributesClass(String name) {
        return List.copyOf(byAttributesClass.of(name));
    }

    /** The claims that wait for a default class, in order of their keys. */
    public List<ObjectKey> waitingForDefaultClass() {
        return List.copyOf(forDefaultClass);
    }

    /** The claims for which the node of a name has been chosen, in order of their keys. */
    public List<ObjectKey> waitingForNode(String name) {
        return List.copyOf(byNode.of(name));
    }

    /** The classes for which a node is missing, by name. */
    public List<String> classesWithoutNode() {
        return List.copyOf(forSomeNode.keySet());
    }

    /** The claims that wait for a node on which their class, of this name, allows new storage, in order of their keys. */
    public List<ObjectKey> waitingForSomeNode(String className) {
        return List.copyOf(forSomeNode.getOrDefault(className, Set.of()));
    }

    /** All claims that wait for a certain node or for some node, in order of their keys. */
    public List<ObjectKey> waitingForNodes() {
        return claims.values().stream()
                .filter(waiting -> waiting.awaited().someNode()
                        || !waiting.awaited().nodeNames().isEmpty())
                .map(WaitingClaim::claim)
                .toList();
    }

    // ---- counters ----

    /** How many comparisons with waiting claims have been made so far. */
    public long probes() {
        return probes.count();
    }

    /** Throws if an invariant does not hold; looks at everything. */
    void check() {
        byDemand.values().forEach(SortedLeaves::check);
        if (byDemand.values().stream().anyMatch(SortedLeaves::isEmpty)) {
            throw new IllegalStateException("a place without waiting claims is kept");
        }
        int expected = claims.values().stream()
                .filter(waiting -> waiting.awaited().freeVolume())
                .mapToInt(waiting -> Place.of(waiting).size())
                .sum();
        int found = byDemand.values().stream().mapToInt(SortedLeaves::size).sum();
        if (expected != found) {
            throw new IllegalStateException(expected + " places but " + found + " are taken");
        }
    }

    /**
     * Where claims stand that the same volumes can help: all of it must be equal, the modes contained and the label present.
     *
     * @param selector the selector of all claims that stand there, if it requires no value of a label
     */
    private record Place(
            String storageClass,
            String attributesClass,
            VolumeMode volumeMode,
            int mask,
            String label,
            String value,
            Optional<LabelSelector> selector) {
        private static final String NO_LABEL = "";

        static Place withoutLabel(VolumeEntry volume, int mask) {
            return withLabel(volume, mask, NO_LABEL, "");
        }

        static Place withLabel(VolumeEntry volume, int mask, String label, String value) {
            return new Place(
                    volume.storageClass(),
                    volume.attributesClass(),
                    volume.volumeMode(),
                    mask,
                    label,
                    value,
                    Optional.empty());
        }

        static Place selectedBy(LabelSelector selector, VolumeEntry volume, int mask) {
            return new Place(
                    volume.storageClass(),
                    volume.attributesClass(),
                    volume.volumeMode(),
                    mask,
                    NO_LABEL,
                    "",
                    Optional.of(selector));
        }

        static List<Place> of(WaitingClaim claim) {
            LabelSelector selector = claim.selector();
            List<Equality> required = selector == null ? List.of() : Equality.of(selector);
            if (required.isEmpty()) {
                return List.of(of(claim, NO_LABEL, ""));
            }
            Equality first = required.get(0);
            return first.values().stream()
                    .map(value -> of(claim, first.key(), value))
                    .toList();
        }

        private static Place of(WaitingClaim claim, String label, String value) {
            return new Place(
                    claim.storageClass(),
                    claim.attributesClass(),
                    claim.volumeMode(),
                    claim.mask(),
                    label,
                    value,
                    label.equals(NO_LABEL) ? Optional.ofNullable(claim.selector()) : Optional.empty());
        }
    }
}
