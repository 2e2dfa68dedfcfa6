// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import dev.mooring.simulation.sidecar.Sidecars;
import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.WriteFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people read of the format is what is played. */
class ScenarioPageTest {
    private static final Path PAGE = Path.of(System.getProperty("mooring.root", ".."), "docs/test/scenarios.md");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory = Path.of("");

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    private static List<String> examples() throws IOException {
        return YAML.matcher(page())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private void plays(String scenario) throws IOException {
        Path file = Files.writeString(directory.resolve("example.yaml"), scenario);
        PlayResult result = Player.play(file, PlayOptions.DEFAULT);
        assertThat(result.exitStatus()).as(result.output() + result.error()).isEqualTo(PlayResult.PASSED);
    }

    @Test
    void theExamplesPlay() throws IOException {
        List<String> examples = examples();
        assertThat(examples).hasSize(2);
        plays(examples.get(0));
        plays("apiVersion: mooring.dev/v1alpha1\nkind: Scenario\nmetadata: {name: faults}\n"
                + "spec:\n  steps:\n  - name: faults\n"
                + examples.get(1).indent(4));
    }

    @Test
    void everyWordIsThere() throws IOException {
        List<String> words = new ArrayList<>(Verb.words());
        words.addAll(MooringControlPlane.CONTROLLERS);
        words.addAll(CallFault.OPERATIONS);
        words.addAll(Sidecars.NAMES);
        words.addAll(Stream.of(CallFault.Outcome.values())
                .map(CallFault.Outcome::word)
                .toList());
        words.addAll(Stream.of(WriteFault.Outcome.values())
                .map(WriteFault.Outcome::word)
                .toList());
        words.addAll(
                Stream.of(WriteFault.Verb.values()).map(WriteFault.Verb::word).toList());
        words.addAll(Stream.of(WatchFault.Outcome.values())
                .map(WatchFault.Outcome::word)
                .toList());
        words.addAll(List.of("seed", "controllers", "include", "drivers", "attachers", "invariants", "lenient"));
        String page = page();
        assertThat(words).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }
}
