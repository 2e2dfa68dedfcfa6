// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.option.GoDuration;
import dev.mooring.distribution.option.HostName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** What {@code mooring controller} says before it begins. */
class ControllerCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(run("controller", "--kubeconfig", "/nowhere/config")).isEqualTo(2);
        assertThat(err.toString()).contains("/nowhere/config");
    }

    @Test
    void aFileThatIsNoKubeconfigIsNamedAndNothingOfItShown(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), "users: [{user: {token: hidden}}]\n");
        assertThat(run("controller", "--kubeconfig", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file.toString()).doesNotContain("hidden");
    }

    /** The variable HOSTNAME is the shell's: services have none. */
    @Test
    void theLeaseTellsTheMachineOfItsHolder() throws IOException {
        assertThat(HostName.ofThisProcess())
                .startsWith(
                        HostName.ofThisMachine() + "_" + ProcessHandle.current().pid() + "_");
    }

    @Test
    void timesOfTheElectionMustLeaveAMargin(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """);
        assertThat(run("controller", "--kubeconfig", file.toString(), "--leader-elect-lease-duration=5s"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("leader election");
    }

    @ParameterizedTest
    @CsvSource({"15s, 15000", "500ms, 500", "1m30s, 90000", "1h, 3600000"})
    void timesAreWrittenAsInKubernetes(String text, long millis) {
        assertThat(new GoDuration().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "15s!", "-1s"})
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> new GoDuration().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("15s");
    }

    /** By default the page's token is below the root, and no option of its own was given. */
    @Test
    void aTokenThatCannotBeWrittenIsToldWithTheOptionThatSaysWhere(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), """
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """);
        assertThat(run("controller", "--kubeconfig=" + file, "--root=" + file, "--page-bind-address=127.0.0.1:0"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--root: ", file + "/page-token", "something else has that name")
                .doesNotContain("--page-token-file");
    }
}
