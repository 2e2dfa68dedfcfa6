// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.explain.Explanation.Difference;
import dev.mooring.binder.explain.Explanation.Excluded;
import dev.mooring.binder.explain.Explanation.NearMiss;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.index.MatchRule;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What keeps a claim from each of the volumes, and which of them miss by least. */
final class MatchCauses {
    private static final int NEAREST = 3;

    private final PersistentVolumeClaim claim;
    private final List<Exclusion> exclusions;
    private final Differences differences;
    private final Snapshot snapshot;
    private final DryRun run;
    private final ExplanationFindings findings;
    private final ClaimRemedies remedies;

    MatchCauses(
            Snapshot snapshot,
            DryRun run,
            PersistentVolumeClaim claim,
            List<Exclusion> exclusions,
            ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.run = run;
        this.claim = claim;
        this.exclusions = exclusions;
        this.differences = new Differences(claim, exclusions);
        this.findings = findings;
        this.remedies = new ClaimRemedies(run, claim, findings);
    }

    /** Counts every excluded volume under the first rule that excludes it. */
    void count() {
        Map<MatchRule, Integer> counts = new TreeMap<>();
        exclusions.stream()
                .filter(exclusion -> !exclusion.rules().isEmpty())
                .forEach(exclusion -> counts.merge(exclusion.rules().get(0), 1, Integer::sum));
        counts.forEach((rule, volumes) -> findings.excluded.add(new Excluded(rule.id(), rule.attribute(), volumes)));
        exclusions.stream()
                .filter(exclusion -> !exclusion.rules().isEmpty() && !isInUse(exclusion.volume()))
                .sorted(byDistance())
                .limit(NEAREST)
                .forEach(exclusion -> findings.nearest.add(new NearMiss(
                        exclusion.volume().metadata().name(),
                        exclusion.rules().stream()
                                .map(rule -> differences.of(rule, exclusion.volume()))
                                .toList())));
    }

    private Comparator<Exclusion> byDistance() {
        return Comparator.comparing((Exclusion exclusion) -> exclusion.rules().size())
                .thenComparing(exclusion -> exclusion.rules().get(0))
                .thenComparing(exclusion -> differences.distance(exclusion.volume()))
                .thenComparing(exclusion -> exclusion.volume().metadata().name());
    }

    /**
     * Names what single rule keeps the claim from volumes that would fit otherwise, by the nearest volume of each rule.
     *
     * @param malformed how many volumes are left alone since they are malformed
     */
    void name(int malformed) {
        List<Exclusion> single = exclusions.stream()
                .filter(exclusion -> exclusion.rules().size() == 1 && !isInUse(exclusion.volume()))
                .sorted(byDistance())
                .toList();
        Set<MatchRule> named = EnumSet.noneOf(MatchRule.class); // advice about each of thousands of volumes is not read
        single.stream()
                .filter(exclusion -> named.add(exclusion.rules().get(0)))
                .forEach(exclusion -> cause(exclusion.rules().get(0), exclusion.volume()));
        if (single.isEmpty()
                && exclusions.stream().noneMatch(exclusion -> exclusion.rules().isEmpty())) {
            boolean free = exclusions.stream().anyMatch(exclusion -> !isInUse(exclusion.volume()));
            findings.cause(
                    free ? CauseCode.NO_VOLUME_FITS : CauseCode.NO_FREE_VOLUME,
                    free
                            ? "Every volume that is not in use differs in more than one way from what the claim requests."
                            : exclusions.isEmpty() ? none(malformed) : "All volumes are in use.");
        }
        if (exclusions.stream().noneMatch(exclusion -> Predecessors.isOf(claim, exclusion.volume()))) {
            remedies.addVolume(); // a new volume is no help to a claim whose data is on an old one
        }
    }

    private static String none(int malformed) {
        return malformed == 0
                ? "There are no volumes."
                : "There are no volumes but malformed ones, which are left alone (" + malformed + ").";
    }

    private static boolean isInUse(PersistentVolume volume) {
        return volume.status().phase() == PersistentVolumePhase.BOUND
                && volume.spec().claimRef().isPresent();
    }

    private void cause(MatchRule rule, PersistentVolume volume) {
        Difference difference = differences.of(rule, volume);
        switch (rule) {
            case TOO_SMALL -> {
                findings.cause(
                        CauseCode.TOO_SMALL,
                        wouldFit(volume) + "is " + differences.lack(volume) + " short: it has " + difference.actual()
                                + " and the claim requests " + difference.wanted() + ".");
                remedies.fitClaim(volume);
            }
            case STORAGE_CLASS -> {
                findings.cause(CauseCode.STORAGE_CLASS, differs(volume, difference));
                remedies.giveClass(volume);
            }
            case ACCESS_MODES -> {
                findings.cause(CauseCode.ACCESS_MODES, differs(volume, difference));
                remedies.addAccessModes(volume);
            }
            case VOLUME_MODE -> {
                findings.cause(CauseCode.VOLUME_MODE, differs(volume, difference));
                remedies.fitClaim(volume);
            }
            case ATTRIBUTES_CLASS -> {
                findings.cause(CauseCode.ATTRIBUTES_CLASS, differs(volume, difference));
                remedies.fitClaim(volume);
            }
            case SELECTOR -> {
                findings.cause(
                        CauseCode.SELECTOR,
                        wouldFit(volume) + "the claim's selector requires " + difference.wanted()
                                + " and its labels are " + difference.actual() + ".");
                remedies.giveLabels(volume);
            }
            case TERMINATING -> findings.cause(CauseCode.VOLUME_TERMINATING, wouldFit(volume) + "is being deleted.");
            case RECLAIMING ->
                findings.cause(CauseCode.VOLUME_RECLAIMING, wouldFit(volume) + "its storage is being reclaimed.");
            case PHASE ->
                findings.cause(
                        CauseCode.VOLUME_NOT_AVAILABLE, wouldFit(volume) + "its phase is " + difference.actual() + ".");
            case CLAIMED -> claimed(volume);
        }
    }

    private static String wouldFit(PersistentVolume volume) {
        return "Volume " + volume.metadata().name() + " would fit, but ";
    }

    private void claimed(PersistentVolume volume) {
        String owner = volume.spec().claimRef().map(Differences::text).orElse("");
        if (Predecessors.isOf(claim, volume)) {
            return; // told already, before all others
        }
        if (Predecessors.isReleased(snapshot, volume)) {
            findings.cause(
                    CauseCode.RELEASED,
                    wouldFit(volume) + "still belongs to claim " + owner
                            + ", which was deleted; it may hold that claim's data.");
            new VolumeRemedies(snapshot, run, volume, findings).toAnother(claim, owner);
        } else {
            findings.cause(CauseCode.PRE_BOUND, wouldFit(volume) + "is kept for claim " + owner + ".");
        }
    }

    private static String differs(PersistentVolume volume, Difference difference) {
        return wouldFit(volume) + "its " + difference.field() + " is " + named(difference.actual())
                + " and the claim requests " + named(difference.wanted()) + ".";
    }

    private static String named(String value) {
        return value.isEmpty() ? "none" : value;
    }
}
