// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.Quantity;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** Says how much storage is left for new volumes of a class in a part of the cluster (semantics/csi §12). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface CapacityReporting extends Capability {
    /**
     * Asks how much is left. Changes nothing.
     *
     * @param parameters all parameters of the class
     * @param place the labels that the nodes of the part have, in a fixed order; empty for the whole cluster
     * @return {@link Refusal#UNSUPPORTED} if the back-end cannot say it
     */
    Outcome<FreeSpace> freeSpace(OperationContext context, Map<String, String> parameters, Map<String, String> place);

    /**
     * What is left.
     *
     * @param available how much in all; 0 if nothing
     * @param largestVolume the largest volume that can be made; empty if the back-end does not say
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    record FreeSpace(Quantity available, Optional<Quantity> largestVolume) {}
}
