// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command line answers: output, errors, exit status. */
class CommandLineTest extends CommandLineRun {
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
}
