// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.Deciders;
import dev.mooring.distribution.operations.OperationsAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a standalone server shows to Prometheus and to probes. */
class StandaloneOperationsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void showsMetricsOfControllersAndNodeAndItsHealth() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Standalone server = Standalone.start(
                StandaloneServers.options(directory).withOperations(Optional.of(new OperationsAddress(anyPort, ""))),
                List.of())) {
            int port = server.operationsPort().orElseThrow();
            assertThat(get(port, "/readyz")).isEqualTo("ok\n");
            assertThat(get(port, "/livez")).isEqualTo("ok\n");
            assertThat(get(port, "/metrics"))
                    .contains("process_start_time_seconds")
                    .contains("mooring_ready_keys{loop=\"controllers\"}")
                    .contains("mooring_ready_keys{loop=\"node\"}");
        }
    }

    @Test
    void aServerThatDecidesNothingAnyMoreSaysSoToTheProbesOfItsApi() throws Exception {
        Set<Thread> before = Deciders.now();
        try (Standalone server = Standalone.start(StandaloneServers.options(directory), List.of())) {
            ProgramClient client = new ProgramClient(directory.resolve("kubeconfig"));
            assertThat(client.get("/livez").status()).isEqualTo(200);
            assertThat(server.sickness()).isEmpty();
            Deciders.endAllBut(before);
            assertThat(server.sickness()).isPresent();
            assertThat(client.get("/livez").status()).isEqualTo(500);
            assertThat(client.get("/readyz").status()).isEqualTo(500);
        }
    }

    @Test
    void showsNothingUnlessAsked() throws IOException {
        try (Standalone server = Standalone.start(StandaloneServers.options(directory), List.of())) {
            assertThat(server.operationsPort()).isEmpty();
        }
    }

    @Test
    void anAddressThatIsTakenIsNamedAndNothingIsLeftRunning() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
            assertThatThrownBy(() -> Standalone.start(
                            StandaloneServers.options(directory)
                                    .withOperations(Optional.of(new OperationsAddress(address, ""))),
                            List.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(Integer.toString(address.getPort()));
        }
        // The files are free: everything was closed.
        Standalone.start(StandaloneServers.options(directory), List.of()).close();
    }

    private static String get(int port, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
