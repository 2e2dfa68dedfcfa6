// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/**
 * fabric8's client, with its credentials, over {@link RequestConnections}: what it sends is answered before its methods return. For requests that
 * have text and an end; no streams, no proxies. Thread-safe.
 */
final class BlockingHttpClient
        extends StandardHttpClient<BlockingHttpClient, BlockingHttpClient.Factory, BlockingHttpClient.Builder> {
    /** A server that is there takes a fraction of it; for one that is not, the other client waits as long as it may. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final RequestConnections connections;

    private BlockingHttpClient(Builder builder, AtomicBoolean closed, RequestConnections connections) {
        super(builder, closed);
        this.connections = connections;
    }

    /** For a server; empty if a proxy stands before it. */
    static Optional<HttpClient> of(Config config, TimeSource time) {
        HttpClient.Builder builder = new Factory(time).newBuilder(config);
        return builder instanceof Builder ours && ours.getProxyAddress() == null
                ? Optional.of(ours.build())
                : Optional.empty();
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            Duration limit = Optional.ofNullable(request.getTimeout()).orElse(Duration.ZERO);
            RequestConnections.Answer answer = connections.exchange(request.uri(), written(request), limit);
            return CompletableFuture.completedFuture(new Answered(request, answer, consumer));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static ClassicHttpRequest written(StandardHttpRequest request) {
        BasicClassicHttpRequest written = new BasicClassicHttpRequest(request.method(), request.uri());
        written.setHeader(HttpHeaders.HOST, request.uri().getRawAuthority());
        request.headers().forEach((name, values) -> values.forEach(value -> written.addHeader(name, value)));
        if (request.body() != null) {
            byte[] body = request.bodyString().getBytes(StandardCharsets.UTF_8);
            written.setEntity(new ByteArrayEntity(body, null));
            written.setHeader(HttpHeaders.CONTENT_LENGTH, body.length);
            if (request.getContentType() != null) {
                written.setHeader(HttpHeaders.CONTENT_TYPE, request.getContentType());
            }
        }
        return written;
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("only requests are sent here"));
    }

    @Override
    protected void doClose() {
        connections.close();
    }

    static final class Factory implements HttpClient.Factory {
        private final TimeSource time;

        Factory(TimeSource time) {
            this.time = time;
        }

        @Override
        public Builder newBuilder() {
            return new Builder(this);
        }
    }

    /** fabric8 fills it from a configuration. */
    static final class Builder extends StandardHttpClientBuilder<BlockingHttpClient, Factory, Builder> {
        private final TimeSource time;

        Builder(Factory factory) {
            super(factory);
            this.time = factory.time;
        }

        @Override
        public HttpClient build() {
            return new BlockingHttpClient(this, new AtomicBoolean(), new RequestConnections(settings(), time));
        }

        private RequestConnections.Settings settings() {
            try {
                return new RequestConnections.Settings(
                        sslContext == null ? SSLContext.getDefault() : sslContext,
                        TlsPreferences.versions(Optional.ofNullable(tlsVersions)),
                        tlsServerName == null ? "" : tlsServerName,
                        CONNECT_TIMEOUT);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this JVM has no TLS", e);
            }
        }

        @Override
        protected Builder newInstance(Factory factory) {
            return new Builder(factory);
        }
    }

    /** An answer that is there already: it is handed over in one piece. */
    private static final class Answered extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {
        private final StandardHttpRequest request;
        private final RequestConnections.Answer answer;
        private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
        private final AtomicBoolean handedOver = new AtomicBoolean();
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        Answered(
                StandardHttpRequest request,
                RequestConnections.Answer answer,
                AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            super(headers(answer));
            this.request = request;
            this.answer = answer;
            this.consumer = consumer;
        }

        private static Map<String, List<String>> headers(RequestConnections.Answer answer) {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (Header header : answer.head().getHeaders()) {
                headers.computeIfAbsent(header.getName(), any -> new ArrayList<>())
                        .add(header.getValue());
            }
            return headers;
        }

        @Override
        public int code() {
            return answer.head().getCode();
        }

        @Override
        public AsyncBody body() {
            return this;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public void consume() {
            if (handedOver.compareAndSet(false, true)) {
                try {
                    consumer.consume(List.of(answer.body()), this);
                } catch (Exception e) {
                    done.completeExceptionally(e);
                }
            } else {
                done.complete(null);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }
}
