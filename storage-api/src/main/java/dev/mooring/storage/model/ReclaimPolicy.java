// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** What becomes of a volume when its claim has gone. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ReclaimPolicy implements WireEnum {
    /** It stays as it is. */
    RETAIN,
    /** It is emptied and used again. */
    RECYCLE,
    /** It is destroyed. */
    DELETE,
    /** A value that this version does not know. */
    UNKNOWN
}
