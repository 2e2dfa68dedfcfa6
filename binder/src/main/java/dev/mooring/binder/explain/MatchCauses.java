// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.explain.Explanation.Difference;
import dev.mooring.binder.explain.Explanation.Excluded;
import dev.mooring.binder.explain.Explanation.NearMiss;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.index.MatchRule;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What keeps a claim from each of the volumes, and which of them miss by least. */
final class MatchCauses {
    private static final int NEAREST = 3;
    private static final String STORAGE = "storage";

    private final PersistentVolumeClaim claim;
    private final List<Exclusion> exclusions;
    private final Findings findings;

    MatchCauses(PersistentVolumeClaim claim, List<Exclusion> exclusions, Findings findings) {
        this.claim = claim;
        this.exclusions = exclusions;
        this.findings = findings;
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
                                .map(rule -> difference(rule, exclusion.volume()))
                                .toList())));
    }

    private Comparator<Exclusion> byDistance() {
        return Comparator.comparing((Exclusion exclusion) -> exclusion.rules().size())
                .thenComparing(exclusion -> exclusion.rules().get(0))
                .thenComparing(exclusion -> missing(exclusion.volume()))
                .thenComparing(exclusion -> exclusion.volume().metadata().name());
    }

    /** How much the volume lacks; of those that are large enough the smallest come first. */
    private BigDecimal missing(PersistentVolume volume) {
        return requested().value().subtract(capacity(volume).value()).abs();
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
        Set<MatchRule> named =
                EnumSet.noneOf(MatchRule.class); // advice about each of thousands of volumes helps nobody
        single.stream()
                .filter(exclusion -> named.add(exclusion.rules().get(0)))
                .forEach(exclusion -> cause(exclusion.rules().get(0), exclusion.volume()));
        if (single.isEmpty()
                && exclusions.stream().noneMatch(exclusion -> exclusion.rules().isEmpty())) {
            boolean free = exclusions.stream().anyMatch(exclusion -> !isInUse(exclusion.volume()));
            findings.cause(
                    free ? CauseCode.NO_VOLUME_FITS : CauseCode.NO_FREE_VOLUME,
                    free
                            ? "Every volume that is not in use differs in more than one way from what the claim wants."
                            : exclusions.isEmpty() ? none(malformed) : "All volumes are in use.");
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
        String name = volume.metadata().name();
        Difference difference = difference(rule, volume);
        switch (rule) {
            case TOO_SMALL ->
                findings.cause(
                                CauseCode.TOO_SMALL,
                                "Volume " + name + " would fit, but is too small by " + lack(volume) + ": it has "
                                        + difference.actual() + " and the claim requests " + difference.wanted() + ".")
                        .remedy(
                                "Add a volume of at least " + difference.wanted() + ", or request no more than "
                                        + difference.actual() + " in a new claim.",
                                "");
            case STORAGE_CLASS ->
                findings.cause(CauseCode.STORAGE_CLASS, differs(name, difference))
                        .remedy(
                                "Give the volume the claim's storage class.",
                                Commands.patchVolume(
                                        volume, "{\"spec\":{\"storageClassName\":\"" + difference.wanted() + "\"}}"));
            case ACCESS_MODES ->
                findings.cause(CauseCode.ACCESS_MODES, differs(name, difference))
                        .remedy(
                                "If the storage can do it, add the access modes to the volume.",
                                Commands.patchVolume(
                                        volume,
                                        "{\"spec\":{\"accessModes\":[" + quoted(wantedAndOffered(volume)) + "]}}"));
            case VOLUME_MODE -> findings.cause(CauseCode.VOLUME_MODE, differs(name, difference));
            case ATTRIBUTES_CLASS -> findings.cause(CauseCode.ATTRIBUTES_CLASS, differs(name, difference));
            case SELECTOR ->
                findings.cause(
                        CauseCode.SELECTOR,
                        "Volume " + name + " would fit, but the claim's selector wants " + difference.wanted()
                                + " and its labels are " + difference.actual() + ".");
            case TERMINATING ->
                findings.cause(CauseCode.VOLUME_TERMINATING, "Volume " + name + " would fit, but is being deleted.");
            case RECLAIMING ->
                findings.cause(
                        CauseCode.VOLUME_RECLAIMING,
                        "Volume " + name + " would fit, but its storage is being reclaimed.");
            case PHASE ->
                findings.cause(
                        CauseCode.VOLUME_NOT_AVAILABLE,
                        "Volume " + name + " would fit, but its phase is " + difference.actual() + ".");
            case CLAIMED -> claimed(volume);
        }
    }

    private void claimed(PersistentVolume volume) {
        String name = volume.metadata().name();
        String owner = volume.spec().claimRef().map(MatchCauses::text).orElse("");
        boolean released = volume.status().phase() == PersistentVolumePhase.RELEASED
                || volume.status().phase() == PersistentVolumePhase.FAILED;
        if (released) {
            findings.cause(
                            CauseCode.RELEASED,
                            "Volume " + name + " would fit, but still belongs to claim " + owner
                                    + ", which has gone; it may hold that claim's data.")
                    .remedy(
                            "If the data on " + name + " may be given to this claim, take the old claim out of it.",
                            Commands.patchVolume(volume, "{\"spec\":{\"claimRef\":null}}"));
        } else {
            findings.cause(CauseCode.PRE_BOUND, "Volume " + name + " would fit, but is kept for claim " + owner + ".");
        }
    }

    private static String differs(String volume, Difference difference) {
        return "Volume " + volume + " would fit, but its " + difference.field() + " is " + named(difference.actual())
                + " and the claim wants " + named(difference.wanted()) + ".";
    }

    private static String named(String value) {
        return value.isEmpty() ? "none" : value;
    }

    // ---- what differs ----

    private Difference difference(MatchRule rule, PersistentVolume volume) {
        String id = rule.id();
        return switch (rule) {
            case ACCESS_MODES ->
                new Difference(
                        id,
                        "access modes",
                        modes(claim.spec().accessModes()),
                        modes(volume.spec().accessModes()));
            case CLAIMED -> new Difference(id, "claim", owner(claim), owner(volume));
            case TOO_SMALL ->
                new Difference(
                        id, "capacity", requested().toString(), capacity(volume).toString());
            case VOLUME_MODE ->
                new Difference(
                        id,
                        "volume mode",
                        mode(claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)),
                        mode(volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)));
            case ATTRIBUTES_CLASS ->
                new Difference(
                        id,
                        "volume attributes class",
                        claim.spec().volumeAttributesClassName().orElse(""),
                        volume.spec().volumeAttributesClassName().orElse(""));
            case TERMINATING -> new Difference(id, "state", "not being deleted", "being deleted");
            case RECLAIMING -> new Difference(id, "state", "not being reclaimed", "being reclaimed");
            case PHASE ->
                new Difference(id, "phase", "Available", volume.status().phase().wireName());
            case SELECTOR ->
                new Difference(
                        id, "labels", selector(), volume.metadata().labels().toString());
            case STORAGE_CLASS ->
                new Difference(
                        id,
                        "storage class",
                        StorageClasses.nameOf(claim).orElse(""),
                        StorageClasses.nameOf(volume).orElse(""));
        };
    }

    private String selector() {
        return claim.spec()
                .selector()
                .map(selector -> Stream.concat(
                                selector.matchLabels().isEmpty()
                                                && !selector.matchExpressions().isEmpty()
                                        ? Stream.empty()
                                        : Stream.of(selector.matchLabels().toString()),
                                selector.matchExpressions().stream()
                                        .map(wanted -> wanted.key() + " " + wanted.operator()
                                                + (wanted.values().isEmpty() ? "" : " " + wanted.values())))
                        .collect(Collectors.joining(" and ")))
                .orElse("");
    }

    private String lack(PersistentVolume volume) {
        BigDecimal missing = requested().value().subtract(capacity(volume).value());
        return missing.compareTo(BigDecimal.ONE) == 0 ? "1 byte" : missing.toPlainString() + " bytes";
    }

    private Quantity requested() {
        return claim.spec().resources().requests().getOrDefault(STORAGE, Quantity.ZERO);
    }

    private static Quantity capacity(PersistentVolume volume) {
        return volume.spec().capacity().getOrDefault(STORAGE, Quantity.ZERO);
    }

    /** Claims of one name are told apart by their uids. */
    private String owner(PersistentVolume volume) {
        return volume.spec()
                .claimRef()
                .map(ref -> text(ref).equals(nameOf(claim)) ? text(ref) + " (uid " + ref.uid() + ")" : text(ref))
                .orElse("");
    }

    private String owner(PersistentVolumeClaim claim) {
        boolean namesake = exclusions.stream()
                .flatMap(exclusion -> exclusion.volume().spec().claimRef().stream())
                .anyMatch(ref -> text(ref).equals(nameOf(claim)));
        return nameOf(claim) + (namesake ? " (uid " + claim.metadata().uid() + ")" : "");
    }

    private static String nameOf(PersistentVolumeClaim claim) {
        return claim.metadata().namespace() + "/" + claim.metadata().name();
    }

    private static String text(ObjectReference claim) {
        return claim.namespace() + "/" + claim.name();
    }

    private static String mode(VolumeMode mode) {
        return mode.wireName();
    }

    private static String modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::wireName).collect(Collectors.joining(","));
    }

    private List<String> wantedAndOffered(PersistentVolume volume) {
        return Stream.concat(volume.spec().accessModes().stream(), claim.spec().accessModes().stream())
                .distinct()
                .map(AccessMode::wireName)
                .toList();
    }

    private static String quoted(List<String> values) {
        return values.stream().map(value -> '"' + value + '"').collect(Collectors.joining(","));
    }
}
