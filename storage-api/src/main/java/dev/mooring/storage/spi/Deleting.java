// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Destroys storage whose claim has gone. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Deleting extends Capability {
    /**
     * Destroys the storage of a volume. Storage that is already gone is {@link Outcome.Done}.
     *
     * @param volume the released volume
     */
    Outcome<Nothing> delete(OperationContext context, VolumeSpec volume);
}
