// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.kubernetes.FakeServer.Behaviour;
import dev.mooring.runtime.control.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingHttpClientTest {
    private static final int MANY = 20;

    private final FakeServer server = new FakeServer();
    private final Connection connection = server.connection();
    private final HttpClient client = client(connection.config());

    private static HttpClient client(Config config) {
        config.setRequestRetryBackoffLimit(0); // as all of this module's requests
        return BlockingHttpClient.of(config, TimeSource.system()).orElseThrow();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private CompletableFuture<HttpResponse<byte[]>> patch(String body, long millis) {
        return client.sendAsync(
                client.newHttpRequestBuilder()
                        .uri(connection.server() + "api/v1/persistentvolumes/a?x=%20")
                        .timeout(millis, TimeUnit.MILLISECONDS)
                        .method("PATCH", "application/merge-patch+json", body)
                        .build(),
                byte[].class);
    }

    private HttpResponse<byte[]> answered(String body) throws Exception {
        return patch(body, FakeServer.AMPLE.toMillis()).get();
    }

    @Test
    void sendsTheCredentialsTheTextAndItsTypeAndReadsTheWholeAnswer() throws Exception {
        server.answer(409, "Retry-After: 3\r\n", "{\"reason\":\"Conflict\",\"message\":\"größer\"}");

        HttpResponse<byte[]> response = answered("{\"a\":\"ß\"}");

        assertThat(response.code()).isEqualTo(409);
        assertThat(response.header("retry-after")).isEqualTo("3");
        assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("größer");
        assertThat(server.texts()).singleElement().asString().satisfies(text -> {
            assertThat(text).startsWith("PATCH /api/v1/persistentvolumes/a?x=%20 HTTP/1.1");
            assertThat(text).containsIgnoringCase("authorization: bearer t");
            assertThat(text).containsIgnoringCase("content-type: application/merge-patch+json");
            assertThat(text).endsWith("{\"a\":\"ß\"}");
        });
    }

    @Test
    void aConnectionIsUsedAgainAndThoseAtOnceHaveTheirOwn() throws Exception {
        for (int i = 0; i < MANY; i++) {
            answered("{}");
        }
        assertThat(server.connections()).isEqualTo(1);

        ExecutorService threads = Executors.newFixedThreadPool(MANY);
        try {
            List<Future<Integer>> codes = new ArrayList<>();
            for (int i = 0; i < MANY * MANY; i++) {
                codes.add(threads.submit(() -> answered("{}").code()));
            }
            for (Future<Integer> code : codes) {
                assertThat(code.get()).isEqualTo(200);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(server.connections()).isBetween(1, MANY);
        assertThat(server.requests()).as("each is sent once").isEqualTo(MANY + MANY * MANY);
    }

    @Test
    void aRequestThatIsNotAnsweredInTimeEndsWithItsConnection() {
        server.behave(Behaviour.HANG);

        assertThatThrownBy(() -> patch("{}", 50).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(HttpTimeoutException.class);
        assertThat(server.requests()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsARequestThatWaits() throws Exception {
        server.behave(Behaviour.HANG);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread asking = new Thread(() -> {
            try {
                end.complete(new AssertionError(answered("{}").code()));
            } catch (Exception expected) {
                end.complete(expected);
            }
        });
        asking.start();
        while (server.requests() == 0) {
            Thread.onSpinWait();
        }

        asking.interrupt();

        assertThat(end.get()).hasCauseInstanceOf(ClosedChannelException.class);
        asking.join();
    }

    @Test
    void whatIsCutOffIsSentOnceAndTheNextRequestHasANewConnection() throws Exception {
        answered("{}");
        for (Behaviour cut : List.of(Behaviour.CUT_AFTER_REQUEST, Behaviour.CUT_IN_ANSWER)) {
            int before = server.requests();
            server.behave(cut);

            assertThatThrownBy(() -> answered("{}")).isInstanceOf(ExecutionException.class);
            assertThat(server.requests()).isEqualTo(before + 1);

            server.behave(Behaviour.ANSWER);
            assertThat(answered("{}").code()).isEqualTo(200);
        }
    }

    @Test
    void aConnectionThatTheServerEndsAfterAnAnswerIsNotUsedAgain() throws Exception {
        server.answer(200, "Connection: close\r\n", "{}");

        answered("{}");
        answered("{}");

        assertThat(server.requests()).isEqualTo(2);
    }

    @Test
    void aServerThatIsNotThereIsToldAsSuch() {
        server.close();

        assertThatThrownBy(() -> answered("{}"))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void aProxyIsLeftToTheOtherClient() {
        Config config = connection.config();
        config.setHttpProxy("http://127.0.0.1:1");
        config.setHttpsProxy("http://127.0.0.1:1");
        config.setNoProxy(new String[0]);

        assertThat(BlockingHttpClient.of(config, TimeSource.system())).isEmpty();
    }

    @Test
    void nothingIsSentOnceItIsClosed() {
        client.close();

        assertThatThrownBy(() -> answered("{}")).hasRootCauseMessage("the client is closed");
        assertThat(server.requests()).isZero();
    }
}
