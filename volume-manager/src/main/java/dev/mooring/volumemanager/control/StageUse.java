// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.volumemanager.wanted.Device;
import java.util.List;
import java.util.Optional;

/**
 * Who uses a volume of the node.
 *
 * @param needs the pods that need it and could have it, in a fixed order
 * @param published whether a pod has it, or may have (S8)
 */
record StageUse(List<VolumeNeed> needs, boolean published) {
    /** Copies the list. */
    StageUse {
        needs = List.copyOf(needs);
    }

    /** As what the first of the pods needs it. */
    Optional<Device> first() {
        return needs.stream().flatMap(need -> need.device().stream()).findFirst();
    }

    /** As what a pod needs it that can use what was prepared. */
    Optional<Device> fitting(Stage stage) {
        return needs.stream()
                .flatMap(need -> need.device().stream())
                .filter(device -> device.fits(stage))
                .findFirst();
    }

    /** Whether what was prepared is used. */
    boolean uses(Stage stage) {
        return published || fitting(stage).isPresent();
    }
}
