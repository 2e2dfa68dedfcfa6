// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Destroys storage whose claim has gone. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Deleting extends Capability {
    /**
     * Destroys the storage of a volume. Storage that is already gone is {@link Outcome.Done}. It is asked for once no
     * VolumeAttachment of the volume is left; for storage that need not be attached it is unknown whether a node still has it mounted: a
     * plugin that knows refuses with {@link Refusal#IN_USE}, and is asked again later.
     *
     * @param volume the released volume
     */
    Outcome<Nothing> delete(OperationContext context, VolumeSpec volume);
}
