// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildComparisonTest {
    private final BuildComparison comparison = new BuildComparison(List.of("now", "then"));

    @Test
    void comparesTheMediansOfAllRounds() {
        for (double seconds : new double[] {2, 1, 9}) {
            comparison.add(0, Map.of("first answer, s", seconds));
            comparison.add(1, Map.of("first answer, s", seconds * 4));
        }

        assertThat(comparison.table().lines())
                .containsExactly(
                        "[1] now",
                        "[2] then",
                        "first answer, s                              [1]     2.000 [2]     8.000  [1]/[2] 0.25");
    }

    @Test
    void aFigureThatOneBuildLacksIsNotCompared() {
        comparison.add(0, Map.of("first answer, s", 2.0));

        assertThat(comparison.table().lines()).containsExactly("[1] now", "[2] then");
    }

    @Test
    void theDirectoryOfACheckoutOrOfAnArchiveStandsForItsLauncher(@TempDir Path directory) throws IOException {
        assertThat(MeasuredProcess.launcher(directory)).isEqualTo(directory.resolve("bin/mooring"));

        Path ofCheckout = Files.createFile(directory.resolve("mooring"));

        assertThat(MeasuredProcess.launcher(directory)).isEqualTo(ofCheckout);
        assertThat(MeasuredProcess.launcher(ofCheckout)).isEqualTo(ofCheckout);
    }
}
