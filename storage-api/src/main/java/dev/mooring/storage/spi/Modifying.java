// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * Gives storage that exists other attributes, such as more operations per second (VolumeAttributesClass). A plugin that also is {@link
 * Provisioning} gives new storage its {@linkplain ProvisionRequest#attributes attributes} from the start: for these {@code modify} is not
 * called.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Modifying extends Capability {
    /**
     * Gives the storage the attributes wanted. Storage that has them already is {@link Outcome.Done}. Attributes that are not named
     * stay as they are. Called by the controllers, one call per volume at a time.
     *
     * @param volume the volume
     * @param parameters the attributes, by name, as the class gives them; unmodifiable
     * @return {@link Outcome.Refused} only if the storage has kept all of its attributes
     */
    Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters);
}
