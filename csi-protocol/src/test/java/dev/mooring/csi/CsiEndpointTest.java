// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsiEndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"unix:///run/csi.sock", "unix:/run/csi.sock", "/run/csi.sock"})
    void readsEachFormThatDriversTake(String text) {
        CsiEndpoint endpoint = CsiEndpoint.parse(text);
        assertThat(endpoint.socket()).isEqualTo(Path.of("/run/csi.sock"));
        assertThat(endpoint).hasToString("unix:///run/csi.sock");
    }

    @ParameterizedTest
    @CsvSource({
        "tcp://127.0.0.1:10000, only unix sockets",
        "unix://run/csi.sock, absolute path",
        "csi.sock, absolute path",
        "unix://, absolute path",
        "'', absolute path",
        "unix:///, absolute path",
        "/run/, absolute path"
    })
    void refusesWhatIsNoSocketByItsName(String text, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse(text))
                .withMessageContaining("endpoint " + text)
                .withMessageContaining(rule);
    }

    @Test
    void refusesAPathThatTheKernelCannotTake() {
        String longest = "/run/" + "x".repeat(CsiEndpoint.MAX_BYTES - 5);
        assertThat(CsiEndpoint.parse(longest).socket()).hasToString(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse(longest + "x"))
                .withMessageContaining(longest)
                .withMessageContaining("at most 107 bytes, and this one has 108");
    }

    @Test
    void countsBytesAndNotLetters() {
        String text = "/run/" + "ü".repeat(52);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse(text))
                .withMessageContaining("this one has 109");
    }

    @Test
    void refusesANulByte() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CsiEndpoint.parse("/run/a\0b"))
                .withMessageContaining("Nul");
    }

    @Test
    void aSocketIsNoLinkToOneAndNoOtherFile(@TempDir Path directory) throws IOException {
        Path socket = directory.resolve("s");
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(socket));
            assertThat(CsiEndpoint.isSocket(socket)).isTrue();
            assertThat(CsiEndpoint.isSocket(Files.createSymbolicLink(directory.resolve("link"), socket)))
                    .isFalse();
        }
        assertThat(CsiEndpoint.isSocket(Files.createFile(directory.resolve("file"))))
                .isFalse();
        assertThat(CsiEndpoint.isSocket(directory)).isFalse();
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> CsiEndpoint.isSocket(directory.resolve("none")));
    }
}
