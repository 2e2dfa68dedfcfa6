// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import org.apiguardian.api.API;

/**
 * Why a pod cannot run on a node. Immutable.
 *
 * @param plugin who says so, in Kubernetes' names, such as {@code VolumeBinding}
 * @param status whether moving other pods away could help
 * @param wholePod whether the pod was rejected before any node was looked at: the same for all nodes
 * @param reason in Kubernetes' words
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Rejection(String plugin, Status status, boolean wholePod, String reason) {
    /** Kubernetes' status codes. */
    public enum Status {
        /** It may fit once other pods have gone. */
        UNSCHEDULABLE,
        /** Taking pods away does not help. */
        UNSCHEDULABLE_AND_UNRESOLVABLE
    }

    static Rejection unresolvable(String plugin, String reason) {
        return new Rejection(plugin, Status.UNSCHEDULABLE_AND_UNRESOLVABLE, false, reason);
    }

    static Rejection resolvable(String plugin, String reason) {
        return new Rejection(plugin, Status.UNSCHEDULABLE, false, reason);
    }

    static Rejection ofPod(String plugin, String reason) {
        return new Rejection(plugin, Status.UNSCHEDULABLE_AND_UNRESOLVABLE, true, reason);
    }
}
