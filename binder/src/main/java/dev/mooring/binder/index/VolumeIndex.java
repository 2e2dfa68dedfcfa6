// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All volumes, arranged so that the best one for a claim is found without looking at the others (FindBestMatch, semantics §2).
 *
 * <h2>Structure</h2>
 *
 * <pre>
 *   byName        name                      → volume                      every volume
 *   claimed       namespace, name, uid      → volumes                     those with a claimRef, whatever their phase
 *   free          class, attributes class,  → shelf [ 16 sets of modes ]  those that any claim may take
 *                 volume mode                  each a group in order of (capacity, name): {@link SortedLeaves}
 *   reservations  volume name               → claim uid                   binds in flight
 * </pre>
 *
 * <h2>Invariant</h2>
 *
 * <p>A volume is in {@code free} exactly if it has no claimRef, is Available (or Pending, unless upstream's order of phases is asked
 * for), is neither deleting nor marked as being reclaimed, and is not reserved. So of the rules of §2.2 F3, F5, F6, F7, F11 and F13 are
 * decided by where a volume stands, F4 and F16 by the search, and only F2 and F12 have to be tested; without a selector the first
 * volume found is the answer.
 *
 * <h2>Search</h2>
 *
 * <p>Volumes that are for the claim come first (F9): from {@code claimed}, narrower sets of modes first, then by uid before no uid,
 * capacity, modes, name (T1, T2, T4). Then the free ones: the groups whose modes contain the claim's, by number of modes; the first
 * number with a result wins (T1), within it the smallest capacity, then the modes in fixed order, then the name (T2, T5). With
 * {@code upstreamMatching} both are asked per number of modes (T3).
 *
 * <p>Single-threaded: confined to the decider. A match without a selector makes no garbage, unless its request does not fit into a
 * {@code long}.
 */
public final class VolumeIndex {
    private static final int ANY_TIER = -1;

    private final boolean upstreamPhaseOrder;
    private final ProbeCounter probes = new ProbeCounter();
    private final Map<String, VolumeEntry> byName = new HashMap<>();
    private final ClaimedVolumes claimed = new ClaimedVolumes();
    private final FreeVolumes free = new FreeVolumes(probes);
    private final Map<String, String> reservations = new HashMap<>();
    private final Demand demand = new Demand();

    /** Makes an empty index in which a volume without a claim can be matched before it is Available (D17). */
    public VolumeIndex() {
        this(false);
    }

    /**
     * Makes an empty index.
     *
     * @param upstreamPhaseOrder whether only Available volumes are free, as upstream
     */
    public VolumeIndex(boolean upstreamPhaseOrder) {
        this.upstreamPhaseOrder = upstreamPhaseOrder;
    }

    // ---- what there is ----

    /** Adds a volume, or puts a newer version in the place of the one with its name. */
    public void put(PersistentVolume volume) {
        VolumeEntry entry = new VolumeEntry(volume, upstreamPhaseOrder);
        VolumeEntry before = byName.put(entry.name(), entry);
        if (before != null && isFree(before) && isFree(entry) && before.samePlaces(entry)) {
            free.replace(entry);
            return;
        }
        if (before != null) {
            takeOut(before);
        }
        ObjectReference claim = entry.claimRef();
        if (claim != null) {
            claimed.add(entry, claim);
        }
        if (isFree(entry)) {
            free.add(entry);
        }
    }

    /** Forgets a volume; whether it was known. A reservation of its name stays until it is released. */
    public boolean remove(String name) {
        VolumeEntry before = byName.remove(name);
        if (before == null) {
            return false;
        }
        takeOut(before);
        return true;
    }

    private void takeOut(VolumeEntry entry) {
        ObjectReference claim = entry.claimRef();
        if (claim != null) {
            claimed.remove(entry, claim);
        }
        if (isFree(entry)) {
            free.remove(entry);
        }
    }

    /** Whether any claim may take the volume of a name: it is known, not claimed, matchable and not reserved. */
    public boolean isFree(String name) {
        VolumeEntry entry = byName.get(name);
        return entry != null && isFree(entry);
    }

    private boolean isFree(VolumeEntry entry) {
        return entry.freeByItself() && !reservations.containsKey(entry.name());
    }

    /** The volume of a name. */
    public Optional<PersistentVolume> byName(String name) {
        return Optional.ofNullable(byName.get(name)).map(VolumeEntry::volume);
    }

