// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
    void isNoSuccessIfWhatWasToBeToldDoesNotArrive() {
        CommandLine commandLine = Main.commandLine();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int each) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        commandLine.setOut(new PrintWriter(full, false, StandardCharsets.UTF_8));
        commandLine.setErr(new PrintWriter(err));
        assertThat(Main.run(commandLine, "--version")).isEqualTo(1);
        assertThat(err.toString()).contains("standard output cannot be written");
    }

    @Test
    void helpGoesToStandardOutput() {
        assertThat(run("help", "play")).isZero();
        assertThat(out.toString()).contains("mooring play").contains("Exit status");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"release pv/ --rebind", "adopt pv/"})
    void aVolumeToRepairHasAName(String line) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("must be pv/NAME or NAME, not 'pv/'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "1,0"})
    void aBenchmarkBindsSomething(String pairs) {
        assertThat(run("bench", "cluster", "--pairs", pairs)).isEqualTo(2);
        assertThat(err.toString()).contains("1 or more");
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
        assertThat(out.toString()).contains("complete -F", "__complete");
    }

    @Test
    void completesKindsAndIsSilentWithoutACluster() {
        assertThat(run("__complete", "explain", "-v", "p")).isZero();
        assertThat(out.toString()).isEqualTo("pod/%npv/%npvc/%n".formatted());
        assertThat(run("__complete", "release", "--rebind", "--kubeconfig", "/nowhere", "d"))
                .isZero();
        assertThat(run("__complete", "explain", "--kubeconfig", "p")).isZero();
        assertThat(run("__complete", "explain", "--kubeconfig", "=", "p")).isZero();
        assertThat(run("__complete", "explain", "-n", "p")).isZero();
        assertThat(run("__complete", "explain")).isZero();
        assertThat(run("__complete")).isZero();
        assertThat(out.toString()).isEqualTo("pod/%npv/%npvc/%n".formatted());
        assertThat(err.toString()).isEmpty();
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

    private static final String POD = """
            - apiVersion: v1
              kind: Pod
              metadata: {name: web, namespace: shop, creationTimestamp: "2000-01-01T00:00:10Z"}
              spec:
                containers: [{name: main, image: app}]
                volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
              status: {phase: Pending}
            """;

    private String dump(String text) throws IOException {
        return Files.writeString(directory.resolve("dump.yaml"), text).toString();
    }

    @Test
    void explainsAClaimInWords() throws IOException {
        assertThat(run("explain", "pvc/data", "-n", "shop", "-f", dump(DUMP), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString())
                .startsWith(
                        "PersistentVolumeClaim shop/data is Pending: Volume small would fit, but is 1Gi short: it has 1Gi"
                                + " and the claim requests 2Gi.\n")
                .doesNotContain("Rule U8", "Nearest:")
                .contains("since 2000-01-01T00:00:00Z (30 min)");
        assertThat(err.toString()).isEmpty();
    }

    private static final String MADE_AGAIN = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: v1
              kind: PersistentVolume
              metadata: {name: disk, uid: 00000000-0000-4000-8000-0000000000aa}
              spec:
                capacity: {storage: 2Gi}
                accessModes: [ReadWriteOnce]
                storageClassName: man
                persistentVolumeReclaimPolicy: Retain
                nfs: {server: s, path: /k}
                claimRef: {namespace: shop, name: data, uid: 00000000-0000-4000-8000-000000000001}
              status: {phase: Released}
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: shop, uid: 00000000-0000-4000-8000-000000000002}
              spec: {accessModes: [ReadWriteOnce], storageClassName: man, resources: {requests: {storage: 1Gi}}}
              status: {phase: Pending}
            - apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: stranger, namespace: other, uid: 00000000-0000-4000-8000-000000000003}
              spec: {accessModes: [ReadWriteOnce], storageClassName: man, resources: {requests: {storage: 2Gi}}}
              status: {phase: Pending}
            - apiVersion: storage.k8s.io/v1
              kind: StorageClass
              metadata: {name: man}
              provisioner: kubernetes.io/no-provisioner
              volumeBindingMode: Immediate
            """;

    /** The commonest trouble of all: a claim was deleted and made again, and its data is on a volume that is Released. */
    @Test
    void whatIsAdvisedToAClaimThatWasMadeAgainKeepsItsData() throws IOException {
        for (String subject : List.of("pvc/data", "pv/disk")) {
            out.getBuffer().setLength(0);
            assertThat(run("explain", subject, "-n", "shop", "-f", dump(MADE_AGAIN)))
                    .isZero();
            assertThat(out.toString())
                    .containsSubsequence("mooring adopt pv/disk", "mooring release pv/disk --rebind")
                    .doesNotContain("--discard", "\"claimRef\":null", "kubectl delete");
        }
    }

    @Test
    void whoWouldGetTheDataIsNamedWhereItIsGivenAway() throws IOException {
        String gone = MADE_AGAIN.replace("name: data, namespace: shop", "name: last, namespace: shop");
        assertThat(run("explain", "pv/disk", "-f", dump(gone))).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "mooring release pv/disk --rebind",
                        "Claim other/stranger waits and gets it",
                        "mooring release pv/disk --discard");
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
    void addsTheDetailsWhenAsked() throws IOException {
        assertThat(run("explain", "pvc/shop/data", "-v", "-f", dump(DUMP))).isZero();
        assertThat(out.toString())
                .containsSubsequence("What would help:", "Rule U8, ", "Of 1 volume:", "1 too small (F4)", "Nearest:");
    }

    @Test
    void explainsAPodByItsClaim() throws IOException {
        assertThat(run("explain", "pod/web", "-n", "shop", "-f", dump(DUMP + POD), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString())
                .startsWith(
                        "Pod shop/web is Pending: Volume data needs claim shop/data, which is Pending: Volume small would"
                                + " fit, but is 1Gi short: it has 1Gi and the claim requests 2Gi.\n");
    }

    @Test
    void listsAllThatWaitsTheOldestFirst() throws IOException {
        assertThat(run("explain", "-A", "-f", dump(DUMP + POD), "--at", "2000-01-01T00:30:00Z"))
                .isZero();
        assertThat(out.toString().lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("30 min   pvc/shop/data: Volume small would fit"),
                        line -> assertThat(line).startsWith("30 min   pod/shop/web: Volume data needs claim"));
        out.getBuffer().setLength(0);
        assertThat(run("explain", "-A", "-n", "other", "-f", dump(DUMP + POD))).isZero();
        assertThat(out.toString()).isEqualTo("Nothing waits.\n");
        out.getBuffer().setLength(0);
        assertThat(run("explain", "-A", "-f", dump(DUMP + POD), "-o", "json")).isZero();
        assertThat(KubernetesJson.standard().read(out.toString(), "output").objects("items"))
                .hasSize(2);
        assertThat(run("explain", "-A", "pod/web", "-f", dump(DUMP))).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "pv/smal, did you mean small? There are: small",
        "pvc/date, did you mean data? There are: data",
        "pvc/dates/data, 'but one in namespace shop'"
    })
    void saysWhatMayBeMeant(String subject, String told) throws IOException {
        assertThat(run("explain", subject, "-n", "shop", "-f", dump(DUMP))).isEqualTo(1);
        assertThat(err.toString()).contains(told);
    }

    @Test
    void explainsAVolume() throws IOException {
        assertThat(run("explain", "pv/small", "-f", dump(DUMP))).isZero();
        assertThat(out.toString()).contains("The volume is free");
    }

    @Test
    void saysThatTheDumpDoesNotHaveIt() throws IOException {
        assertThat(run("explain", "pvc/data", "-f", dump(DUMP))).isEqualTo(1);
        assertThat(err.toString()).contains("the dump has no pvc/data in namespace default, but one in namespace shop");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void refusesWhatItCannotExplain() throws IOException {
        assertThat(run("explain", "secret/web", "-f", dump(DUMP))).isEqualTo(2);
        assertThat(err.toString()).contains("or --all, not 'secret/web'");
    }

    @Test
    void refusesWhatItCannotExplainBeforeItLooksForACluster() {
        for (String subject : List.of("data", "pvc/", "secret/web", "pv/shop/data", "")) {
            err.getBuffer().setLength(0);
            assertThat(run(
                            "explain",
                            subject,
                            "--kubeconfig",
                            directory.resolve("none").toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("or --all, not '" + subject + "'");
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

    @Test
    void saysWhatIsWrongWithAFileThatIsNoDump() {
        assertThat(run("explain", "pvc/data", "-f", directory.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("mooring: cannot read the dump: " + directory + " is a directory");
    }

    @Test
    void aDumpAndAClusterAreNotAskedBoth() throws IOException {
        String dump = Files.createFile(directory.resolve("dump.yaml")).toString();
        assertThat(run("explain", "pvc/data", "-f", dump, "--kubeconfig", dump)).isEqualTo(2);
        assertThat(err.toString()).contains("--file is a dump and --kubeconfig a cluster: name one of them");
    }

    @Test
    void aKubeconfigThatSaysNothingIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("empty"), "---\n# later\n");
        assertThat(run("controller", "--kubeconfig", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("mooring: " + file + " is empty");
    }

    @Test
    void aKubeconfigThatIsNoTextIsNamed() throws IOException {
        Path file = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(run("node", "--kubeconfig", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("mooring: " + file + " is not a usable kubeconfig: it must be text in UTF-8");
    }

    @Test
    void aKubeconfigThatIsNoYamlIsNamedInOneLine() throws IOException {
        Path file = Files.writeString(directory.resolve("broken"), "a: [1\n");
        assertThat(run("controller", "--kubeconfig", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2);
        assertThat(err.toString()).startsWith("mooring: " + file + " is not a usable kubeconfig: ");
    }

    /** As a script has it whose variable is not set: nothing is written to the working directory. */
    @ParameterizedTest
    @ValueSource(strings = {"standalone", "node"})
    void anEmptyDataDirectoryIsNotTheWorkingDirectory(String command) {
        assertThat(run(command, "--data-dir", "")).isEqualTo(2);
        assertThat(err.toString()).startsWith("mooring: Invalid value for option '--data-dir': must be a directory");
    }

    @Test
    void aSettingWithoutAValueIsToldByItsForm() {
        assertThat(run("standalone", "--data-dir", directory.toString(), "--plugin-setting", "nfs"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .first()
                .isEqualTo(
                        "mooring: Invalid value for option '--plugin-setting': must be PLUGIN:NAME=VALUE, not 'nfs'");
    }

    @Test
    void anAddressThatIsNoneIsToldInWords() {
        assertThat(run("standalone", "--data-dir", directory.toString(), "--bind-address", "nowhere.invalid"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .first()
                .isEqualTo("mooring: Invalid value for option '--bind-address': there is no host 'nowhere.invalid'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:6443", "localhost:6443", "[::1]:6443", "https://127.0.0.1"})
    void anAddressWithAPortIsNoUnknownHost(String address) {
        assertThat(run("standalone", "--data-dir", directory.toString(), "--bind-address", address))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .first()
                .isEqualTo(
                        "mooring: Invalid value for option '--bind-address': must be a host or an address alone, not '"
                                + address + "'; the port is --port");
    }

    @Test
    void whatIsNoNumberIsSaidInWordsThatNeedNoJava() {
        assertThat(run("simulate", "--seeds", "many")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("mooring: Invalid value for option '--seeds': must be a whole number, not 'many'");
    }

    @Test
    void aNumberWithRulesOfItsOwnIsToldThem() {
        assertThat(run("controller", "--kube-api-burst", "many")).isEqualTo(2);
        assertThat(err.toString()).contains("--kube-api-burst", "must be a whole number of at least 1, not 'many'");
    }

    @Test
    void aNumberThatIsTooSmallIsNamedWithItsOption() {
        assertThat(run("simulate", "--seeds", "1", "--threads", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("mooring: --threads must be at least 1, not 0");
    }

    /** As a script has it whose variable is not set: the working directory may be full of files that are no scenarios. */
    @Test
    void anEmptyNameIsNotTheWorkingDirectory() {
        assertThat(run("play", "")).isEqualTo(2);
        assertThat(err.toString()).contains("must name a file or directory, not be empty");
        err.getBuffer().setLength(0);
        assertThat(run("explain", "pvc/data", "--kubeconfig", "")).isEqualTo(2);
        assertThat(err.toString()).contains("'--kubeconfig'", "must name a file or directory, not be empty");
    }

    @Test
    void aTimeThatIsNoneIsToldByItsForm() throws IOException {
        assertThat(run("explain", "pvc/data", "-f", dump(DUMP), "--at", "yesterday"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .first()
                .asString()
                .contains("'--at'", "must be a time such as 2000-01-01T00:00:00Z, not 'yesterday'")
                .doesNotContain("java");
    }

    @ParameterizedTest
    @ValueSource(strings = {"play", "config check"})
    void whyAFileCannotBeReadIsSaidWithoutJava(String command) throws IOException {
        Path loop = directory.resolve("loop.yaml");
        Files.createSymbolicLink(loop, loop);
        assertThat(run((command + " " + loop).split(" "))).isEqualTo(2);
        assertThat(err.toString())
                .contains(loop + ": ", "cannot be read: ")
                .containsIgnoringCase("symbolic links")
                .doesNotContain("java", "Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"standalone --node", "node --node-name"})
    void aNameThatNoNodeCanHaveIsRefusedWithItsOption(String option) {
        for (String name : List.of("Bad_Name", "a..b", "-a", "a".repeat(254))) {
            err.getBuffer().setLength(0);
            assertThat(run((option + " " + name).split(" "))).as(name).isEqualTo(2);
            assertThat(err.toString())
                    .contains(option.substring(option.indexOf(' ') + 1), "must be a DNS subdomain", "'" + name + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain pvc/data", "controller", "node"})
    void aDirectoryIsNoKubeconfig(String command) {
        assertThat(run((command + " --kubeconfig " + directory).split(" "))).isNotZero();
        assertThat(err.toString()).contains(directory + " is a directory, not a kubeconfig");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamedWithTheReason() throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """);
        assertThat(run("explain", "pvc/data", "--kubeconfig", file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("https://127.0.0.1:1/", "connection refused")
                .doesNotContain("Exception");
    }

    /** Each example of the page is a command and what it prints. */
    @Test
    void thePageShowsWhatExplainPrints() {
        String page = Reactor.read(Reactor.ROOT.resolve("docs/operate/explain.md"));
        List<String> examples = Pattern.compile("(?m)^```\n\\$ \\./mooring ([^`]*?)^```$")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
        for (String example : examples) {
            String command = example.lines().findFirst().orElseThrow();
            out.getBuffer().setLength(0);
            String[] words =
                    command.replace("docs/", Reactor.ROOT.resolve("docs") + "/").split(" ");
            assertThat(run(words)).as(command).isZero();
            assertThat(out.toString()).as(command).isEqualTo(example.substring(command.length() + 1));
        }
    }

    @Test
    void theWayThatLooksFirstIsSuggestedFirst() {
        Path pending = Reactor.ROOT.resolve("docs/examples/pending.yaml");
        assertThat(run("explain", "pv/old", "-f", pending.toString())).isZero();
        assertThat(out.toString())
                .containsSubsequence("mooring release pv/old --discard", "kubectl patch pv old --type merge");
    }
}
