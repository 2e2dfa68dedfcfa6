// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.explain.Explanation.Difference;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.index.MatchRule;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a claim wants and a volume has, by the rules that keep the two apart. */
final class Differences {
    private static final String STORAGE = "storage";
    private static final BigDecimal STEP = BigDecimal.valueOf(1024);

    private final PersistentVolumeClaim claim;
    private final List<Exclusion> exclusions;

    Differences(PersistentVolumeClaim claim, List<Exclusion> exclusions) {
        this.claim = claim;
        this.exclusions = exclusions;
    }

    Difference of(MatchRule rule, PersistentVolume volume) {
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

    /** How much the volume lacks; of those that are large enough the smallest come first. */
    BigDecimal distance(PersistentVolume volume) {
        return missing(volume).abs();
    }

    private BigDecimal missing(PersistentVolume volume) {
        return requested().value().subtract(capacity(volume).value());
    }

    /** What the volume lacks, as people write sizes. */
    String lack(PersistentVolume volume) {
        return size(missing(volume));
    }

    /** A size in the largest binary unit that it fills, with at most one digit behind the point. */
    static String size(BigDecimal bytes) {
        BigDecimal unit = BigDecimal.ONE;
        String name = "";
        for (String next : List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")) {
            if (bytes.compareTo(unit.multiply(STEP)) < 0) {
                break;
            }
            unit = unit.multiply(STEP);
            name = next;
        }
        if (name.isEmpty()) {
            return bytes.compareTo(BigDecimal.ONE) == 0 ? "1 byte" : bytes.toPlainString() + " bytes";
        }
        BigDecimal rounded = bytes.divide(unit, 1, RoundingMode.HALF_UP).stripTrailingZeros();
        String text = rounded.toPlainString() + name;
        return rounded.multiply(unit).compareTo(bytes) == 0 ? text : "about " + text;
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

    static String text(ObjectReference claim) {
        return claim.namespace() + "/" + claim.name();
    }

    private static String mode(VolumeMode mode) {
        return mode.wireName();
    }

    private static String modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::wireName).collect(Collectors.joining(","));
    }
}
