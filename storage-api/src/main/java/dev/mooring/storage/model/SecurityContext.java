// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The user and group of a container, as far as they matter to volumes.
 *
 * @param seLinuxOptions its label; absent for the pod's
 * @param runAsUser its user; absent for the pod's, or else for the image's
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record SecurityContext(Optional<SELinuxOptions> seLinuxOptions, Optional<Long> runAsUser)
        implements SecurityContextBuilder.With {
    /** Nothing set. */
    public static final SecurityContext EMPTY = new SecurityContext(Optional.empty(), Optional.empty());
}
