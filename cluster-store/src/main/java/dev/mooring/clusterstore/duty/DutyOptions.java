// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The periods of the background duties. Immutable.
 *
 * @param eventLifetime how long an Event is kept after it was last written; positive
 * @param nodeGracePeriod how long a node may be silent before it is Unknown; positive
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DutyOptions(Duration eventLifetime, Duration nodeGracePeriod) {
    /**
     * Kubernetes' own: one hour (kube-apiserver's {@code --event-ttl}) and 50 seconds (kube-controller-manager's
     * {@code --node-monitor-grace-period}).
     */
    public static final DutyOptions DEFAULT = new DutyOptions(Duration.ofHours(1), Duration.ofSeconds(50));

    /** Checks the periods. */
    public DutyOptions {
        if (!isPositive(eventLifetime) || !isPositive(nodeGracePeriod)) {
            throw new IllegalArgumentException("periods are positive: " + eventLifetime + ", " + nodeGracePeriod);
        }
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    /** Another lifetime of events. */
    public DutyOptions withEventLifetime(Duration lifetime) {
        return new DutyOptions(lifetime, nodeGracePeriod);
    }

    /** Another grace period of nodes. */
    public DutyOptions withNodeGracePeriod(Duration period) {
        return new DutyOptions(eventLifetime, period);
    }
}
