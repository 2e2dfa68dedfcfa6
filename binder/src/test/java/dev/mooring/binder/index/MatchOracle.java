// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** FindBestMatch as semantics §2.2 to §2.4 say it, over a plain list: every volume is asked every question. */
class MatchOracle {
    /** What can keep a volume from being taken. */
    enum Rule {
        F2_EXCLUDED,
        F3_CLAIMED,
        F4_CAPACITY,
        F5_VOLUME_MODE,
        F6_ATTRIBUTES_CLASS,
        F7_DELETING,
        F10_DELAYED,
        F11_PHASE,
        F12_SELECTOR,
        F13_CLASS,
        ACCESS_MODES,
        D6_RECLAIMING,
        RESERVED
    }

    /** Asked even of a volume that is for the claim. */
    private static final Set<Rule> ASKED_OF_CLAIMED = EnumSet.of(
            Rule.F2_EXCLUDED,
            Rule.F4_CAPACITY,
            Rule.F5_VOLUME_MODE,
            Rule.F6_ATTRIBUTES_CLASS,
            Rule.F7_DELETING,
            Rule.ACCESS_MODES,
            Rule.D6_RECLAIMING,
            Rule.RESERVED);

    private final boolean upstreamPhaseOrder;
    final Map<String, PersistentVolume> volumes = new TreeMap<>();
    final Map<String, String> reservations = new HashMap<>();

    /** Of the last question: how many volumes each rule alone has excluded. */
    final Map<Rule, Integer> onlyExcluder = new EnumMap<>(Rule.class);

    /** Of the last question: whether another volume was as good but for its modes or its name (T2, T5). */
    boolean tie;

    MatchOracle(boolean upstreamPhaseOrder) {
        this.upstreamPhaseOrder = upstreamPhaseOrder;
    }

    Optional<PersistentVolume> find(PersistentVolumeClaim claim, MatchOptions options) {
        tie = false;
        onlyExcluder.clear();
        List<PersistentVolume> claimed = new ArrayList<>();
        List<PersistentVolume> free = new ArrayList<>();
        for (PersistentVolume volume : volumes.values()) {
            EnumSet<Rule> excluders = excluders(volume, claim, options);
            if (excluders.size() == 1) {
                onlyExcluder.merge(excluders.iterator().next(), 1, Integer::sum);
            } else if (excluders.isEmpty()) {
                (isFor(volume, claim) ? claimed : free).add(volume);
            }
        }
        if (!options.upstreamMatching()) {
            Optional<PersistentVolume> best = bestClaimed(claimed);
            return best.isPresent() ? best : narrowest(free).flatMap(size -> bestFree(ofSize(free, size)));
        }
        for (int size = 0; size <= AccessMode.values().length; size++) {
            Optional<PersistentVolume> best = bestClaimed(ofSize(claimed, size));
            best = best.isPresent() ? best : bestFree(ofSize(free, size));
            if (best.isPresent()) {
                return best;
            }
        }
        return Optional.empty();
    }

    // ---- the order ----

    private Optional<Integer> narrowest(List<PersistentVolume> volumes) {
        return volumes.stream().map(this::tierOf).min(Comparator.naturalOrder());
    }

    private List<PersistentVolume> ofSize(List<PersistentVolume> volumes, int size) {
        return volumes.stream().filter(volume -> tierOf(volume) == size).toList();
    }

    /** T1: fewer modes first. */
    int tierOf(PersistentVolume volume) {
        return numberOfModes(volume);
    }

    /** T4: the claim's uid before none. */
    int uidOrder(PersistentVolume volume) {
        return claimRef(volume).uid().isEmpty() ? 1 : 0;
    }

    /** T2, T5: what decides among volumes that are equal in all that matters. */
    Comparator<PersistentVolume> tieOrder() {
        return Comparator.comparing(MatchOracle::modeOrder)
                .thenComparing(volume -> volume.metadata().name());
    }

    private Optional<PersistentVolume> bestClaimed(List<PersistentVolume> candidates) {
        return best(
                candidates,
                Comparator.comparing(this::tierOf).thenComparing(this::uidOrder).thenComparing(MatchOracle::capacity));
    }

    private Optional<PersistentVolume> bestFree(List<PersistentVolume> candidates) {
        return best(candidates, Comparator.comparing(MatchOracle::capacity));
    }

