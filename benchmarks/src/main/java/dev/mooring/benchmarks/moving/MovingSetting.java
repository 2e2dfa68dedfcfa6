// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What happens, and how long each thing takes. The same for both controllers.
 *
 * @param nodes how many machines
 * @param volumesPerNode each of a pod of its own
 * @param moving how many of these pods move at once
 * @param drained whether they come from as few nodes as possible, which are drained, or from anywhere
 * @param request how long a request to the API server takes
 * @param call how long the storage takes to attach or to detach
 * @param mount how long a node takes to mount or to unmount
 * @param workers how many calls the driver's attacher makes at once
 */
record MovingSetting(
        int nodes,
        int volumesPerNode,
        int moving,
        boolean drained,
        Duration request,
        Duration call,
        Duration mount,
        int workers) {
    /**
     * A request of 10 ms is what authors of Kubernetes measured: two writes to a Node for each volume in a loop that came to 50 a second
     * (semantics/attach-and-mount §1.7).
     */
    static MovingSetting of(int nodes, int moving, boolean drained, int workers) {
        return new MovingSetting(
                nodes,
                20,
                moving,
                drained,
                Duration.ofMillis(10),
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                workers);
    }

    int volumes() {
        return nodes * volumesPerNode;
    }

    /** Where a volume is at first. */
    int home(int volume) {
        return volume / volumesPerNode;
    }

    /** A pod that moves with its volume. */
    record Move(int volume, int from, int to) {}

    /** The same moves at each call. None goes to a node that is drained. */
    List<Move> moves() {
        Random random = new Random(1);
        List<Move> moves = new ArrayList<>();
        int emptied = drained ? (moving + volumesPerNode - 1) / volumesPerNode : 0;
        for (int i = 0; i < moving; i++) {
            int volume = drained ? i : i * (volumes() / moving);
            int to = emptied + random.nextInt(nodes - emptied);
            moves.add(new Move(volume, home(volume), to == home(volume) ? (to + 1) % nodes : to));
        }
        return moves;
    }

    /** When the storage could have done it all at the earliest, if its attacher were never idle. */
    Duration floor() {
        Duration detach = call.plus(request);
        Duration attach = call.plus(request.multipliedBy(2));
        return detach.plus(attach).multipliedBy(moving).dividedBy(workers);
    }
}
