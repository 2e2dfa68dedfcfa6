// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests and answers over fabric8's HTTP client, which sees to credentials, certificates and proxies. Nothing is ever sent twice by
 * itself: whether a write may be repeated is for those to decide who know what it means. Thread-safe.
 *
 * <p>All that goes to a server that speaks HTTP/2 shares one connection, and the client never gives up one that died without a sign.
 * So where a request is not answered in time, and nothing else came either since it was sent, the client is replaced.
 *
 * <p>A request goes over it if no other one is under way, so that a dead connection is noticed, and an idle process soon has no other one.
 * Requests beside it have connections of their own, which cost less processor time (RequestConnections).
 *
 * <p>A server lets a connection have 250 requests at once, and what stands before it may allow no more than 100. An agent has a watch for
 * each object that it needs, so watches of single objects have clients of their own, each for {@value #PER_LINE}.
 */
final class Transport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
    private static final int PER_LINE = 80;
    private static final String TERM_IS_OVER = "not sent: the term of the leader that decided it is over";
    private static final String OF_A_SINGLE = "fieldSelector=metadata.name";

    private final TimeSource time;
    private final SharedThreads threads = new SharedThreads();
    private final Supplier<HttpClient> clients;
    private final String server;
    private final Duration timeout;
    private final Throttle throttle;
    private final List<Runnable> ofReplaced = new CopyOnWriteArrayList<>();
    private final List<Line> ofSingles = new ArrayList<>(); // guarded by this
    private final Optional<HttpClient> beside;
    private final int moreConnections;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile Line line;
    private volatile boolean closed;

    Transport(Config config, KubernetesOptions options, TimeSource time) {
        this.time = time;
        config.setRequestRetryBackoffLimit(0);
        config.setUserAgent(options.userAgent());
        String url = config.getMasterUrl();
        this.server = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.timeout = options.requestTimeout();
        this.throttle = new Throttle(options.limit());
        this.clients = () -> threads.factory(config).newBuilder(config).build();
        this.line = new Line(clients.get(), time);
        this.moreConnections = options.moreConnections();
        this.beside = moreConnections == 0 ? Optional.empty() : BlockingHttpClient.of(config, time);
    }

    /** Has something run whenever the client was replaced: what was asked for through the one before will not be answered. */
    void whenReplaced(Runnable action) {
        ofReplaced.add(action);
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
                return StoreResult.failed(Failure.UNAVAILABLE, request + ": " + TERM_IS_OVER);
            }
            reply = exchange(request, may);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcomes.unanswered(server, request, e);
        } catch (ExecutionException | TimeoutException | IllegalStateException e) { // also a CancellationException
            return Outcomes.unanswered(server, request, e);
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

    private Reply exchange(Request request, BooleanSupplier may)
            throws InterruptedException, ExecutionException, TimeoutException {
        int others = underWay.getAndIncrement();
        try {
            return others == 0 || others > moreConnections || beside.isEmpty()
                    ? exchangeOverLine(request)
                    : exchangeBeside(request, may, beside.get());
        } finally {
            underWay.decrementAndGet();
        }
    }

    /** What was not sent, or not carried out since the server is elsewhere, goes over the line, if it still may be sent. */
    private Reply exchangeBeside(Request request, BooleanSupplier may, HttpClient client)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            Reply reply = reply(
                    client.sendAsync(written(request), byte[].class).get(timeout.toMillis(), TimeUnit.MILLISECONDS));
            if (!reply.isRedirect()) {
                return reply;
            }
        } catch (ExecutionException e) {
            if (!Outcomes.wasNeverSent(e) || Thread.currentThread().isInterrupted()) {
                throw e;
            }
        }
        if (!may.getAsBoolean()) {
            throw new ExecutionException(new ConnectException(TERM_IS_OVER));
        }
        return exchangeOverLine(request);
    }

    private Reply exchangeOverLine(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        Line used = line;
        long sentNanos = time.now().monotonicNanos();
        CompletableFuture<HttpResponse<byte[]>> answer;
        try {
            answer = used.client.sendAsync(written(request), byte[].class);
        } catch (RejectedExecutionException e) { // closed meanwhile: the request was not sent
            if (used != line) {
                return exchangeOverLine(request); // another thread found the line silent
            }
            throw new ExecutionException(new ConnectException("the store is closed"));
        }
        try {
            HttpResponse<byte[]> response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            used.hear();
            return reply(response);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (TimeoutException e) {
            answer.cancel(true);
            replaceIfSilent(used, sentNanos);
            throw e;
        } catch (ExecutionException e) {
            if (Outcomes.unwrapped(e) instanceof HttpTimeoutException) {
                replaceIfSilent(used, sentNanos);
            }
            throw e;
        }
    }

    private HttpRequest written(Request request) {
        HttpRequest.Builder builder = builder(request.path()).timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (request.isWrite()) {
            builder.method(request.method(), request.contentType(), request.body());
        }
        return builder.build();
    }

    private static Reply reply(HttpResponse<byte[]> response) {
        byte[] body = response.body();
        return new Reply(response.code(), RetryAfter.of(response), body == null ? new byte[0] : body);
    }

    private void replaceIfSilent(Line used, long sinceNanos) {
        synchronized (this) {
            if (closed || used.heardSince(sinceNanos) || !forget(used)) {
                return;
            }
            LOG.warn("{} has been silent for {} s: connecting again", server, timeout.toSeconds());
        }
        used.client.close();
        ofReplaced.forEach(Runnable::run);
    }

    /** Takes a line out of use; false if it is not in use any more. */
    private synchronized boolean forget(Line used) {
        if (line == used) {
            line = new Line(clients.get(), time);
            return true;
        }
        return ofSingles.remove(used);
    }

    /** A line for one more watch; it is given back when the watch has ended. */
    private synchronized Line lineFor(String path) {
        if (closed || !path.contains(OF_A_SINGLE)) {
            return line.taken();
        }
        for (Line each : ofSingles) {
            if (each.watches.get() < PER_LINE) {
                return each.taken();
            }
        }
        Line fresh = new Line(clients.get(), time);
        ofSingles.add(fresh);
        return fresh.taken();
    }

    /** Begins to read a body that does not end; the consumer is called as often as the body is asked to go on. */
    CompletableFuture<HttpResponse<AsyncBody>> stream(String path, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Line used = lineFor(path);
        long sentNanos = time.now().monotonicNanos();
        CompletableFuture<HttpResponse<AsyncBody>> answer = used.afterFirst(
                () -> used.client.consumeBytes(builder(path).forStreaming().build(), (bytes, body) -> {
                    used.hear();
                    consumer.consume(bytes, body);
                }));
        Future<?> unusedCount = answer.whenComplete((response, thrown) -> used.giveBack(response));
        Future<?> unused = answer.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, thrown) -> {
                    if (response != null) {
                        used.hear();
                    } else if (Outcomes.unwrapped(thrown) instanceof TimeoutException) {
                        replaceIfSilent(used, sentNanos);
                    }
                });
        return answer;
    }

    private HttpRequest.Builder builder(String path) {
        return line.client.newHttpRequestBuilder().uri(server + path).header("Accept", "application/json");
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        List<Line> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            all.add(line);
            all.addAll(ofSingles);
        }
        all.forEach(each -> each.client.close());
        beside.ifPresent(HttpClient::close);
        threads.close();
    }

    /** A client, and when something was last heard through it. */
    private static final class Line {
        final HttpClient client;
        final AtomicInteger watches = new AtomicInteger();
        private final TimeSource time;
        private final AtomicReference<@Nullable CompletableFuture<?>> first = new AtomicReference<>();
        private volatile long heardNanos;

        Line(HttpClient client, TimeSource time) {
            this.client = client;
            this.time = time;
            this.heardNanos = time.now().monotonicNanos();
        }

        Line taken() {
            watches.incrementAndGet();
            return this;
        }

        void giveBack(@Nullable HttpResponse<AsyncBody> response) {
            if (response == null) {
                watches.decrementAndGet();
            } else {
                Future<?> unused = response.body().done().whenComplete((nothing, failed) -> watches.decrementAndGet());
            }
        }

        /**
         * Until a connection is there, the client would make one for each request. A first request that what stands before the server answers
         * only with its first event holds up the others for a second.
         */
        <T> CompletableFuture<T> afterFirst(Supplier<CompletableFuture<T>> send) {
            CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
            CompletableFuture<?> before = first.compareAndExchange(null, mine);
            if (before != null) {
                return before.isDone()
                        ? sent(send)
                        : before.handle((done, failed) -> null)
                                .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                                .thenCompose(done -> sent(send));
            }
            CompletableFuture<T> answer = sent(send);
            Future<?> unused = answer.whenComplete((done, failed) -> mine.complete(null));
            return answer;
        }

        private static <T> CompletableFuture<T> sent(Supplier<CompletableFuture<T>> send) {
            try {
                return send.get();
            } catch (RuntimeException e) { // the client is closed
                return CompletableFuture.failedFuture(e);
            }
        }

        void hear() {
            heardNanos = time.now().monotonicNanos();
        }

        boolean heardSince(long nanos) {
            return heardNanos - nanos > 0;
        }
    }
}
