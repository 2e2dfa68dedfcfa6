// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** What becomes of a snapshot in the back-end when its object goes. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum SnapshotPolicy implements WireEnum {
    /** It is destroyed. */
    DELETE,
    /** It stays. */
    RETAIN,
    /** A value that this version does not know. */
    UNKNOWN
}
