// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a leader is elected. The times are those of Kubernetes' own components.
 *
 * @param lease namespace and name of the Lease
 * @param identity who stands for election; no two that run have the same
 * @param leaseDuration how long others wait after the last renewal that they saw
 * @param renewDeadline how long a leader goes on after the last renewal that succeeded; what lies between the two is the margin within
 *     which a write that was sent at the last moment has to arrive
 * @param retryPeriod how long between two tries, after one that failed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeaderOptions(
        ObjectKey lease, String identity, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
    /** Checks that there is a margin: {@code leaseDuration > renewDeadline > 2 × retryPeriod}. */
    public LeaderOptions {
        if (leaseDuration.toSeconds() < 1
                || leaseDuration.compareTo(renewDeadline) <= 0
                || renewDeadline.compareTo(retryPeriod.multipliedBy(2)) <= 0
                || retryPeriod.isNegative()
                || retryPeriod.isZero()) {
            throw new IllegalArgumentException(
                    "leader election: the lease must last longer than the deadline for its renewal,"
                            + " and that more than twice as long as the retry period: " + leaseDuration.toSeconds()
                            + " s, "
                            + renewDeadline.toSeconds() + " s, " + retryPeriod.toSeconds() + " s");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("leader election: an identity is needed");
        }
    }

    /** 15 s, 10 s, 2 s. */
    public static LeaderOptions of(ObjectKey lease, String identity) {
        return new LeaderOptions(
                lease, identity, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }
}
