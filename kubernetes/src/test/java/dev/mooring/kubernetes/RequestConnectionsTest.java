// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.TimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.Test;

class RequestConnectionsTest {
    private static final int MANY = 100;

    @Test
    void oneTaskLooksForOldConnectionsHoweverOftenOneIsIdle() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        RequestConnections.Settings settings =
                new RequestConnections.Settings(SSLContext.getDefault(), List.of(), "", Duration.ofSeconds(10));
        try (FakeServer server = new FakeServer();
                RequestConnections connections = new RequestConnections(settings, TimeSource.system(), tasks::add)) {
            URI uri = URI.create(server.connection().server() + "/a");
            for (int i = 0; i < MANY; i++) {
                connections.exchange(uri, new BasicClassicHttpRequest("GET", uri), FakeServer.AMPLE);
            }
            assertThat(tasks).hasSize(1);

            tasks.remove(0).run();
            assertThat(tasks).as("it comes again while a connection is kept").hasSize(1);
            assertThat(server.requests()).isEqualTo(MANY);
        }
    }
}
