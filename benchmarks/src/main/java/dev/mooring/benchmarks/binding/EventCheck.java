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
        for (String alone : List.of("volumes", "pods", "deletions")) {
            numbers.is("ratios/" + alone + ".decisions.growth", 1);
        }
        // Each waiting claim is decided: as many times more as there are claims, and no more than that.
        for (String wakesAll : List.of("classes", "nodes")) {
            numbers.atMost("ratios/" + wakesAll + ".decisions.growth", EventRuns.MORE);
        }
        numbers.end("a volume, a pod and a deletion cause the same decisions beside ten times as many objects");
    }
}
