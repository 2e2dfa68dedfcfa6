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
 * @param missing what was found and has no volume yet
 */
record DiscoveryState(long looking, long answered, List<FoundVolume> missing) implements KeyState {
    static final DiscoveryState NONE = new DiscoveryState(0, 0, List.of());

    /** Copies the list. */
    DiscoveryState {
        missing = List.copyOf(missing);
    }

    DiscoveryState lookingAt(long changes) {
        return new DiscoveryState(changes, answered, missing);
    }

    DiscoveryState found(List<FoundVolume> volumes) {
        return new DiscoveryState(looking, looking, volumes);
    }

    DiscoveryState withMissing(List<FoundVolume> left) {
        return new DiscoveryState(looking, answered, left);
    }
}
