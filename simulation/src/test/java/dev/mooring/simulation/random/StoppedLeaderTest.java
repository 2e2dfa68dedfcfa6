// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.SimulatedControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S14: a leader that is stopped in the middle of its work, and goes on in another's term, begins nothing there. */
@Tag("long")
class StoppedLeaderTest {
    /** Stopped after so many effects of what it does to bring a pod's volume to its node. */
    private static List<Act> stoppedAfter(int effects) {
        return List.of(
                Act.apply(Texts.node("n1")),
                Act.apply(Texts.driver(Texts.DRIVER)),
                Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", false)),
                Act.apply(Texts.claim("alpha", "data-1", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "sim")))
                        .thenWork(0),
                Act.apply(Texts.claim("alpha", "data-2", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "sim")))
                        .thenWork(0),
                Act.apply(Texts.pod("alpha", "pod", "n1", List.of("data-1", "data-2")))
                        .thenWork(effects),
                Act.fault(FaultClass.INTERMEDIATE_STATES, "it stands still", Texts.map("pause", "20s"))
                        .thenAdvance(Duration.ofMinutes(1)),
                Act.of("calm", Texts.map("calm", "30m")));
    }

    private static Set<String> rules(SimulatedControlPlane plane) {
        Set<String> rules = new TreeSet<>();
        for (int effects = 1; effects < 25; effects++) {
            rules.addAll(RandomWorld.replay(1, plane, WorldOptions.DEFAULT, stoppedAfter(effects))
                    .rules());
        }
        return rules;
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(WorldOptions.DEFAULT.plane(), Mutants.named(name));
    }

    @Test
    void nothingIsWrongWhereverItIsStopped() {
        assertThat(rules(WorldOptions.DEFAULT.plane())).isEmpty();
    }

    @Test
    void callsInAnothersTermAreFound() {
        assertThat(rules(planted("leader: calls plugins in another's term"))).contains("S14");
    }

    @Test
    void writesInAnothersTermAreFound() {
        assertThat(rules(planted("leader: writes in another's term"))).contains("S14");
    }
}
