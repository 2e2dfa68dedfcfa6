// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import java.util.random.RandomGenerator;

/**
 * Takes the middle of every range. Back-off in virtual time is the same whatever the seed: a seed changes the order of what happens
 * at one time, never the times themselves.
 */
final class SteadyJitter implements RandomGenerator {
    @Override
    public long nextLong() {
        return 0;
    }

    @Override
    public long nextLong(long origin, long bound) {
        return origin + (bound - 1 - origin) / 2;
    }

    @Override
    public long nextLong(long bound) {
        return nextLong(0, bound);
    }

    @Override
    public int nextInt(int bound) {
        return (bound - 1) / 2;
    }

    @Override
    public int nextInt(int origin, int bound) {
        return (int) nextLong(origin, bound);
    }

    @Override
    public double nextDouble() {
        return 0.5;
    }
}
