// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import org.apiguardian.api.API;

/**
 * Names an object, whether or not it exists.
 *
 * @param kind its kind
 * @param key its namespace and name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectName(Kind<?> kind, ObjectKey key) {
    /** Names an object without a namespace. */
    public static ObjectName cluster(Kind<?> kind, String name) {
        return new ObjectName(kind, ObjectKey.cluster(name));
    }
}
