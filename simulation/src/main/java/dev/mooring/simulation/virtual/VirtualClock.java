// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apiguardian.api.API;

/** A clock that moves only when it is told to. Both of its readings move together, but for jumps. Confined to one thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VirtualClock implements TimeSource, InstantSource {
    /** When virtual time begins. */
    public static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private long nanos;
    private Duration offset = Duration.ZERO;

    /** Makes a clock that stands at {@link #START}. */
    public VirtualClock() {}

    @Override
    public Time now() {
        return new Time(instant(), nanos);
    }

    @Override
    public Instant instant() {
        return START.plusNanos(nanos).plus(offset);
    }

    /** How much virtual time has passed since {@link #START}; never null. */
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    /** The monotonic reading: nanoseconds since {@link #START}. */
    public long nanos() {
        return nanos;
    }

    /**
     * Sets the wall clock forward or back, as an administrator or a time server does. The monotonic reading does not change.
     *
     * @param jump how far; negative for back
     */
    public void jump(Duration jump) {
        offset = offset.plus(jump);
    }

    /**
     * Moves the clock.
     *
     * @param toNanos the monotonic reading from now on; a time that has passed is ignored
     */
    void moveTo(long toNanos) {
        nanos = Math.max(nanos, toNanos);
    }
}
