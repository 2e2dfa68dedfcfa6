// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Durations as people write them in scenarios: {@code 15s}, {@code 6m}, {@code 1h30m}, {@code 1.5s}, {@code 250ms}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Durations {
    private static final Pattern PART = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(h|ms|m|s)");
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param text the text
     * @return the duration; empty if the text is none, or is longer than a hundred years
     */
    public static Optional<Duration> parse(String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            BigDecimal nanos = new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unitNanos(part.group(2))));
            if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
                return Optional.empty();
            }
            sum = sum.plusNanos(nanos.longValue());
            end = part.end();
        }
        boolean whole = end == text.length() && end > 0 && sum.compareTo(LONGEST) <= 0;
        return whole ? Optional.of(sum) : Optional.empty();
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "h" -> 3_600_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "s" -> 1_000_000_000L;
            default -> 1_000_000L;
        };
    }

    /** Writes a duration: {@code 0s}, {@code 1h0m30s}, {@code 0.5s}. */
    public static String format(Duration duration) {
        long seconds = duration.toSeconds();
        StringBuilder text = new StringBuilder();
        if (seconds >= 3600) {
            text.append(seconds / 3600).append('h');
        }
        if (seconds >= 60) {
            text.append(seconds / 60 % 60).append('m');
        }
        BigDecimal rest =
                BigDecimal.valueOf(duration.toNanos() % NANOS_PER_MINUTE, 9).stripTrailingZeros();
        return text.append(rest.toPlainString()).append('s').toString();
    }
}
