// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as Kubernetes' flags have them: {@code 15s}, {@code 1m30s}, {@code 500ms}. */
public final class GoDuration implements ITypeConverter<Duration> {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        Matcher parts = PART.matcher(value);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (parts.find() && parts.start() == end) {
            long number = Long.parseLong(parts.group(1));
            sum = sum.plus(
                    switch (parts.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofHours(number);
                    });
            end = parts.end();
        }
        if (end == 0 || end < value.length()) {
            throw new TypeConversionException("must be a time such as 15s or 1m30s, not '" + value + "'");
        }
        return sum;
    }
}
