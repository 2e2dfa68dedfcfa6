// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import static dev.mooring.csi.Sockets.AMPLE;
import static dev.mooring.csi.Sockets.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.mooring.csi.v1.IdentityGrpc;
import dev.mooring.csi.v1.ProbeRequest;
import dev.mooring.csi.v1.ProbeResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverServerTest {
    @TempDir
    Path directory;

    private final Sockets sockets = new Sockets();
    private Path socket;
    private CsiEndpoint endpoint;

    private static final class Ready extends IdentityGrpc.IdentityImplBase {
        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            answer(observer, ProbeResponse.getDefaultInstance());
        }
    }

    @BeforeEach
    void endpoint() {
        socket = directory.resolve("csi.sock");
        endpoint = new CsiEndpoint(socket);
    }

    @AfterEach
    void end() {
        sockets.close();
    }

    @Test
    void makesOneFileWithThePermissionsThatAreGivenAndRemovesIt() throws Exception {
        try (DriverServer server = sockets.serve(endpoint, new Ready())) {
            assertThat(server.endpoint()).isEqualTo(endpoint);
            assertThat(names()).containsExactly("csi.sock");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            probe();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void replacesAStaleSocket() throws Exception {
        stale();
        try (DriverServer server = sockets.serve(endpoint, new Ready())) {
            probe();
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void clearsWhatAStartThatDiedLeftBehind() throws Exception {
        ServerSocketFile.prepare(endpoint);
        assertThat(names()).hasSize(1);
        try (DriverServer server = sockets.serve(endpoint, new Ready())) {
            assertThat(names()).containsExactly("csi.sock");
            assertThat(server.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void leavesASocketAloneOnWhichAnotherListens() throws Exception {
        try (DriverServer first = sockets.serve(endpoint, new Ready())) {
            assertThatIOException()
                    .isThrownBy(() -> sockets.serve(endpoint, new Ready()))
                    .withMessageContaining(socket.toString())
                    .withMessageContaining("another process listens on it");
            assertThat(names()).containsExactly("csi.sock");
            probe();
            assertThat(first.endpoint()).isEqualTo(endpoint);
        }
    }

    @Test
    void leavesTheSocketOfASuccessorAlone() throws Exception {
        DriverServer first = sockets.serve(endpoint, new Ready());
        Files.delete(socket);
        try (DriverServer second = sockets.serve(endpoint, new Ready())) {
            first.close();
            probe();
            assertThat(second.endpoint()).isEqualTo(endpoint);
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void leavesAFileAloneThatIsNoSocket() throws Exception {
        Files.writeString(socket, "precious");
        assertThatIOException()
                .isThrownBy(() -> sockets.serve(endpoint, new Ready()))
                .withMessageContaining(socket.toString())
                .withMessageContaining("no socket");
        assertThat(socket).hasContent("precious");
    }

    @Test
    void saysThatADirectoryIsMissing() {
        CsiEndpoint nowhere = new CsiEndpoint(directory.resolve("missing/csi.sock"));
        assertThatIOException()
                .isThrownBy(() -> sockets.serve(nowhere, new Ready()))
                .withMessageContaining("there is no directory " + directory.resolve("missing"));
    }

    private void probe() throws CsiCallException {
        try (DriverChannel channel = sockets.connect(endpoint)) {
            channel.call(IdentityGrpc.getProbeMethod(), ProbeRequest.getDefaultInstance(), AMPLE);
        }
    }

    /** The JDK leaves the file of a socket behind when it closes it. */
    private void stale() throws IOException {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
