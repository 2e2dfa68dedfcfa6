// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayOptions.Format;
import dev.mooring.simulation.PlayResult;
import dev.mooring.simulation.Player;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays every scenario in the folder, with Mooring's own controllers. */
class ScenarioFilesTest {
    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(ScenarioFolder.path());
                Stream<Path> corpus = Files.list(ScenarioFolder.corpus())) {
            return Stream.concat(files, corpus)
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @Test
    void theFolderIsNotEmpty() throws IOException {
        assertThat(files()).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @MethodSource("files")
    void passes(Path file) {
        PlayResult result = Player.play(file, PlayOptions.DEFAULT);
        assertThat(result.error()).isEmpty();
        assertThat(result.exitStatus()).as(result.output()).isEqualTo(PlayResult.PASSED);
    }

    @ParameterizedTest
    @MethodSource("files")
    void isTheSameTwice(Path file) {
        PlayOptions json = PlayOptions.DEFAULT.withFormat(Format.JSON);
        assertThat(Player.play(file, json)).isEqualTo(Player.play(file, json));
    }

    @ParameterizedTest
    @CsvSource({"pv-lifecycle", "bind-crash-after-pv-main", "provision-11-17-external", "expand-fails"})
    void playsTheExamples(String name) {
        PlayResult result = Player.play(ScenarioFolder.example(name), PlayOptions.DEFAULT);
        assertThat(result.exitStatus()).as(result.output() + result.error()).isEqualTo(PlayResult.PASSED);
    }
}
