// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.PersistentVolume;
import java.util.List;

/**
 * Why a claim cannot get a volume.
 *
 * @param volume the volume
 * @param rules the rules that exclude it, in the order in which matching asks them; empty if it fits
 */
public record Exclusion(PersistentVolume volume, List<MatchRule> rules) {
    /** Copies the list. */
    public Exclusion {
        rules = List.copyOf(rules);
    }
}
