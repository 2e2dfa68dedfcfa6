// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That random worlds with a CSI driver notice what is wrong with its host. */
@Tag("long")
class PlantedCsiBugsTest {
    private static final int WORLDS = 60;

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsFound(PlantedCsiBug bug) {
        boolean found = false;
        for (long seed = 0; seed < WORLDS && !found; seed++) {
            found = CsiWorld.play(seed, bug.planted()).findings().stream()
                    .anyMatch(finding -> finding.contains(bug.finding()));
        }
        assertThat(found).as("in %d worlds", WORLDS).isTrue();
    }
}
