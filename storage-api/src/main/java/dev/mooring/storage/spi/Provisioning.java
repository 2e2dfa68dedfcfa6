// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/**
 * Makes new storage for a claim.
 *
 * <p>A plugin that also is {@link Modifying} gives new storage the {@linkplain ProvisionRequest#attributes attributes} that it is asked
 * for; attributes that it cannot give are refused with {@link Refusal#INVALID}, by {@link #plan} or {@link #provision}, and then nothing
 * is made. Any other plugin is never asked for attributes: who calls it refuses such claims itself.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Provisioning extends Capability {
    /**
     * Decides what the volume will be, without I/O: equal requests give equal answers, on any machine.
     *
     * @return the planned volume, which need not {@linkplain VolumeTemplate#namesStorage name the storage} yet, or a refusal with the
     *     parameter or attribute that is wrong; never {@link Outcome.Uncertain}
     */
    Outcome<VolumeTemplate> plan(ProvisionRequest request);

    /**
     * Makes the storage, with all the attributes that the request names. Repeating the call for one volume name gives the same storage.
     *
     * @param plan what {@link #plan} answered for this request
     * @return the volume as it was made, which names the storage
     */
    Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan);
}
