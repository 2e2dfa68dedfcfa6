// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import java.util.Set;

/**
 * How one match is to be made.
 *
 * @param delayBinding the claim waits for its first consumer: only a volume that is already for it may be taken (F10)
 * @param upstreamMatching a volume for the claim in a wider access-mode group loses against a free one in a narrower group, as
 *     upstream; else volumes for the claim come first in all groups (T3, D2)
 * @param excluded names of volumes that are not to be considered (F2); only asked for membership
 */
public record MatchOptions(boolean delayBinding, boolean upstreamMatching, Set<String> excluded) {
    /** Binding at once, by Mooring's own rules. */
    public static final MatchOptions DEFAULT = new MatchOptions(false, false);

    /** Binding only to volumes that are already for the claim, by Mooring's own rules. */
    public static final MatchOptions DELAYED = new MatchOptions(true, false);

    public MatchOptions(boolean delayBinding, boolean upstreamMatching) {
        this(delayBinding, upstreamMatching, Set.of());
    }

    /** The same with other volumes left out. */
    public MatchOptions withExcluded(Set<String> names) {
        return new MatchOptions(delayBinding, upstreamMatching, names);
    }

    boolean excludes(String name) {
        return !excluded.isEmpty() && excluded.contains(name);
    }
}
