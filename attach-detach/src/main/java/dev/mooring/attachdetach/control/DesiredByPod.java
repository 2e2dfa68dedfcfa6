// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.KeyState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a pod was found to want.
 *
 * @param podUid which pod of its name
 * @param wants what it wants attached
 * @param drivers the CSI drivers whose objects matter for that
 */
record DesiredByPod(String podUid, List<DesiredAttachment> wants, Set<String> drivers) implements KeyState {
    DesiredByPod {
        wants = List.copyOf(wants);
        drivers = Set.copyOf(drivers);
    }

    /** What was found for a volume of this very pod before. */
    Optional<DesiredAttachment> of(String uid, String podVolume) {
        return wants.stream()
                .filter(want -> podUid.equals(uid) && want.podVolume().equals(podVolume))
                .findFirst();
    }
}
