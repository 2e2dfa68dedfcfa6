// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.simulation.virtual.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The wall clock plus the sum of all advances. While time is advanced step by step it stands at the step, and shows what the world's own
 * clock shows. Any thread may read it; one at a time advances.
 */
final class LiveClock implements InstantSource, TimeSource {
    private final VirtualClock world;
    private final TimeSource wall;
    private final long startNanos;
    private final AtomicLong advancedNanos = new AtomicLong();
    private volatile boolean stands;

    /**
     * Makes a clock that goes.
     *
     * @param world the clock of the simulated world, which began at the wall's time of now and which its owner moves after this one
     * @param wall the wall clock
     */
    LiveClock(VirtualClock world, TimeSource wall) {
        this.world = world;
        this.wall = wall;
        this.startNanos = wall.now().monotonicNanos();
    }

    /** The monotonic reading. It never goes back. */
    long nanos() {
        return stands ? world.nanos() : goingNanos();
    }

    private long goingNanos() {
        return Math.max(world.nanos(), wall.now().monotonicNanos() - startNanos + advancedNanos.get());
    }

    @Override
    public Instant instant() {
        return world.at(nanos());
    }

    @Override
    public Time now() {
        long reading = nanos();
        return new Time(world.at(reading), reading);
    }

    /** Whether it stands at a step. */
    boolean stands() {
        return stands;
    }

    /** How far the world's clock is behind; never negative, zero while this one stands. */
    Duration ahead() {
        return Duration.ofNanos(nanos() - world.nanos());
    }

    /** From now on it stands where the world's clock does. */
    void stop() {
        stands = true;
    }

    /**
     * It goes again.
     *
     * @param advanced how much further it is now than the wall clock would be
     */
    void goOn(Duration advanced) {
        advancedNanos.addAndGet(advanced.toNanos());
        stands = false;
    }
}
