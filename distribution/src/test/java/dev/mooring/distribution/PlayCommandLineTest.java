// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code mooring play} answers: output, errors, exit status. */
class PlayCommandLineTest extends CommandLineRun {
    @Test
    void playsAScenarioAndShowsJson() throws IOException {
        Path file = volume("scenario.yaml", "Available");
        assertThat(run("play", file.toString(), "-o", "json")).isZero();
        assertThat(out.toString()).startsWith("{").contains("\"passed\": true").endsWith("}\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void namesFileStepAndKeyOfAMalformedScenario() throws IOException {
        Path file = scenario("""
                apiVersion: mooring.dev/v1alpha1
                kind: Scenario
                metadata: {name: malformed}
                spec:
                  steps:
                  - name: a step
                    applly: []
                """);
        assertThat(run("play", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("scenario.yaml").contains("a step").contains("applly");
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void namesAFileThatIsNotThere() {
        assertThat(run("play", directory.resolve("none.yaml").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("none.yaml");
    }

    @Test
    void playsSeveralScenariosAndSumsUp() throws IOException {
        Path good = volume("good.yaml", "Available");
        Path bad = volume("bad.yaml", "Lost");
        Files.createDirectory(directory.resolve("included"));
        Files.writeString(directory.resolve("included/world.yaml"), "kind: Anything");
        Files.writeString(directory.resolve("README.md"), "no scenario");
        assertThat(run("play", good.toString(), bad.toString())).isEqualTo(1);
        assertThat(out.toString())
                .contains("== " + good, "== " + bad)
                .endsWith(String.format("2 played: 1 passed, 1 failed, 0 malformed%n"));
        assertThat(run("play", directory.toString(), "-o", "json")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo(String.format("2 played: 1 passed, 1 failed, 0 malformed%n"));
        assertThat(out.toString()).endsWith("}\n");
    }

    @Test
    void aMalformedScenarioDoesNotKeepTheOthersFromBeingPlayed() throws IOException {
        Path good = volume("good.yaml", "Available");
        Path malformed = scenario("kind: Scenario");
        assertThat(run("play", malformed.toString(), good.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("scenario.yaml");
        assertThat(out.toString()).contains("2 played: 1 passed, 0 failed, 1 malformed");
    }

    @Test
    void eachOfSeveralDocumentsNamesItsFile() throws IOException {
        Path good = volume("good.yaml", "Available");
        Path bad = volume("bad.yaml", "Lost");
        Path malformed = scenario("kind: Scenario");
        assertThat(run("play", good.toString(), bad.toString(), malformed.toString(), "-o", "json"))
                .isEqualTo(2);
        List<Document> documents = Stream.of(out.toString().split("(?<=\n})\n", -1))
                .filter(text -> !text.isBlank())
                .map(text -> KubernetesJson.standard().read(text, "a document"))
                .toList();
        assertThat(documents)
                .extracting(each -> each.text("file").orElse(""), each -> each.at("passed"))
                .containsExactly(
                        tuple(good.toString(), Optional.of(true)),
                        tuple(bad.toString(), Optional.of(false)),
                        tuple(malformed.toString(), Optional.of(false)));
        assertThat(documents.get(2).text("error").orElse("")).contains("scenario.yaml");
    }

    /** Of what a plugin remembers nothing comes into the next story, and what it throws ends only its own. */
    @Test
    void eachOfSeveralScenariosHasPluginsOfItsOwnAndItsOwnVerdict() throws IOException {
        Path good = volume("good.yaml", "Available");
        Path other = volume("other.yaml", "Available");
        List<List<StoragePlugin>> made = new ArrayList<>();
        CommandLine play = new CommandLine(new PlayCommand(() -> {
            made.add(Plugins.found().plugins());
            if (made.size() == 2) {
                throw new IllegalStateException("a defect");
            }
            return made.get(made.size() - 1);
        }));
        play.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertThat(play.execute(good.toString(), other.toString(), good.toString()))
                .isEqualTo(1);
        assertThat(out.toString()).endsWith(String.format("3 played: 2 passed, 1 failed, 0 malformed%n"));
        assertThat(err.toString()).contains("mooring: " + other + " meets a defect", "a defect");
        assertThat(made).hasSize(3);
        assertThat(made.get(2)).isNotEmpty().doesNotContainAnyElementsOf(made.get(0));
    }

    @Test
    void aDirectoryWithoutScenariosIsNamed() {
        assertThat(run("play", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no scenario in " + directory);
    }

    private Path volume(String name, String phase) throws IOException {
        return Files.writeString(directory.resolve(name), """
                apiVersion: mooring.dev/v1alpha1
                kind: Scenario
                metadata: {name: one-volume}
                spec:
                  steps:
                  - name: a volume
                    apply:
                    - apiVersion: v1
                      kind: PersistentVolume
                      metadata: {name: pv}
                      spec:
                        capacity: {storage: 1Gi}
                        accessModes: [ReadWriteOnce]
                        nfs: {server: nfs.example.com, path: /pv}
                    expect:
                    - {kind: PersistentVolume, name: pv, matches: {status: {phase: %s}}}
                """.formatted(phase));
    }

    private Path scenario(String text) throws IOException {
        return Files.writeString(directory.resolve("scenario.yaml"), text);
    }
}
