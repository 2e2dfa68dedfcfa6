// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.List;
import org.apiguardian.api.API;

/** What decides a random world: a sequence of numbers that a seed fixes, the same on every machine. Confined to one thread. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Chance {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private long state;

    Chance(long seed) {
        this.state = mixed(seed ^ GOLDEN);
    }

    private static long mixed(long value) {
        long mix = value;
        mix = (mix ^ (mix >>> 30)) * 0xbf58476d1ce4e5b9L;
        mix = (mix ^ (mix >>> 27)) * 0x94d049bb133111ebL;
        return mix ^ (mix >>> 31);
    }

    /**
     * A number.
     *
     * @param bound at least 1
     * @return at least 0, less than the bound
     */
    public int below(int bound) {
        state += GOLDEN;
        return (int) Long.remainderUnsigned(mixed(state), bound);
    }

    /** True once in so many times; at least 1. */
    public boolean oneIn(int times) {
        return below(times) == 0;
    }

    /** One of a few; the list is not empty. */
    public <T> T pick(List<? extends T> choices) {
        return choices.get(below(choices.size()));
    }

    /** One of a few. */
    @SafeVarargs
    public final <T> T pick(T... choices) {
        return choices[below(choices.length)];
    }
}
