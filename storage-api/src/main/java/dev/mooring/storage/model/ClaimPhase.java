// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Where a claim stands (semantics/binder §1.11). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ClaimPhase implements WireEnum {
    /** Not bound yet. */
    PENDING,
    /** Bound to a volume. */
    BOUND,
    /** Its volume has gone. */
    LOST,
    /** A value that this version does not know. */
    UNKNOWN
}
