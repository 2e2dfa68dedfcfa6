// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.mooring.host.linux.KeptPlaces;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kubeconfig may be the only way by which a user reaches other clusters. */
class OwnKubeconfigTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters: [{name: work, cluster: {server: 'https://work'}}]",
                "clusters: [{name: mooring, cluster: {server: 'https://a'}}, {name: work, cluster: {server: 'https://b'}}]",
                "users: [{name: mooring, user: {client-certificate-data: AAAA}}]",
                "contexts: [{name: work, context: {cluster: mooring, user: mooring}}]",
                "extensions: [{name: mine}]",
                "users: mine",
                "- a list",
                "{not even YAML"
            })
    void whatAnotherProgramWroteStaysAsItIsAndNothingIsStarted(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), text);
        Path data = directory.resolve("data");
        StandaloneOptions options = new StandaloneOptions(
                data,
                file,
                InetAddress.getLoopbackAddress(),
                0,
                "here",
                "0.1.0",
                KeptPlaces.in(directory.resolve("places")));
        assertThatIOException()
                .isThrownBy(() -> Standalone.start(options, List.of()).close())
                .withMessageContaining(file.toString())
                .withMessageContaining("name another file");
        assertThat(file).hasContent(text);
        assertThat(data).doesNotExist();
    }

    @Test
    void whatIsNoFileIsNotReplaced() throws IOException {
        Path file = Files.createDirectory(directory.resolve("config"));
        assertThatIOException()
                .isThrownBy(() -> OwnKubeconfig.requireReplaceable(file))
                .withMessageContaining("since it is a directory");
    }

    @Test
    void whyItCannotBeWrittenIsSaidOfTheFileThatWasNamed() {
        Path file = directory.resolve("none/config");
        StandaloneOptions options = new StandaloneOptions(
                directory.resolve("data"),
                file,
                InetAddress.getLoopbackAddress(),
                0,
                "here",
                "0.1.0",
                KeptPlaces.in(directory.resolve("places")));
        assertThatIOException()
                .isThrownBy(() -> Standalone.start(options, List.of()).close())
                .withMessage("the kubeconfig " + file + " cannot be written: there is no such file or directory");
    }

    @Test
    void anEmptyFileAndOneThatIsNotThereMayBeWritten() throws IOException {
        Path file = directory.resolve("config");
        assertThatCode(() -> OwnKubeconfig.requireReplaceable(file)).doesNotThrowAnyException();
        Files.writeString(file, "\n");
        assertThatCode(() -> OwnKubeconfig.requireReplaceable(file)).doesNotThrowAnyException();
    }

    @Test
    void itsOwnIsWrittenAnewAtEachStart() throws IOException {
        StandaloneOptions options = StandaloneServers.options(directory);
        Standalone.start(options, List.of()).close();
        String first = Files.readString(options.kubeconfig());
        // kubectl adds this when it changes the file.
        Files.writeString(options.kubeconfig(), first + "preferences: {}\n");
        Standalone.start(options, List.of()).close();
        assertThat(options.kubeconfig()).content().doesNotContain("preferences").contains("name: mooring");
    }
}
