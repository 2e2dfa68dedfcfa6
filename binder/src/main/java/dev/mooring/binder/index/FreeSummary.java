// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.VolumeMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What there is of volumes for a claim that found none, at the cost of one look at each group of free volumes.
 *
 * @param volumes how many volumes there are
 * @param free how many of them any claim may take
 * @param excluded how many free volumes the first rule that excludes them counts
 * @param nearest at most three free volumes that only one rule excludes: the largest of those that are too small, the smallest sufficient
 *     of others
 */
public record FreeSummary(int volumes, int free, Map<MatchRule, Integer> excluded, List<Exclusion> nearest) {
    private static final int NEAREST = 3;

    static FreeSummary of(FreeVolumes free, int volumes, Demand demand) {
        Map<MatchRule, Integer> excluded = new EnumMap<>(MatchRule.class);
        List<Exclusion> nearest = new ArrayList<>();
        free.forEach((storageClass, attributesClass, mode, mask, group) -> {
            List<MatchRule> rules = differing(storageClass, attributesClass, mode, mask, demand);
            if (rules.isEmpty()) {
                rules.add(demand.selector() == null ? MatchRule.TOO_SMALL : MatchRule.SELECTOR);
            }
            excluded.merge(rules.get(0), group.size(), Integer::sum);
            VolumeEntry near = rules.size() == 1 ? nearestIn(group, rules.get(0), demand) : null;
            if (near != null) {
                nearest.add(new Exclusion(near.volume(), rules));
            }
        });
        nearest.sort(Comparator.comparing((Exclusion near) -> near.rules().get(0))
                .thenComparing(near -> near.volume().metadata().name()));
        return new FreeSummary(
                volumes,
                free.size(),
                Collections.unmodifiableMap(excluded),
                List.copyOf(nearest.subList(0, Math.min(NEAREST, nearest.size()))));
    }

    /** The rules that exclude a whole group, in their order. */
    private static List<MatchRule> differing(
            String storageClass, String attributesClass, VolumeMode mode, int mask, Demand demand) {
        List<MatchRule> rules = new ArrayList<>(2);
        if (!ModeMasks.contains(mask, demand.mask())) {
            rules.add(MatchRule.ACCESS_MODES);
        }
        if (mode != demand.volumeMode()) {
            rules.add(MatchRule.VOLUME_MODE);
        }
        if (!attributesClass.equals(demand.attributesClass())) {
            rules.add(MatchRule.ATTRIBUTES_CLASS);
        }
        if (!storageClass.equals(demand.storageClass())) {
            rules.add(MatchRule.STORAGE_CLASS);
        }
        return rules;
    }

    private static @Nullable VolumeEntry nearestIn(FreeGroup group, MatchRule rule, Demand demand) {
        return rule == MatchRule.TOO_SMALL ? group.largest() : group.firstLargeEnough(demand);
    }
}
