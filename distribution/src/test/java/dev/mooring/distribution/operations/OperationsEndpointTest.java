// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.logging.LogFormat;
import dev.mooring.distribution.logging.Logs;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class OperationsEndpointTest implements Operations {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private Optional<String> sickness = Optional.empty();
    private Optional<String> hindrance = Optional.empty();
    private CompletableFuture<List<Metric>> metrics = CompletableFuture.completedFuture(
            List.of(new Counters("a").count("1").as("things_total", Metric.Type.COUNTER, "Things")));
    private Optional<OperationsEndpoint> endpoint = Optional.empty();

    @Override
    public CompletableFuture<List<Metric>> metrics() {
        return metrics;
    }

    @Override
    public Optional<String> sickness() {
        return sickness;
    }

    @Override
    public Optional<String> hindrance() {
        return hindrance;
    }

    @BeforeEach
    void start() throws IOException {
        endpoint =
                Optional.of(OperationsEndpoint.start(new OperationsAddress(ANY_PORT, "node.log-level: debug\n"), this));
    }

    @AfterEach
    void stop() {
        endpoint.ifPresent(OperationsEndpoint::close);
    }

    @Test
    void showsMetrics() throws IOException {
        Reply reply = ask("GET", "/metrics");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.type()).startsWith("text/plain; version=0.0.4");
        assertThat(reply.text()).contains("things_total{a=\"1\"} 1.0");
    }

    @Test
    void saysWhyMetricsCannotBeRead() throws IOException {
        metrics = CompletableFuture.failedFuture(new IllegalStateException("the loop was stopped"));

        assertThat(ask("GET", "/metrics")).matches(reply -> reply.status() == 503);
        assertThat(ask("GET", "/metrics").text()).contains("the loop was stopped");
    }

    @Test
    void isAliveUntilItIsSick() throws IOException {
        assertThat(ask("GET", "/livez").status()).isEqualTo(200);
        assertThat(ask("GET", "/healthz").status()).isEqualTo(200);
        sickness = Optional.of("no try to be elected for 61 s");

        assertThat(ask("GET", "/livez")).isEqualTo(new Reply(503, "text/plain; charset=utf-8", sickness.get() + "\n"));
        assertThat(ask("GET", "/readyz").status()).isEqualTo(503);
    }

    @Test
    void whatHindersItMakesItUnreadyButNotSick() throws IOException {
        hindrance = Optional.of("the API server has not been asked yet");

        assertThat(ask("GET", "/livez").status()).isEqualTo(200);
        assertThat(ask("GET", "/readyz").text()).contains(hindrance.get());
    }

    @Test
    void nothingElseIsThereAndNothingCanBeChanged() throws IOException {
        assertThat(ask("GET", "/secrets").status()).isEqualTo(404);
        assertThat(ask("DELETE", "/metrics").status()).isEqualTo(405);
    }

    @Test
    void tellsWhatItWasToldAndItsLastLinesWithoutSecrets() throws IOException {
        Logs.configure(LogFormat.TEXT, Level.INFO);
        LoggerFactory.getLogger("dev.mooring.test").info("a line with password=planted");

        assertThat(ask("GET", "/configuration").text()).isEqualTo("node.log-level: debug\n");
        assertThat(ask("GET", "/log").text())
                .contains("a line with password=(removed)")
                .doesNotContain("planted");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,localhost,true",
        "127.9.9.9,127.0.0.1,true",
        "::1,[::1],true",
        "10.0.0.7,localhost,false",
        "fe80::1,localhost,false",
        "127.0.0.1,rebound.example.com,false"
    })
    void whatSaysMoreIsForProgramsOfTheSameMachine(String peer, String host, boolean here) throws IOException {
        assertThat(OperationsHandler.isHere(new InetSocketAddress(InetAddress.getByName(peer), 1), host))
                .isEqualTo(here);
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), endpoint.orElseThrow().port());

        assertThatThrownBy(() -> OperationsEndpoint.start(new OperationsAddress(taken, ""), this))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on")
                .hasMessageContaining(Integer.toString(taken.getPort()));
    }

    private record Reply(int status, String type, String text) {}

    private Reply ask(String method, String path) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.orElseThrow().port() + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        int status = connection.getResponseCode();
        try (InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String type = Optional.ofNullable(connection.getContentType()).orElse("");
            return new Reply(status, type, new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
