// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.simulate;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Tells how far a run has come: on a terminal by a bar that is drawn again, elsewhere by a line every ten seconds. */
final class Progress {
    private static final long PAUSE_NANOS = 10_000_000_000L;
    private static final int BAR = 30;

    private final PrintWriter out;
    private final boolean terminal;
    private final long worlds;
    private final LongSupplier clock;
    private final long begin;
    private long told;

    /**
     * Begins to count the time.
     *
     * @param out where it is printed
     * @param terminal whether that is a terminal
     * @param worlds how many worlds there will be, at least 1
     * @param clock the time in nanoseconds, from any beginning
     */
    Progress(PrintWriter out, boolean terminal, long worlds, LongSupplier clock) {
        this.out = out;
        this.terminal = terminal;
        this.worlds = worlds;
        this.clock = clock;
        this.begin = clock.getAsLong();
        this.told = begin;
    }

    /** How long the run has taken so far, in seconds. */
    double seconds() {
        return (clock.getAsLong() - begin) / 1e9;
    }

    /** Tells it, if it is time to; may be called as often as one likes. */
    void tell(long done, long events) {
        if (terminal) {
            draw(done, events);
        } else if (clock.getAsLong() - told >= PAUSE_NANOS) {
            told = clock.getAsLong();
            out.println(figures(done, events));
        }
        out.flush();
    }

    /** The run is over: a bar stays as it is now. */
    void end(long done, long events) {
        if (terminal) {
            draw(done, events);
            out.println();
            out.flush();
        }
    }

    private void draw(long done, long events) {
        int filled = (int) (BAR * done / worlds);
        out.print("\r[" + "#".repeat(filled) + ".".repeat(BAR - filled) + "] " + figures(done, events));
    }

    private String figures(long done, long events) {
        return String.format(
                Locale.ROOT,
                "%d of %d worlds, %d events, %.0f per second",
                done,
                worlds,
                events,
                events / Math.max(seconds(), 1e-3));
    }
}
