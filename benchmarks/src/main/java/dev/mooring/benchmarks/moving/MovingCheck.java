// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import dev.mooring.benchmarks.compare.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads what {@code ./benchmarks/moving --quick -o json} has written. All of it is exact; nothing of it is a time of this machine. */
public final class MovingCheck {
    private static final int MOVES = 100;
    /** Ask for the detachment, take it off the Node's list, delete; create, list. */
    private static final int MOST_WRITES = 5;

    /** Where the attacher is what all wait for, a round more or less decides. */
    private static final double SLOWER = 1.1;

    private MovingCheck() {}

    /** Exits with 1 and says why if something is missing or wrong. */
    public static void main(String[] arguments) throws IOException {
        Numbers numbers = Numbers.read(Path.of(arguments[0]));
        for (String which : List.of("drained.10.", "drained.100.", "scattered.10.", "scattered.100.")) {
            String ours = "counts/" + which + "ours.";
            String peer = "counts/" + which + "peer.";
            numbers.atMost(ours + "controllerWrites", MOST_WRITES * MOVES + numbers.get(ours + "conflicts"));
            numbers.atMost(ours + "statusPatches", 2 * MOVES + numbers.get(ours + "conflicts"));
            numbers.atMost(ours + "makespan.ms", SLOWER * numbers.get(peer + "makespan.ms"));
            numbers.atMost("counts/" + which + "floor.ms", numbers.get(ours + "makespan.ms"));
            numbers.same(ours + "attacherWrites", peer + "attacherWrites");
            // decisions follow what moves, scans follow what there is
            numbers.atMost(ours + "looks", 40.0 * MOVES);
        }
        numbers.end("few writes, no scan, and hardly ever later than the peer");
    }
}
