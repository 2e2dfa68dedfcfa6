// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** Takes the power to write from a node that no longer answers. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Fencing extends Capability {
    /**
     * Makes sure that the lost node cannot write to the volume any more.
     *
     * @return {@link Outcome.Done} only with proof
     */
    Outcome<Nothing> fence(OperationContext context, VolumeId volume, NodeRef lost);

    /** Lets a node that came back write again. */
    Outcome<Nothing> unfence(OperationContext context, VolumeId volume, NodeRef back);
}
