// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import dev.mooring.simulation.random.PlantedBug;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A world that shows a planted bug becomes a file of few steps, which fails with the bug and passes without it. */
@Tag("long")
class ShrunkScenarioTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "binder: shows Bound before it is",
                "binder: frees a volume that was used",
                "attach-detach: creates slots without a finalizer"
            })
    void failsInTheSameWayWhenItIsPlayed(String name) throws IOException {
        PlantedBug bug = PlantedBug.found(name, 40);
        assertThat(bug.acts()).hasSizeLessThan(12);
        Path file = folder.resolve("shrunk.yaml");
        Files.writeString(file, bug.scenario());
        ScenarioPlayer player =
                new ScenarioPlayer(Kinds.standard(), (controllers, drivers, attached) -> bug.plane(), any -> false);
        assertThat(player.play(file, OptionalLong.empty()).steps())
                .flatExtracting(StepReport::failures)
                .anyMatch(failure -> failure.startsWith(bug.rule()));
        PlayResult without = Player.play(file, PlayOptions.DEFAULT);
        assertThat(without.exitStatus()).as(without.output() + without.error()).isEqualTo(PlayResult.PASSED);
    }
}
