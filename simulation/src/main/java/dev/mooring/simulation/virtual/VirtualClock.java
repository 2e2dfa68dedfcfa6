// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apiguardian.api.API;

/**
 * A clock that moves only when it is told to. Both of its readings move together, but for jumps. One thread moves it, any thread may read
 * it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VirtualClock implements TimeSource, InstantSource {
    /** When virtual time begins. */
    public static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private final Instant start;
    private volatile long nanos;
    private volatile Duration offset = Duration.ZERO;

    /** Makes a clock that stands at {@link #START}. */
    public VirtualClock() {
        this(START);
    }

    /**
     * Makes a clock that begins at another time.
     *
     * @param start where it stands; never null
     */
    public VirtualClock(Instant start) {
        this.start = start;
    }

    @Override
    public Time now() {
        return new Time(instant(), nanos);
    }

    @Override
    public Instant instant() {
        return at(nanos);
    }

    /**
     * What the wall clock shows at a monotonic reading, unless the clock is set before.
     *
     * @param reading nanoseconds since the start
     */
    public Instant at(long reading) {
        return start.plusNanos(reading).plus(offset);
    }

    /** How much virtual time has passed since the start; never null. */
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    /** The monotonic reading: nanoseconds since the start. */
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
