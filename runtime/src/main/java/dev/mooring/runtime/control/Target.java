// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import org.apiguardian.api.API;

/**
 * What a mutating effect changes. At most one mutating effect per target is in flight, whichever key asked for it.
 *
 * @param scope the kind of an object, or the plugin of a back-end volume
 * @param name the object or volume
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Target(String scope, String name) {
    /** An object of the store. */
    public static Target of(Kind<?> kind, ObjectKey key) {
        return new Target(kind.name(), key.toString());
    }
}
