// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order in which effects end changes no scenario's last objects. */
@Tag("long")
class ScenarioSeedsTest {
    @ParameterizedTest
    @MethodSource("dev.mooring.simulation.scenario.ScenarioFilesTest#files")
    void endsTheSameWhateverTheSeed(Path file) {
        String first = finalObjects(file, 0);
        for (long seed : List.of(1L, 2L, 3L, 42L, -1L, Long.MAX_VALUE)) {
            assertThat(finalObjects(file, seed)).as("seed %d", seed).isEqualTo(first);
        }
    }

    private static String finalObjects(Path file, long seed) {
        PlayReport report = ScenarioPlayer.standard(List.of()).play(file, OptionalLong.of(seed));
        assertThat(report.passed()).as(TextReport.write(report)).isTrue();
        return SeedFree.write(report);
    }
}
