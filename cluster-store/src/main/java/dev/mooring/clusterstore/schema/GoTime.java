// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;

/** Times as the API server reads them: RFC 3339, in Go's strict reading of it. Pure. */
final class GoTime {
    private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
    private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";
    private static final int MICRO_DIGITS = 6;

    private final String text;
    private final boolean micros;
    private int at;

    private GoTime(String text, boolean micros) {
        this.text = text;
        this.micros = micros;
    }

    /**
     * What Go says of a text that is no such time; empty if it is one.
     *
     * @param micros whether six digits behind the second are asked for
     */
    static Optional<String> problem(String text, boolean micros) {
        try {
            new GoTime(text, micros).read();
            return Optional.empty();
        } catch (DateTimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void read() {
        int year = number("2006", 4);
        separator("-");
        int month = within("month", number("01", 2), 1, 12);
        separator("-");
        int day = number("02", 2);
        separator("T");
        within("hour", number("15", 2), 0, 23);
        separator(":");
        within("minute", number("04", 2), 0, 59);
        separator(":");
        within("second", number("05", 2), 0, 59);
        fraction();
        zone();
        if (at < text.length()) {
            throw new DateTimeException("parsing time " + quoted(text) + ": extra text: " + quoted(text.substring(at)));
        }
        within("day", day, 1, LocalDate.of(year, month, 1).lengthOfMonth());
    }

    private void fraction() {
        int digits = 0;
        if (at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',')) {
            while (isDigit(at + 1 + digits)) {
                digits++;
            }
        }
        if (micros && digits != MICRO_DIGITS) {
            throw unread(".000000");
        }
        at += digits == 0 ? 0 : digits + 1;
    }

    private void zone() {
        if (at < text.length() && text.charAt(at) == 'Z') {
            at++;
            return;
        }
        boolean offset = at + 6 <= text.length()
                && "+-".indexOf(text.charAt(at)) >= 0
                && isDigit(at + 1)
                && isDigit(at + 2)
                && text.charAt(at + 3) == ':'
                && isDigit(at + 4)
                && isDigit(at + 5);
        if (!offset) {
            throw unread("Z07:00");
        }
        at += 6;
    }

    private int number(String element, int digits) {
        for (int i = 0; i < digits; i++) {
            if (!isDigit(at + i)) {
                throw unread(element);
            }
        }
        at += digits;
        return Integer.parseInt(text.substring(at - digits, at));
    }

    private void separator(String wanted) {
        if (!text.startsWith(wanted, at)) {
            throw unread(wanted);
        }
        at += wanted.length();
    }

    private int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new DateTimeException("parsing time " + quoted(text) + ": " + name + " out of range");
        }
        return value;
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private DateTimeException unread(String element) {
        return new DateTimeException(
                start() + ": cannot parse " + quoted(text.substring(at)) + " as " + quoted(element));
    }

    private String start() {
        return "parsing time " + quoted(text) + " as " + quoted(micros ? MICROS : SECONDS);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
