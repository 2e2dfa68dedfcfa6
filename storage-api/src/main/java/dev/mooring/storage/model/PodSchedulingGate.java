// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * Keeps a pod from being scheduled until it is removed.
 *
 * @param name whose it is
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PodSchedulingGate(String name) {
    /** The same with another name. */
    public PodSchedulingGate withName(String newName) {
        return new PodSchedulingGate(newName);
    }
}
