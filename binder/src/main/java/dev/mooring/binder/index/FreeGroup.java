// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The free volumes of one set of access modes, volume mode, class and attributes class, smallest first (T5: then by name). */
final class FreeGroup {
    /** Below this many volumes a selector is answered by looking at each of them. */
    static final int WORTH_POSTINGS = 64;

    private final ProbeCounter probes;
    private final SortedLeaves<VolumeEntry> volumes;
    private @Nullable LabelPostings postings;
    private @Nullable SelectedVolumes selections;

    FreeGroup(ProbeCounter probes) {
        this.probes = probes;
        this.volumes = new SortedLeaves<>(probes);
    }

    void add(VolumeEntry volume) {
        volumes.add(volume);
        if (postings != null) {
            postings.add(volume);
        }
        if (selections != null) {
            selections.add(volume);
        }
    }

    void remove(VolumeEntry volume) {
        if (!volumes.remove(volume)) {
            throw new IllegalStateException("not in its group: " + volume);
        }
        if (postings != null) {
            postings.remove(volume);
        }
        if (selections != null) {
            selections.remove(volume);
        }
    }

    void replace(VolumeEntry volume) {
        if (!volumes.replace(volume)) {
            throw new IllegalStateException("not in its group: " + volume);
        }
        if (postings != null) {
            postings.replace(volume);
        }
        if (selections != null) {
            selections.replace(volume);
        }
    }

    boolean isEmpty() {
        return volumes.isEmpty();
    }

    int size() {
        return volumes.size();
    }

    /** The smallest sufficient volume, of equal ones the first by name; null if there is none. */
    @Nullable
    VolumeEntry first(Demand demand, MatchOptions options) {
        if (demand.selector() == null) {
            return options.excluded().isEmpty()
                    ? volumes.at(demand.seekIn(volumes))
                    : firstIn(volumes, demand, options, null);
        }
        if (volumes.size() <= WORTH_POSTINGS && postings == null && selections == null) {
            return firstIn(volumes, demand, options, null);
        }
        List<Equality> requirements = Equality.of(demand.selector());
        if (requirements.isEmpty()) {
            return firstIn(selectedBy(demand.selector()), demand, options, null);
        }
        LabelPostings lists = postings == null ? new LabelPostings(probes) : postings;
        postings = lists;
        VolumeEntry best = null;
        for (SortedLeaves<VolumeEntry> list : lists.shortest(requirements, volumes)) {
            VolumeEntry found = firstIn(list, demand, options, best);
            best = found == null ? best : found;
        }
        return best;
    }

    /** The volumes that a selector without a required value selects, or all of them. */
    private SortedLeaves<VolumeEntry> selectedBy(LabelSelector selector) {
        SelectedVolumes lists = selections == null ? new SelectedVolumes(probes) : selections;
        selections = lists;
        SortedLeaves<VolumeEntry> selected = lists.of(selector, volumes);
        return selected == null ? volumes : selected;
    }

    /** The largest volume; null if there is none. */
    @Nullable
    VolumeEntry largest() {
        return volumes.at(volumes.last());
    }

    /** The smallest volume that is large enough, whatever its labels; null if there is none. */
    @Nullable
    VolumeEntry firstLargeEnough(Demand demand) {
        return volumes.at(demand.seekIn(volumes));
    }

    /** The first acceptable volume of a list; null if there is none before {@code bound}. */
    private @Nullable VolumeEntry firstIn(
            SortedLeaves<VolumeEntry> list, Demand demand, MatchOptions options, @Nullable VolumeEntry bound) {
        long place = demand.seekIn(list);
        int steps = 0;
        VolumeEntry found = null;
        for (VolumeEntry volume = list.at(place); volume != null; volume = list.at(place)) {
            steps++;
            if (bound != null && compare(volume, bound) >= 0) {
                break;
            }
            if (!options.excludes(volume.name()) && demand.selects(volume)) {
                found = volume;
                break;
            }
            place = list.next(place);
        }
        probes.add(steps);
        return found;
    }

    /** By capacity alone. */
    static int compareCapacity(VolumeEntry one, VolumeEntry other) {
        int byKey = Long.compare(one.key(), other.key());
        return byKey != 0 ? byKey : one.compareAmount(other);
    }

    private static int compare(VolumeEntry one, VolumeEntry other) {
        int byCapacity = compareCapacity(one, other);
        return byCapacity != 0 ? byCapacity : one.compareTie(other);
    }

    void check() {
        volumes.check();
        if (postings != null) {
            postings.check(volumes);
        }
        if (selections != null) {
            selections.check(volumes);
        }
    }
}
