// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Optional;

/**
 * What this process knows of the storage that plugins made for a claim.
 *
 * @param made storage that exists, or may exist, and has no volume object yet
 * @param surelyNone whether surely none exists; false if nobody can tell, as after a crash
 * @param failedCreates how often its volume object was surely refused
 * @param failedCleanups how often destroying it failed
 */
record ClaimStorage(Optional<Made> made, boolean surelyNone, int failedCreates, int failedCleanups) {
    static final ClaimStorage UNKNOWN = new ClaimStorage(Optional.empty(), false, 0, 0);

    /** No call has been made, or the last one surely had no effect. */
    static final ClaimStorage NOTHING = new ClaimStorage(Optional.empty(), true, 0, 0);

    static ClaimStorage of(Made made) {
        return new ClaimStorage(Optional.of(made), false, 0, 0);
    }

    ClaimStorage afterFailedCreate() {
        return new ClaimStorage(made, surelyNone, failedCreates + 1, failedCleanups);
    }

    ClaimStorage afterFailedCleanup() {
        return new ClaimStorage(made, surelyNone, failedCreates, failedCleanups + 1);
    }

    /**
     * Storage that a plugin made.
     *
     * @param provisioner who made it
     * @param request for which wish
     * @param template what it made
     * @param certain whether it surely did; else its answer was lost
     */
    record Made(String provisioner, ProvisionRequest request, VolumeTemplate template, boolean certain) {}
}
