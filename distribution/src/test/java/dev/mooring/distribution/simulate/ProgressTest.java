// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How progress is told, on a terminal and elsewhere, by a clock that the test sets. */
class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final StringWriter text = new StringWriter();
    private final AtomicLong clock = new AtomicLong(-5 * SECOND);

    private Progress progress(boolean terminal) {
        return new Progress(new PrintWriter(text), terminal, 300, clock::get);
    }

    @Test
    void elsewhereALineIsToldEveryTenSeconds() {
        Progress progress = progress(false);
        for (int second = 1; second <= 35; second++) {
            clock.addAndGet(SECOND);
            progress.tell(second, 1000L * second);
            progress.tell(second, 1000L * second);
        }
        progress.end(300, 36_000);
        assertThat(text.toString().lines())
                .containsExactly(
                        "10 of 300 worlds, 10000 events, 1000 per second",
                        "20 of 300 worlds, 20000 events, 1000 per second",
                        "30 of 300 worlds, 30000 events, 1000 per second");
    }

    @Test
    void onATerminalABarIsDrawnAnewInItsLine() {
        Progress progress = progress(true);
        clock.addAndGet(SECOND);
        progress.tell(0, 0);
        progress.tell(100, 5000);
        progress.end(300, 9000);
        assertThat(text.toString().split("\r"))
                .containsExactly(
                        "",
                        "[" + ".".repeat(30) + "] 0 of 300 worlds, 0 events, 0 per second",
                        "[" + "#".repeat(10) + ".".repeat(20) + "] 100 of 300 worlds, 5000 events, 5000 per second",
                        "[" + "#".repeat(30) + "] 300 of 300 worlds, 9000 events, 9000 per second"
                                + System.lineSeparator());
    }
}
