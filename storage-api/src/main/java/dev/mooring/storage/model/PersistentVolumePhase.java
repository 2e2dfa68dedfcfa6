// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Where a volume stands (semantics/binder §1.11). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PersistentVolumePhase implements WireEnum {
    /** Just created. */
    PENDING,
    /** Not bound to a claim. */
    AVAILABLE,
    /** Bound to a claim. */
    BOUND,
    /** Its claim has gone. */
    RELEASED,
    /** Reclaiming it failed. */
    FAILED,
    /** A value that this version does not know. */
    UNKNOWN
}
