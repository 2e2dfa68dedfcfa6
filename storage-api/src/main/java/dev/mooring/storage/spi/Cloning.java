// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * Makes new storage that holds what another volume holds. A plugin that has this also is {@link Provisioning}, whose {@link
 * Provisioning#plan} is asked first, as for storage that begins empty.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Cloning extends Capability {
    /**
     * Makes the storage as {@link Provisioning#provision} does, with a copy of what the source holds. Repeating the call for one volume
     * name gives the same storage; storage that is not filled yet is no volume, and no answer of this call names it.
     *
     * @param request what the claim wants; its {@linkplain ProvisionRequest#content content} is the source
     * @param plan what {@link Provisioning#plan} answered for this request
     * @param source the volume that is copied. It is not changed. Pods may write to it meanwhile: what the copy has of that is for the
     *     storage to say; a plugin whose copy would be of no use then refuses with {@link Refusal#IN_USE}
     * @return the volume as it was made, which names the storage; {@link Refusal#NOT_FOUND} if the source's storage has gone
     */
    Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source);
}
