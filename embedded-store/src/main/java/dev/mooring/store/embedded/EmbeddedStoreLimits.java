// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import org.apiguardian.api.API;

/**
 * How much of the past a store keeps for watches and pages. Immutable.
 *
 * @param historySteps at most so many steps; at least 10
 * @param historyBytes at most so many bytes of documents in them, of UTF-8; at least 1 MiB
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EmbeddedStoreLimits(int historySteps, long historyBytes) {
    private static final int LEAST_STEPS = 10;
    private static final long LEAST_BYTES = 1 << 20;

    /** 20 000 steps, 64 MiB. */
    public static final EmbeddedStoreLimits STANDARD = new EmbeddedStoreLimits(20_000, 64L << 20);

    /** Checks the numbers. */
    public EmbeddedStoreLimits {
        if (historySteps < LEAST_STEPS || historyBytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "history is at least " + LEAST_STEPS + " steps and " + LEAST_BYTES + " bytes");
        }
    }
}