    /** The volumes whose claimRef names a claim, whatever its uid and their phase, in order of their names. */
    public List<PersistentVolume> claimedBy(String namespace, String name) {
        return claimed.of(namespace, name);
    }

    /** How many volumes are known. */
    public int size() {
        return byName.size();
    }

    /** How many of them are free. */
    public int freeCount() {
        return free.size();
    }

    // ---- reservations ----

    /**
     * Keeps a volume for a claim while a bind is in flight: it is not free then, not even for that claim; a volume whose claimRef names
     * the claim is still found by it, but by no other. The reservation is of the name: it survives {@link #put} and {@link #remove}.
     *
     * @return whether the volume is now reserved for that claim; false if it is for another one
     */
    public boolean reserve(String volumeName, String claimUid) {
        String holder = reservations.get(volumeName);
        if (holder != null) {
            return holder.equals(claimUid);
        }
        VolumeEntry entry = byName.get(volumeName);
        if (entry != null && isFree(entry)) {
            free.remove(entry);
        }
        reservations.put(volumeName, claimUid);
        return true;
    }

    /** Ends a reservation; whether there was one. */
    public boolean release(String volumeName) {
        if (reservations.remove(volumeName) == null) {
            return false;
        }
        VolumeEntry entry = byName.get(volumeName);
        if (entry != null && isFree(entry)) {
            free.add(entry);
        }
        return true;
    }

    /** The uid of the claim that a volume is reserved for. */
    public Optional<String> reservedFor(String volumeName) {
        return Optional.ofNullable(reservations.get(volumeName));
    }

    // ---- matching ----

    /**
     * The volume that a claim is to be bound to.
     *
     * @throws IllegalArgumentException if the claim's selector is invalid (F1)
     */
    public Optional<PersistentVolume> findBestMatch(PersistentVolumeClaim claim, MatchOptions options) {
        return Optional.ofNullable(findBestMatchOrNull(claim, options));
    }

    /** The same as {@link #findBestMatch}, without an Optional around it. */
    public @Nullable PersistentVolume findBestMatchOrNull(PersistentVolumeClaim claim, MatchOptions options) {
        demand.of(claim);
        requireValid(demand.selector());
        Map<String, List<VolumeEntry>> claimedByUid = claimed.byUid(demand.namespace(), demand.name());
        FreeVolumes.Shelf shelf = options.delayBinding() ? null : free.shelf(demand);
        VolumeEntry best;
        if (claimedByUid == null || !options.upstreamMatching()) {
            best = claimedByUid == null ? null : bestClaimed(claimedByUid, options, ANY_TIER);
            best = best != null || shelf == null ? best : bestFree(shelf, options);
        } else {
            best = bestByTier(claimedByUid, shelf, options);
        }
        return best == null ? null : best.volume();
    }

    private static void requireValid(@Nullable LabelSelector selector) {
        if (selector != null && selector.problem().isPresent()) {
            throw new IllegalArgumentException(selector.problem().get());
        }
    }

    private @Nullable VolumeEntry bestByTier(
            Map<String, List<VolumeEntry>> claimedByUid, FreeVolumes.@Nullable Shelf shelf, MatchOptions options) {
        int[] masks = ModeMasks.supersetsOf(demand.mask());
        for (int from = 0; from < masks.length; from = nextTier(masks, from)) {
            VolumeEntry best = bestClaimed(claimedByUid, options, ModeMasks.tierOf(masks[from]));
            if (best == null && shelf != null) {
                best = bestFreeOfTier(shelf, options, masks, from);
            }
            if (best != null) {
                return best;
            }
        }
        return null;
    }

    // ---- volumes for the claim (F9) ----

    private @Nullable VolumeEntry bestClaimed(Map<String, List<VolumeEntry>> byUid, MatchOptions options, int tier) {
        VolumeEntry best = null;
        if (!demand.uid().isEmpty()) {
            best = bestClaimed(byUid.get(demand.uid()), options, tier, null);
        }
        return bestClaimed(byUid.get(""), options, tier, best);
    }

