// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the command line answers: output, errors, exit status. */
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }

    @Test
    void saysItsVersion() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("mooring 0.1.0");
    }

    @Test
    void helpGoesToStandardOutput() {
        assertThat(run("help", "play")).isZero();
        assertThat(out.toString()).contains("mooring play").contains("Exit status");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void refusesAnUnknownCommandOnStandardError() {
        assertThat(run("attach")).isEqualTo(2);
        assertThat(err.toString()).contains("attach");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void writesACompletionScript() {
        assertThat(run("generate-completion")).isZero();
        assertThat(out.toString()).contains("complete -F");
    }

    @Test
    void playsAScenarioAndShowsJson() throws IOException {
        Path file = scenario("""
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
                    - {kind: PersistentVolume, name: pv, matches: {status: {phase: Available}}}
                """);
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

    private Path scenario(String text) throws IOException {
        return Files.writeString(directory.resolve("scenario.yaml"), text);
    }
}
