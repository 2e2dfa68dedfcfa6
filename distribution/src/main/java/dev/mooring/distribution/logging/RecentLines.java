// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The log lines of the last while, kept in memory for those who help from afar. Thread-safe. */
final class RecentLines extends AppenderBase<ILoggingEvent> {
    /** What all lines together may take. */
    static final int MOST_CHARACTERS = 256 * 1024;

    private final Encoder<ILoggingEvent> encoder;
    private final Deque<String> lines = new ArrayDeque<>();
    private int characters;

    /**
     * Keeps nothing yet.
     *
     * @param encoder writes a line as the log has it
     */
    RecentLines(Encoder<ILoggingEvent> encoder) {
        this.encoder = encoder;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String line = new String(encoder.encode(event), StandardCharsets.UTF_8);
        String kept = line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS);
        synchronized (lines) {
            lines.addLast(kept);
            characters += kept.length();
            while (characters > MOST_CHARACTERS) {
                characters -= lines.removeFirst().length();
            }
        }
    }

    /** The lines, oldest first. */
    String text() {
        synchronized (lines) {
            return String.join("", lines);
        }
    }
}
