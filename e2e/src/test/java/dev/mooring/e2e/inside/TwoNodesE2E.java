// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A volume moves from one node to another, and the process of the controllers is killed with -9 at each write to an attachment or a node,
 * once before the write has its effect and once after, unanswered. The nodes live on. It always comes to the same end, and at no instant
 * could two initiators write, as the target tells after everything that the nodes change on the machine.
 *
 * <p>Both nodes are agents on one kernel, with one initiator database: what makes them two are interfaces with initiator names of their
 * own, so that the target sees two initiators, each with its session and device.
 */
public class TwoNodesE2E {
    @TestFactory
    Stream<DynamicTest> controllerKilled() throws IOException {
        int boundaries = move(TwoNodes.Kill.never());
        int every = Integer.getInteger("mooring.e2e.step", 1);
        return TimeShare.spread(Stream.iterate(1, n -> n <= boundaries, n -> n + every)
                .flatMap(n -> Stream.of(true, false).map(effect -> test(n, effect)))
                .toList());
    }

    private static DynamicTest test(int write, boolean effect) {
        TwoNodes.Kill kill = TwoNodes.Kill.at(write, effect);
        return DynamicTest.dynamicTest(
                "controller killed at write " + write + (effect ? ", after its effect" : ", before it"), () -> {
                    move(kill);
                    // A run may need one write less than the first one did, never many.
                    System.out.println("   killed at: " + kill.where());
                });
    }

    /** Answers how many writes it took. */
    private static int move(TwoNodes.Kill kill) throws IOException {
        Backend backend = Backends.named("iscsi");
        backend.start();
        Path base = GuestWorld.temporary();
        backend.make(base.resolve("data"));
        List<String> before = MachineView.traces();
        try (TwoNodes nodes = new TwoNodes(base, kill)) {
            nodes.offer(backend);
            nodes.write("left", "one");
            // The second pod is there before the first one has gone: it has to wait.
            nodes.create("right", "two");
            nodes.read("left", "one");
            nodes.deleteWithoutWaiting("one");
            nodes.read("right", "two");
            nodes.deleteWithoutWaiting("two");
            nodes.gone("one");
            nodes.gone("two");
            nodes.end();
            assertThat(nodes.watch().wrong()).as("two could write").isEmpty();
            assertThat(nodes.watch().wrote()).as("initiators").hasSize(2);
            assertThat(nodes.watch().reserved()).as("looks at a reservation").isPositive();
        }
        assertThat(MachineView.traces()).as("left on the machine").isEqualTo(before);
        backend.remove(base.resolve("data"));
        return kill.seen();
    }
}
