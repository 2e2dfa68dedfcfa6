// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * As whom a container runs, as far as its volumes care.
 *
 * @param seLinuxOptions its label; absent for the pod's
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SecurityContext(Optional<SELinuxOptions> seLinuxOptions) {
    /** Nothing set. */
    public static final SecurityContext EMPTY = new SecurityContext(Optional.empty());

    /** The same with another seLinuxOptions. */
    public SecurityContext withSeLinuxOptions(Optional<SELinuxOptions> newSeLinuxOptions) {
        return new SecurityContext(newSeLinuxOptions);
    }
}
