// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells a person at a terminal what a command is doing, once it takes longer than two seconds: one line on standard error that is drawn
 * again and goes when the command ends. Elsewhere it is silent. Thread-safe.
 */
final class ProgressLine implements AutoCloseable {
    static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final int WIDTH = 79;
    private static final String ERASED = "\r" + " ".repeat(WIDTH) + "\r";

    private final PrintWriter err;
    private final LongSupplier clock;
    private final long begin;

    // Guarded by this.
    private String step = "";
    private boolean drawn;
    private boolean over;

    ProgressLine(PrintWriter err, LongSupplier clock) {
        this.err = err;
        this.clock = clock;
        this.begin = clock.getAsLong();
    }

    /** Begins to count the time; without a terminal nothing is ever drawn. */
    static ProgressLine start(PrintWriter err) {
        ProgressLine line = new ProgressLine(err, System::nanoTime);
        if (isTerminal(Path.of("/proc/self/fd/2"))) {
            Thread thread = new Thread(line::drawAgainAndAgain, "progress");
            thread.setDaemon(true);
            thread.start();
        }
        return line;
    }

    static boolean isTerminal(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private synchronized void drawAgainAndAgain() {
        try {
            while (!over) {
                wait(AGAIN.toMillis());
                draw();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says what is done now. */
    synchronized void step(String text) {
        step = text;
    }

    /** Makes room for output. */
    synchronized void hide() {
        if (drawn) {
            err.print(ERASED);
            err.flush();
            drawn = false;
        }
    }

    synchronized void draw() {
        Duration taken = Duration.ofNanos(clock.getAsLong() - begin);
        if (over || step.isEmpty() || taken.compareTo(QUIET) < 0) {
            return;
        }
        String text = step + " (" + taken.toSeconds() + " s)";
        hide();
        err.print(text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text);
        err.flush();
        drawn = true;
    }

    @Override
    public synchronized void close() {
        hide();
        over = true;
        notifyAll();
    }
}
