// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What became of one test inside, as a line of text.
 *
 * @param container where it belongs to
 * @param name its name
 * @param end how it ended
 * @param millis how long it took
 * @param detail the failure, or why it was skipped; else empty
 */
public record TestResult(String container, String name, End end, long millis, String detail) {
    /** How a test ended. */
    public enum End {
        /** As it should. */
        PASSED,
        /** Not as it should. */
        FAILED,
        /** Not at all. */
        SKIPPED
    }

    /** The line. */
    public String line() {
        return List.of(container, name, end.name(), String.valueOf(millis), detail).stream()
                .map(part -> Base64.getEncoder().encodeToString(part.getBytes(StandardCharsets.UTF_8)))
                .collect(Collectors.joining("\t"));
    }

    /** Reads a line. */
    public static TestResult of(String line) {
        List<String> parts = Arrays.stream(line.split("\t", -1))
                .map(part -> new String(Base64.getDecoder().decode(part), StandardCharsets.UTF_8))
                .toList();
        return new TestResult(
                parts.get(0), parts.get(1), End.valueOf(parts.get(2)), Long.parseLong(parts.get(3)), parts.get(4));
    }
}
