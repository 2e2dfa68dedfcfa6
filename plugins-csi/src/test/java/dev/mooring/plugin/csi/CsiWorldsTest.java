// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random worlds with a CSI driver that goes wrong in every way but lying, and what they notice. */
@Tag("long")
class CsiWorldsTest {
    private static final int WORLDS = Integer.getInteger("mooring.csi.worlds", 30);
    private static final long FIRST = Long.getLong("mooring.csi.worlds.first", 0);

    @Test
    void nothingIsLeftNorMadeTwiceNorStagedTwiceNorShownUnstagedAndWhoWaitsIsTold() {
        Map<String, Integer> struck = new TreeMap<>();
        for (long seed = FIRST; seed < FIRST + WORLDS; seed++) {
            CsiWorld.Report report = CsiWorld.play(seed, calls -> calls);
            assertThat(report.findings())
                    .as("world %d, after%n%s", seed, String.join("\n", report.last()))
                    .isEmpty();
            report.struck().forEach((kind, times) -> struck.merge(kind, times, Integer::sum));
        }
        System.out.println("faults of drivers in " + WORLDS + " worlds: " + struck);
        assertThat(struck).containsKeys("slow", "answer lost", "request lost", "away", "stuck");
    }
}
