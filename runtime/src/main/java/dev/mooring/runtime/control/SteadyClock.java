// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Instant;
import java.time.InstantSource;
import org.apiguardian.api.API;

/**
 * A clock for one call: it begins with the wall clock, and goes on with the monotonic one. An administrator or a time server that sets the
 * wall clock while the call runs neither ends the call early nor lets it run on. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SteadyClock implements InstantSource {
    private final TimeSource time;
    private final Time begin;

    /**
     * Begins now.
     *
     * @param time the clocks of this machine
     */
    public SteadyClock(TimeSource time) {
        this.time = time;
        this.begin = time.now();
    }

    @Override
    public Instant instant() {
        return begin.wall().plusNanos(time.now().monotonicNanos() - begin.monotonicNanos());
    }
}
