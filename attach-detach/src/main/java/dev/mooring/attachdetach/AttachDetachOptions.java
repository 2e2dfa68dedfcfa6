// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How attaching and detaching shall behave. Begin with {@link #DEFAULT}.
 *
 * @param detachFromDeletedNodes whether a Node object that was deleted is evidence that its machine will not write any more. Kubernetes'
 *     documentation asks this of those who delete a Node, and Kubernetes itself detaches after six minutes (semantics/attach-and-mount
 *     §1.11). Without it such an attachment stays until a person sets the annotation {@code mooring.dev/force-detach} on it
 * @param fenceLostNodes whether a node that is not ready, and whose pods of a volume are all being deleted, is cut off from the storage
 *     when another node waits for it, where the plugin can do that
 * @param forceAfter compatibility with Kubernetes: how long after it was asked for a detachment from a node that is not ready is forced
 *     without any evidence; empty for never. Kubernetes' value is six minutes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AttachDetachOptions(
        boolean detachFromDeletedNodes, boolean fenceLostNodes, Optional<Duration> forceAfter) {
    /** Mooring's own behaviour: never forced without evidence. */
    public static final AttachDetachOptions DEFAULT = new AttachDetachOptions(true, false, Optional.empty());

    /** Checks the arguments. */
    public AttachDetachOptions {
        if (forceAfter.filter(after -> after.isNegative() || after.isZero()).isPresent()) {
            throw new IllegalArgumentException("forceAfter must be positive, but is " + forceAfter.get());
        }
    }

    /** The same with another policy for deleted nodes. */
    public AttachDetachOptions withDetachFromDeletedNodes(boolean wanted) {
        return new AttachDetachOptions(wanted, fenceLostNodes, forceAfter);
    }

    /** The same with another policy for lost nodes. */
    public AttachDetachOptions withFenceLostNodes(boolean wanted) {
        return new AttachDetachOptions(detachFromDeletedNodes, wanted, forceAfter);
    }

    /** The same with another time-out. */
    public AttachDetachOptions withForceAfter(Optional<Duration> after) {
        return new AttachDetachOptions(detachFromDeletedNodes, fenceLostNodes, after);
    }
}
