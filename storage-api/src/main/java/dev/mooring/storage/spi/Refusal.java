// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Why a call was refused: what a person would have to change. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Refusal {
    /** An argument or parameter is wrong. */
    INVALID,
    /** The storage, or something it needs, is not there. */
    NOT_FOUND,
    /** No space, no quota, no free slot. */
    EXHAUSTED,
    /** The storage exists but is not what was asked for. */
    INCOMPATIBLE,
    /** The back-end or the kernel denies access. */
    DENIED,
    /** This host or back-end cannot do that. */
    UNSUPPORTED,
    /** It is in use. */
    IN_USE,
    /** The state found is damaged or contradicts the records; touching it could lose data. */
    CORRUPT
}
