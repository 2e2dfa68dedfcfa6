// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Requests and answers over fabric8's HTTP client, which sees to credentials, certificates and proxies. Nothing is ever sent twice by
 * itself: whether a write may be repeated is for those to decide who know what it means. Thread-safe.
 */
final class Transport implements AutoCloseable {
    private final HttpClient client;
    private final String server;
    private final Duration timeout;
    private final Throttle throttle;
    private volatile boolean closed;

    Transport(Config config, KubernetesOptions options) {
        config.setRequestRetryBackoffLimit(0);
        config.setUserAgent(options.userAgent());
        String url = config.getMasterUrl();
        this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.timeout = options.requestTimeout();
        this.throttle = new Throttle(options.limit());
        this.client = new JdkHttpClientFactory().newBuilder(config).build();
    }

    Duration timeout() {
        return timeout;
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param onSuccess reads the answer of a success; what it throws is an answer that cannot be read
     */
    <T> StoreResult<T> send(Request request, Function<Reply, StoreResult<T>> onSuccess) {
        return send(request, () -> true, onSuccess);
    }

    /**
     * The same, if it still may be sent when its turn has come.
     *
     * @param may asked right before it is sent, after all waiting
     */
    <T> StoreResult<T> send(Request request, BooleanSupplier may, Function<Reply, StoreResult<T>> onSuccess) {
        if (closed) {
            return StoreResult.failed(Failure.UNAVAILABLE, request + ": the store is closed");
        }
        Reply reply;
        try {
            throttle.pass(request.isWrite());
            if (!may.getAsBoolean()) {
                return StoreResult.failed(
                        Failure.UNAVAILABLE, request + ": not sent: the term of the leader that decided it is over");
            }
            reply = exchange(request);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcomes.unanswered(request, e);
        } catch (ExecutionException | TimeoutException | IllegalStateException e) { // also a CancellationException
            return Outcomes.unanswered(request, e);
        }
        if (!reply.isSuccess()) {
            return Outcomes.refused(request, reply);
        }
        try {
            return onSuccess.apply(reply);
        } catch (RuntimeException e) {
            return Outcomes.unreadable(request, e);
        }
    }

    private Reply exchange(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        HttpRequest.Builder builder = builder(request.path()).timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (request.isWrite()) {
            builder.method(request.method(), request.contentType(), request.body());
        }
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(builder.build(), byte[].class);
        try {
            HttpResponse<byte[]> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            byte[] body = response.body();
            return new Reply(response.code(), retryAfter(response), body == null ? new byte[0] : body);
        } catch (InterruptedException | TimeoutException e) {
            answer.cancel(true);
            throw e;
        }
    }

    /** Begins to read a body that does not end; the consumer is called as often as the body is asked to go on. */
    CompletableFuture<HttpResponse<AsyncBody>> stream(String path, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return client.consumeBytes(builder(path).forStreaming().build(), consumer);
    }

    private HttpRequest.Builder builder(String path) {
        return client.newHttpRequestBuilder().uri(server + path).header("Accept", "application/json");
    }

    static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return Optional.ofNullable(response.header("Retry-After"))
                .map(String::strip)
                .filter(text -> text.matches("\\d{1,6}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
