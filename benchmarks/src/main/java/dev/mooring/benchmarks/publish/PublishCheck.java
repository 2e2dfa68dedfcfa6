// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import dev.mooring.benchmarks.compare.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads what {@code ./benchmarks/publish -o json} has written: counts as they must be, every time there. Times are not judged. */
public final class PublishCheck {
    /** What may come twice because two threads are at work, by chance. */
    private static final double CHANCE = 1.2;

    private PublishCheck() {}

    /** Exits with 1 and says why if something is missing or wrong. */
    public static void main(String[] arguments) throws IOException {
        Numbers numbers = Numbers.read(Path.of(arguments[0]));
        // how often the mount table changed is no count of ours alone: others may mount as well
        for (String count : List.of("decisionsPerPod", "effectsPerPod")) {
            numbers.atMost("counts/beside.1000." + count, CHANCE * numbers.get("counts/beside.10." + count));
        }
        for (int pods : List.of(1, 10, 100)) {
            for (String quantile : List.of("p50", "p99")) {
                String name = "figures/publish." + pods + "." + quantile + ".ms";
                numbers.require(numbers.get(name) > 0, name + " is missing or not above 0");
            }
        }
        numbers.end("the work for a pod is the same beside 10 mounted volumes and beside 1,000");
    }
}
