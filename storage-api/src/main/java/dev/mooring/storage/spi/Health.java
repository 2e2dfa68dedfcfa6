// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Says whether a volume is in good order. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Health extends Capability {
    /** Looks at the volume. */
    Outcome<Condition> check(OperationContext context, VolumeSpec volume);

    /**
     * What was seen.
     *
     * @param abnormal whether a person should look at it
     * @param message for people
     */
    record Condition(boolean abnormal, String message) {}
}
