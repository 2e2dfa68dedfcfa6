// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Destroys storage whose claim has gone. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Deleting extends Capability {
    /**
     * Destroys the storage of a volume. Storage that is already gone is {@link Outcome.Done}. Nobody waits until every node has let go of
     * it: storage that is still attached or mounted somewhere is refused with {@link Refusal#IN_USE}, and asked for again later.
     *
     * @param volume the released volume
     */
    Outcome<Nothing> delete(OperationContext context, VolumeSpec volume);
}
