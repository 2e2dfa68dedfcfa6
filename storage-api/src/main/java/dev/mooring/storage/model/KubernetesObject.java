// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** An object of a cluster. Implementations are immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KubernetesObject {
    /** Name, uid, version and the like; never null. */
    ObjectMeta metadata();
}
