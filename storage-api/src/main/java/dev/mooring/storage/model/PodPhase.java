// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Where a pod stands. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PodPhase implements WireEnum {
    /** Not running yet. */
    PENDING,
    /** Running. */
    RUNNING,
    /** All containers ended well. */
    SUCCEEDED,
    /** All containers ended, one of them badly. */
    FAILED,
    /** A value that this version does not know. */
    UNKNOWN;

    /** Whether no container will run any more; a pod never leaves such a phase. */
    public boolean isTerminal() {
        return this == SUCCEEDED || this == FAILED;
    }
}
