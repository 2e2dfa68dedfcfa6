// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A path that is none is the client's fault, however much of the request has come, and however the rest comes. */
class BadPathsTest {
    private static final String GOOD = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final List<String> BODIES = List.of(
            "Content-Length: 0\r\n\r\n",
            "Content-Length: 2\r\n\r\n{}",
            "Content-Length: 1000\r\n\r\n{",
            "Content-Length: 1000\r\n\r\n",
            "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nZZ\r\nnonsense\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5;odd=1\r\nabcde\r\n",
            "Upgrade: websocket\r\nContent-Length: 2\r\n\r\n{}");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aPathThatIsNoneIsTheClientsFaultHoweverItsBodyComes() throws Exception {
        Path data = directory.resolve("data");
        try (Standalone server = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(server.operationsPort()).isEmpty();
            ServerKubeconfig config = ServerKubeconfig.read(data.resolve("kubeconfig"));
            for (String body : BODIES) {
                String bad =
                        "PUT /%2e%2e/%41/%2e%2e?labelSelector=% HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + config.token() + "\r\n" + body;
                try (FuzzConnection alone = new FuzzConnection(config)) {
                    alone.write(bad.getBytes(StandardCharsets.US_ASCII));
                    assertThat(alone.read(false).status()).as(body).isEqualTo(400);
                }
                try (FuzzConnection second = new FuzzConnection(config)) {
                    second.write((GOOD + bad).getBytes(StandardCharsets.US_ASCII));
                    assertThat(second.read(false).status()).isEqualTo(200);
                    assertThat(second.read(false).status())
                            .as("second, %s", body)
                            .isEqualTo(400);
                }
                try (FuzzConnection left = new FuzzConnection(config)) {
                    left.write(bad.getBytes(StandardCharsets.US_ASCII));
                    left.leave();
                    assertThat(left.read(false).status()).as("left, %s", body).isEqualTo(400);
                }
            }
        }
    }
}
