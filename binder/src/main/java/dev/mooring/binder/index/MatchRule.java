// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that keep a claim from a volume, one by one (semantics/binder §2.2, §2.3). The index answers them all at once by where a
 * volume stands; a test holds that both say the same.
 */
public enum MatchRule {
    /** §2.3: the volume's access modes do not contain the claim's. */
    ACCESS_MODES("§2.3", "without an access mode"),
    /** F3: the volume is claimed, or being bound, by another claim. */
    CLAIMED("F3", "claimed by other claims"),
    /** F4: the volume is smaller than the request. */
    TOO_SMALL("F4", "too small"),
    /** F5: file system or block device. */
    VOLUME_MODE("F5", "of another volume mode"),
    /** F6: the volume attributes classes differ. */
    ATTRIBUTES_CLASS("F6", "of another volume attributes class"),
    /** F7: the volume is being deleted. */
    TERMINATING("F7", "being deleted"),
    /** D6: the storage of the volume is being reclaimed. */
    RECLAIMING("D6", "being reclaimed"),
    /** F11: the volume is neither Available nor new. */
    PHASE("F11", "not available"),
    /** F12: the claim's selector does not select the volume. */
    SELECTOR("F12", "not selected"),
    /** F13: the storage classes differ. */
    STORAGE_CLASS("F13", "of another storage class");

    private final String id;
    private final String attribute;

    MatchRule(String id, String attribute) {
        this.id = id;
        this.attribute = attribute;
    }

    /** Its name in the specification. */
    public String id() {
        return id;
    }

    /** What the volumes that it excludes are, for example {@code too small}. */
    public String attribute() {
        return attribute;
    }

    /** All rules that exclude a volume. */
    static List<MatchRule> excluding(
            Demand demand, VolumeEntry volume, boolean reservedForOther, boolean upstreamPhaseOrder) {
        boolean forClaim = isFor(volume.claimRef(), demand);
        List<MatchRule> rules = new ArrayList<>(2);
        addIf(rules, ACCESS_MODES, !ModeMasks.contains(volume.mask(), demand.mask()));
        addIf(rules, CLAIMED, reservedForOther || (volume.claimRef() != null && !forClaim));
        addIf(rules, TOO_SMALL, !demand.isLargeEnough(volume));
        addIf(rules, VOLUME_MODE, volume.volumeMode() != demand.volumeMode());
        addIf(rules, ATTRIBUTES_CLASS, !volume.attributesClass().equals(demand.attributesClass()));
        PersistentVolume object = volume.volume();
        addIf(rules, TERMINATING, object.metadata().isDeleting());
        addIf(
                rules,
                RECLAIMING,
                object.metadata().annotation(Annotations.RECLAIMING).isPresent());
        if (!forClaim) {
            // The phase of a claimed volume follows from that.
            addIf(
                    rules,
                    PHASE,
                    volume.claimRef() == null && !isMatchable(object.status().phase(), upstreamPhaseOrder));
            addIf(rules, SELECTOR, !demand.selects(volume));
            addIf(rules, STORAGE_CLASS, !volume.storageClass().equals(demand.storageClass()));
        }
        return rules;
    }

    private static void addIf(List<MatchRule> rules, MatchRule rule, boolean excludes) {
        if (excludes) {
            rules.add(rule);
        }
    }

    private static boolean isFor(@Nullable ObjectReference claimRef, Demand demand) {
        return claimRef != null
                && claimRef.name().equals(demand.name())
                && claimRef.namespace().equals(demand.namespace())
                && (claimRef.uid().isEmpty() || claimRef.uid().equals(demand.uid()));
    }

    /** F11, D17. */
    static boolean isMatchable(PersistentVolumePhase phase, boolean upstreamPhaseOrder) {
        return phase == PersistentVolumePhase.AVAILABLE
                || (!upstreamPhaseOrder && phase == PersistentVolumePhase.PENDING);
    }
}
