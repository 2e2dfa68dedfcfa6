// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.record;

import org.apiguardian.api.API;

/** How far the node has come with one thing that it does and later undoes. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RecordPhase {
    /** It may have been done, in whole or in part, or not at all. */
    INTENT,
    /** It surely was done. */
    DONE,
    /** It is being undone: it may still be there, in whole or in part. */
    UNDO,
    /** Surely nothing of it is left. An entry in this phase ends its record. */
    GONE
}
