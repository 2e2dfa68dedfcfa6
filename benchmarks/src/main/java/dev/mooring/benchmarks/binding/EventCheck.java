// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.binding;

import dev.mooring.benchmarks.compare.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads what {@code ./benchmarks/events -o json} has written. Counts are exact; times are not judged. */
public final class EventCheck {
    private EventCheck() {}

    /** Exits with 1 and says why if something is missing or wrong. */
    public static void main(String[] arguments) throws IOException {
        Numbers numbers = Numbers.read(Path.of(arguments[0]));
        for (String alone : List.of("classes", "nodes", "volumes", "pods", "deletions")) {
            numbers.is("ratios/" + alone + ".decisions.growth", 1);
        }
        numbers.end("an event causes the same decisions beside ten times as many objects");
    }
}
