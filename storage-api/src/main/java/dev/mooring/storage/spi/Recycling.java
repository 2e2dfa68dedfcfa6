// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Empties storage whose claim has gone, so that another claim may use it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Recycling extends Capability {
    /**
     * Removes all content. A repeated call continues where the first one ended.
     *
     * @param volume the released volume
     */
    Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume);
}
