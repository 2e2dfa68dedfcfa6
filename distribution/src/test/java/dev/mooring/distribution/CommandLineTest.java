// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void whatIsWrongWithArgumentsIsOneLineAndWhereToLook() {
        assertThat(run("node", "--bogus")).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("mooring: Unknown option: '--bogus'", "'mooring node --help' says what it takes.");
    }

    @Test
    void aMisspeltCommandIsAnsweredWithTheRightOne() {
        assertThat(run("standalon")).isEqualTo(2);
        assertThat(err.toString()).contains("mooring: ").contains("Did you mean: mooring standalone");
        assertThat(err.toString().lines()).hasSize(2);
    }

    @Test
    void withoutACommandAllAreShown() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("mooring: a command is needed")
                .contains("standalone")
                .contains("explain");
    }

    @Test
    void allCommandsAreDescribedByWholeSentences() {
        assertThat(Main.commandLine().getSubcommands().values())
                .allSatisfy(command -> assertThat(
                                command.getCommandSpec().usageMessage().description()[0])
                        .as(command.getCommandName())
                        .endsWith("."));
    }

    @Test
    void aFailureThatSaysNothingIsNamed() {
        CommandLine commandLine = Main.commandLine();
        commandLine.addSubcommand("fail", new Silent());
        commandLine.setErr(new PrintWriter(err));
        assertThat(commandLine.execute("fail")).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("mooring: java.lang.UnsupportedOperationException" + System.lineSeparator());
    }

    @Test
    void anErrorEndsTheProcessToo() {
        CommandLine commandLine = Main.commandLine();
        commandLine.addSubcommand("fail", new Broken());
        commandLine.setErr(new PrintWriter(err));
        assertThat(Main.run(commandLine, "fail")).isEqualTo(1);
        assertThat(err.toString()).contains("NoClassDefFoundError: com/example/Library");
    }

    @CommandLine.Command
    private static final class Broken implements Runnable {
        @Override
        public void run() {
            throw new NoClassDefFoundError("com/example/Library");
        }
    }

    @CommandLine.Command
    private static final class Silent implements Runnable {
        @Override
        public void run() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void writesACompletionScript() {
        assertThat(run("generate-completion")).isZero();
        assertThat(out.toString()).contains("complete -F");
    }

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

    // ---- explain ----

    private static final String DUMP = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: shop, creationTimestamp: "2000-01-01T00:00:00Z"}
              spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 2Gi}}}
              status: {phase: Pending}
            - apiVersion: v1
              kind: PersistentVolume
              metadata: {name: small}
              spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, nfs: {server: a, path: /}}
              status: {phase: Available}
            """;

    private String dump(String text) throws IOException {
        return Files.writeString(directory.resolve("dump.yaml"), text).toString();
    }

    @Test
    void explainsAClaimInWords() throws IOException {
        assertThat(run("explain", "pvc/data", "-n", "shop", "-f", dump(DUMP), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString())
                .startsWith("PersistentVolumeClaim shop/data is Pending\n")
                .contains("Volume small would fit, but is too small by 1073741824 bytes")
                .contains("since 2000-01-01T00:00:00Z (30 min)");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void explainsForPrograms() throws IOException {
        assertThat(run("explain", "pvc/data", "-n", "shop", "-f", dump(DUMP), "-o", "json"))
                .isZero();
        Document document = KubernetesJson.standard().read(out.toString(), "output");
        assertThat(document.text("rule", "id")).contains("U8");
        assertThat(document.at("causes").map(Object::toString).orElse("")).contains("code=TOO_SMALL");
    }

    @Test
    void explainsAVolume() throws IOException {
        assertThat(run("explain", "pv/small", "-f", dump(DUMP))).isZero();
        assertThat(out.toString()).contains("The volume is free");
    }

    @Test
    void saysThatTheDumpDoesNotHaveIt() throws IOException {
        assertThat(run("explain", "pvc/data", "-f", dump(DUMP))).isEqualTo(1);
        assertThat(err.toString()).contains("the dump has no pvc/data in namespace default");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refusesWhatItCannotExplain() throws IOException {
        assertThat(run("explain", "pod/web", "-f", dump(DUMP))).isEqualTo(2);
        assertThat(err.toString()).contains("must be pvc/NAME or pv/NAME, not 'pod/web'");
    }

    @Test
    void refusesWhatItCannotExplainBeforeItLooksForACluster() {
        for (String subject : List.of("data", "pvc/", "pod/web")) {
            err.getBuffer().setLength(0);
            assertThat(run(
                            "explain",
                            subject,
                            "--kubeconfig",
                            directory.resolve("none").toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("must be pvc/NAME or pv/NAME, not '" + subject + "'");
        }
    }

    @Test
    void namesTheObjectAndTheFieldThatCannotBeUnderstood() throws IOException {
        String broken = DUMP.replace("storage: 1Gi", "storage: 1GiB");
        assertThat(run("explain", "pvc/data", "-f", dump(broken))).isEqualTo(2);
        assertThat(err.toString())
                .contains("PersistentVolume small: spec.capacity")
                .contains("1GiB");
    }

    @Test
    void namesTheFileThatCannotBeRead() {
        assertThat(run(
                        "explain",
                        "pvc/data",
                        "-f",
                        directory.resolve("none.yaml").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("cannot read the dump").contains("none.yaml");
    }
}
