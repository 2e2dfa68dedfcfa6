// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.peer.PeerPlane;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attaching and mounting in random worlds: the safety invariants hold at every call, and what is wanted comes to be. */
class RandomWorldsTest {
    private static final int WORLDS = Integer.getInteger("mooring.worlds", 100);
    private static final long FIRST = Long.getLong("mooring.worlds.first", 0);
    private static final int ACTS = 40;
    private static final Set<String> CONTROLLERS =
            Set.of("binder", "pvc-protection", "pv-protection", "attach-detach", "node");

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nothingUnsafeHappensAndNothingIsLeft() {
        List<String> bad = new ArrayList<>();
        long calls = 0;
        for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
            WorldReport report = play(seed);
            calls += report.calls();
            if (!report.good()) {
                bad.add(report.describe());
            }
        }
        System.out.printf("%d worlds, %d calls of back-ends, %d bad%n", WORLDS, calls, bad.size());
        assertThat(bad.size())
                .as(bad.stream().limit(3).collect(Collectors.joining("\n")))
                .isZero();
    }

    @Test
    void theSameSeedIsTheSameWorld() {
        assertThat(play(7)).isEqualTo(play(7));
    }

    /** The same worlds with the rules of Kubernetes' controller: the witness has to see what they do. */
    @Test
    void theWitnessSeesWhatTheRulesOfThePeerDo() {
        Set<String> broken = new TreeSet<>();
        for (long seed = 0; seed < 25; seed++) {
            WorldReport report = RandomWorld.playFaultsOnly(seed, new PeerPlane(plane(Set.of("attach-detach"))), 15);
            report.violations().forEach(violation -> broken.add(violation.replaceAll("[: ].*", "")));
        }
        assertThat(broken).contains("S1", "S6");
    }

    private static MooringControlPlane plane(Set<String> without) {
        Set<String> controllers = new TreeSet<>(CONTROLLERS);
        controllers.removeAll(without);
        return new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of("disk.example.com")), controllers);
    }

    private static WorldReport play(long seed) {
        return RandomWorld.play(seed, plane(Set.of()), ACTS);
    }
}