    private Optional<PersistentVolume> best(List<PersistentVolume> candidates, Comparator<PersistentVolume> order) {
        Optional<PersistentVolume> best = candidates.stream().min(order.thenComparing(tieOrder()));
        best.ifPresent(chosen -> tie = candidates.stream()
                        .filter(volume -> order.compare(volume, chosen) == 0)
                        .count()
                > 1);
        return best;
    }

    static Set<AccessMode> modes(PersistentVolume volume) {
        EnumSet<AccessMode> modes = EnumSet.noneOf(AccessMode.class);
        modes.addAll(volume.spec().accessModes());
        modes.remove(AccessMode.UNKNOWN);
        return modes;
    }

    static int numberOfModes(PersistentVolume volume) {
        return modes(volume).size();
    }

    /** RWO+ROX before RWO+RWX before ROX+RWX: by the last mode, then the one before it. */
    private static int modeOrder(PersistentVolume volume) {
        List<AccessMode> order = List.of(
                AccessMode.READ_WRITE_ONCE,
                AccessMode.READ_ONLY_MANY,
                AccessMode.READ_WRITE_MANY,
                AccessMode.READ_WRITE_ONCE_POD);
        int place = 0;
        for (int i = order.size() - 1; i >= 0; i--) {
            place = place * 2 + (modes(volume).contains(order.get(i)) ? 1 : 0);
        }
        return place;
    }

    // ---- the rules ----

    private EnumSet<Rule> excluders(PersistentVolume volume, PersistentVolumeClaim claim, MatchOptions options) {
        EnumSet<Rule> found = EnumSet.noneOf(Rule.class);
        for (Rule rule : Rule.values()) {
            if (excludes(rule, volume, claim, options)) {
                found.add(rule);
            }
        }
        if (isFor(volume, claim)) {
            found.retainAll(ASKED_OF_CLAIMED);
        }
        return found;
    }

    /** Whether a rule keeps a volume from being taken. */
    boolean excludes(Rule rule, PersistentVolume volume, PersistentVolumeClaim claim, MatchOptions options) {
        String name = volume.metadata().name();
        return switch (rule) {
            case F2_EXCLUDED -> options.excluded().contains(name);
            case F3_CLAIMED -> volume.spec().claimRef().isPresent() && !isFor(volume, claim);
            case F4_CAPACITY ->
                !isSufficient(capacity(volume), claim.spec().requestedStorage().value());
            case F5_VOLUME_MODE ->
                volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                        != claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
            case F6_ATTRIBUTES_CLASS ->
                !volume.spec()
                        .volumeAttributesClassName()
                        .orElse("")
                        .equals(claim.spec().volumeAttributesClassName().orElse(""));
            case F7_DELETING -> volume.metadata().isDeleting();
            case F10_DELAYED -> options.delayBinding();
            case F11_PHASE ->
                volume.status().phase() != PersistentVolumePhase.AVAILABLE
                        && (upstreamPhaseOrder || volume.status().phase() != PersistentVolumePhase.PENDING);
            case F12_SELECTOR ->
                !claim.spec()
                        .selector()
                        .map(selector -> selector.matches(volume.metadata().labels()))
                        .orElse(true);
            case F13_CLASS ->
                !StorageClasses.nameOf(volume)
                        .orElse("")
                        .equals(StorageClasses.nameOf(claim).orElse(""));
            case ACCESS_MODES -> !modes(volume).containsAll(claim.spec().accessModes());
            case D6_RECLAIMING ->
                volume.metadata().annotation(Annotations.RECLAIMING).isPresent();
            case RESERVED ->
                reservations.containsKey(name)
                        && !(isFor(volume, claim)
                                && reservations
                                        .get(name)
                                        .equals(claim.metadata().uid()));
        };
    }

    /** F4; apart so that a test can get it wrong. */
    boolean isSufficient(BigDecimal capacity, BigDecimal request) {
        return capacity.compareTo(request) >= 0;
    }

    static BigDecimal capacity(PersistentVolume volume) {
        return volume.spec().capacity().containsKey("storage")
                ? volume.spec().capacity().get("storage").value()
                : BigDecimal.ZERO;
    }

    private static ObjectReference claimRef(PersistentVolume volume) {
        return volume.spec().claimRef().orElseThrow();
    }

    /** M(pv, claim). */
    private static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> ref.name().equals(claim.metadata().name())
                        && ref.namespace().equals(claim.metadata().namespace())
                        && (ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())))
                .isPresent();
    }
}
