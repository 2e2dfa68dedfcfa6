// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/** When a device may be formatted (semantics/plugins §1.5). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FormatPolicy {
    /** Never. */
    NEVER,
    /** If nothing is on it: no signature, and what was read of it is zero. The default. */
    IF_BLANK,
    /** If it has no signature that is known, whatever else is on it. Only if an administrator asks for it explicitly. */
    IF_NO_SIGNATURE
}
