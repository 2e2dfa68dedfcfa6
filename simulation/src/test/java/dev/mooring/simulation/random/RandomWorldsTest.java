// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Attaching and mounting in random worlds: the safety invariants hold at every call, and what is wanted comes to be. */
class RandomWorldsTest {
    private static final int WORLDS = Integer.getInteger("mooring.worlds", 150);
    private static final long FIRST = Long.getLong("mooring.worlds.first", 0);
    private static final int ACTS = 40;
    private static final Set<String> CONTROLLERS =
            Set.of("binder", "pvc-protection", "pv-protection", "attach-detach", "node");

    @Test
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
        System.out.println(WORLDS + " worlds, " + calls + " calls of back-ends, " + bad.size() + " bad");
        java.util.Map<String, Integer> kinds = new java.util.TreeMap<>();
        for (String text : bad) {
            text.lines().filter(l -> l.startsWith("  ") && !l.startsWith("    ")).forEach(l -> kinds.merge(l.replaceAll("[0-9]+", "#").replaceAll("(alpha|beta)-\\w+(-#)?", "X").substring(0, Math.min(60, l.replaceAll("[0-9]+", "#").replaceAll("(alpha|beta)-\\w+(-#)?", "X").length())), 1, Integer::sum));
        }
        System.out.println(kinds.toString().replace(", ", "\n"));
        assertThat(bad.size()).as(bad.stream().limit(3).collect(Collectors.joining("\n"))).isZero();
    }

    @Test
    void theSameSeedIsTheSameWorld() {
        assertThat(play(7)).isEqualTo(play(7));
    }

    private static WorldReport play(long seed) {
        return RandomWorld.play(
                seed, new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of("disk.example.com")), CONTROLLERS), ACTS);
    }
}
