// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How to use an API server. Immutable.
 *
 * @param kinds the kinds that may be asked for; one that the server does not serve is empty and silent
 * @param userAgent how the program names itself to the server
 * @param requestTimeout how long one request may take; also the time within which a watch must begin
 * @param watchTimeout how long the server shall keep one watch open; the next one resumes where it ended. While nothing else is asked
 *     for, a connection that died without a sign goes unnoticed about as long; else it is replaced when a request was not answered in
 *     {@code requestTimeout} and nothing else came in that time
 * @param limit requests per second; absent for none, as the server has its own fair queues
 * @param moreConnections how many there may be beside the one that all share, for requests that come while another one is under way: each
 *     costs a handshake and memory, and less processor time; 0 or more
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record KubernetesOptions(
        Kinds kinds,
        String userAgent,
        Duration requestTimeout,
        Duration watchTimeout,
        Optional<RequestLimit> limit,
        int moreConnections) {
    /** The standard kinds, 30 s for a request, 8 min for a watch, no limit of our own, and 16 more connections. */
    public static final KubernetesOptions DEFAULT = new KubernetesOptions(
            Kinds.standard(), "mooring", Duration.ofSeconds(30), Duration.ofMinutes(8), Optional.empty(), 16);

    /** Checks the number. */
    public KubernetesOptions {
        if (moreConnections < 0) {
            throw new IllegalArgumentException("moreConnections is 0 or more, not " + moreConnections);
        }
    }

    /** Another name. */
    public KubernetesOptions withUserAgent(String name) {
        return new KubernetesOptions(kinds, name, requestTimeout, watchTimeout, limit, moreConnections);
    }

    /** Another time for one request. */
    public KubernetesOptions withRequestTimeout(Duration timeout) {
        return new KubernetesOptions(kinds, userAgent, timeout, watchTimeout, limit, moreConnections);
    }

    /** Another time for one watch. */
    public KubernetesOptions withWatchTimeout(Duration timeout) {
        return new KubernetesOptions(kinds, userAgent, requestTimeout, timeout, limit, moreConnections);
    }

    /** With a limit of our own. */
    public KubernetesOptions withLimit(RequestLimit newLimit) {
        return new KubernetesOptions(
                kinds, userAgent, requestTimeout, watchTimeout, Optional.of(newLimit), moreConnections);
    }

    /** With so many connections beside the one that all share. */
    public KubernetesOptions withMoreConnections(int number) {
        return new KubernetesOptions(kinds, userAgent, requestTimeout, watchTimeout, limit, number);
    }

    /**
     * A limit on the client's side, as {@code --kube-api-qps} and {@code --kube-api-burst} are; separately for reads and for writes.
     *
     * @param perSecond requests of each sort per second in the long run, more than 0
     * @param burst how many may go at once after a pause, at least 1
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record RequestLimit(double perSecond, int burst) {
        /** Checks the ranges. */
        public RequestLimit {
            if (!(perSecond > 0) || burst < 1) {
                throw new IllegalArgumentException("a limit lets something pass: " + perSecond + "/s, burst " + burst);
            }
        }
    }
}
