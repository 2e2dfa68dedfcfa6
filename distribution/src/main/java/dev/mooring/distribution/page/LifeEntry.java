// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import java.time.Instant;

/**
 * Something that happened to an object.
 *
 * @param at when it happened last
 * @param source what tells it
 * @param text in a sentence's words
 * @param count how often it happened in a row
 */
record LifeEntry(Instant at, Source source, String text, long count) {
    /** What tells of it. */
    enum Source {
        /** The object looks otherwise than before. */
        CHANGE,
        /** Mooring has decided something. */
        DECISION,
        /** What was decided could not be done. */
        FAILURE,
        /** An Event, as kubectl shows it. */
        EVENT
    }

    private static final int LONGEST = 600;

    /** Bounds the text. */
    LifeEntry {
        if (text.length() > LONGEST) {
            text = text.substring(0, LONGEST) + "…";
        }
    }

    LifeEntry(Instant at, Source source, String text) {
        this(at, source, text, 1);
    }

    boolean says(LifeEntry other) {
        return source == other.source && text.equals(other.text);
    }

    LifeEntry again(LifeEntry later) {
        return new LifeEntry(later.at, source, text, count + 1);
    }
}
