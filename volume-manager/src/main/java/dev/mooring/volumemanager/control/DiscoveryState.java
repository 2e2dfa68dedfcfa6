// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.storage.spi.FoundVolume;
import java.util.List;

/**
 * How far looking for volumes is. Changes of what could be found are counted.
 *
 * @param looking how many changes there were when the last look began
 * @param answered how many there were when the last look began that has ended well
 * @param found what was found then
 * @param missing what of it has no volume yet, as far as is known
 */
record DiscoveryState(long looking, long answered, List<FoundVolume> found, List<FoundVolume> missing)
        implements KeyState {
    static final DiscoveryState NONE = new DiscoveryState(0, 0, List.of(), List.of());

    /** Copies the lists. */
    DiscoveryState {
        found = List.copyOf(found);
        missing = List.copyOf(missing);
    }

    DiscoveryState lookingAt(long changes) {
        return new DiscoveryState(changes, answered, found, missing);
    }

    DiscoveryState found(List<FoundVolume> volumes) {
        return new DiscoveryState(looking, looking, volumes, volumes);
    }

    DiscoveryState withMissing(List<FoundVolume> left) {
        return new DiscoveryState(looking, answered, found, left);
    }
}