    private @Nullable VolumeEntry bestClaimed(
            @Nullable List<VolumeEntry> volumes, MatchOptions options, int tier, @Nullable VolumeEntry bestBefore) {
        VolumeEntry best = bestBefore;
        for (int i = 0; volumes != null && i < volumes.size(); i++) {
            VolumeEntry volume = volumes.get(i);
            boolean considered = (tier == ANY_TIER || tier == ModeMasks.tierOf(volume.mask()))
                    && !options.excludes(volume.name())
                    && demand.fits(volume)
                    && !isReservedForOther(volume);
            if (considered && (best == null || isBetterClaimed(volume, best))) {
                best = volume;
            }
        }
        probes.add(volumes == null ? 0 : volumes.size());
        return best;
    }

    private boolean isReservedForOther(VolumeEntry volume) {
        String holder = reservations.get(volume.name());
        return holder != null && !holder.equals(demand.uid());
    }

    /** T1, T4, T2, T5 in this order. */
    private static boolean isBetterClaimed(VolumeEntry volume, VolumeEntry best) {
        int order = Integer.compare(ModeMasks.tierOf(volume.mask()), ModeMasks.tierOf(best.mask()));
        if (order == 0) {
            order = Boolean.compare(namesNoUid(volume), namesNoUid(best));
        }
        if (order == 0) {
            order = FreeGroup.compareCapacity(volume, best);
        }
        if (order == 0) {
            order = Integer.compare(volume.mask(), best.mask());
        }
        return order == 0 ? volume.name().compareTo(best.name()) < 0 : order < 0;
    }

    private static boolean namesNoUid(VolumeEntry volume) {
        ObjectReference claim = volume.claimRef();
        return claim == null || claim.uid().isEmpty();
    }

    // ---- free volumes (F10 to F16) ----

    private @Nullable VolumeEntry bestFree(FreeVolumes.Shelf shelf, MatchOptions options) {
        int[] masks = ModeMasks.supersetsOf(demand.mask());
        for (int from = 0; from < masks.length; from = nextTier(masks, from)) {
            VolumeEntry best = bestFreeOfTier(shelf, options, masks, from);
            if (best != null) {
                return best;
            }
        }
        return null;
    }

    private @Nullable VolumeEntry bestFreeOfTier(FreeVolumes.Shelf shelf, MatchOptions options, int[] masks, int from) {
        VolumeEntry best = null;
        int to = nextTier(masks, from);
        for (int i = from; i < to; i++) {
            FreeGroup group = shelf.group(masks[i]);
            VolumeEntry first = group == null ? null : group.first(demand, options);
            if (first != null && (best == null || FreeGroup.compareCapacity(first, best) < 0)) {
                best = first;
            }
        }
        return best;
    }

    /** Where the sets with more modes begin. */
    private static int nextTier(int[] masks, int from) {
        int tier = ModeMasks.tierOf(masks[from]);
        int next = from + 1;
        while (next < masks.length && ModeMasks.tierOf(masks[next]) == tier) {
            next++;
        }
        return next;
    }

    // ---- why not ----

    /**
     * Which rules exclude which volume from a match, for every volume in order of its name; no rule for those that fit. Looks at all
     * volumes: not for the decider.
     *
     * @throws IllegalArgumentException if the claim's selector is invalid (F1)
     */
    public List<Exclusion> exclusions(PersistentVolumeClaim claim) {
        demand.of(claim);
        requireValid(demand.selector());
        return byName.values().stream()
                .sorted(Comparator.comparing(VolumeEntry::name))
                .map(entry -> new Exclusion(
                        entry.volume(),
                        MatchRule.excluding(demand, entry, isReservedForOther(entry), upstreamPhaseOrder)))
                .toList();
    }

    /** What there is of free volumes for a claim that found none, from counters of groups. */
    public FreeSummary summary(PersistentVolumeClaim claim) {
        demand.of(claim);
        return FreeSummary.of(free, byName.size(), demand);
    }

    // ---- counters ----

    /** How many comparisons with stored volumes all searches and updates so far have made. */
    public long probes() {
        return probes.count();
    }

    /** Throws if an invariant does not hold; looks at everything. */
    void check() {
        free.check();
        for (VolumeEntry entry : byName.values()) {
            FreeVolumes.Shelf shelf = isFree(entry) ? free.shelfOf(entry) : null;
            if (isFree(entry) && (shelf == null || shelf.group(entry.mask()) == null)) {
                throw new IllegalStateException("free but in no group: " + entry);
            }
        }
        long expected = byName.values().stream().filter(this::isFree).count();
        if (expected != free.size()) {
            throw new IllegalStateException(expected + " volumes are free but " + free.size() + " are in groups");
        }
    }
}
