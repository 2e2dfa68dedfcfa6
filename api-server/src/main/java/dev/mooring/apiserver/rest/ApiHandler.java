// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.token.User;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Between the HTTP server and the router: who asks, what is asked, how it is answered. */
final class ApiHandler extends Handler.Abstract {
    private static final long LONGEST_WATCH_SECONDS = 3_600;
    private static final Set<String> OPEN = Set.of("/healthz", "/livez", "/readyz");

    /** So long a client may take for what is left to it when its watch has ended. */
    private static final long LAST_WORD_SECONDS = 30;

    private static final byte[] TOO_SLOW = EventLines.make(
            "ERROR",
            Statuses.failure(
                    410, "Expired", "the watch was cut off: the client reads too slowly, and too much waits for it"));

    private final Router router;
    private final Authentication authentication;
    private final Server server;
    private final Supplier<Optional<String>> sickness;
    private final Backlog backlog = Backlog.ofThisProcess();
    private final Set<ResponseLines> streams = ConcurrentHashMap.newKeySet();

    ApiHandler(Router router, Authentication authentication, Server server, Supplier<Optional<String>> sickness) {
        this.router = router;
        this.authentication = authentication;
        this.server = server;
        this.sickness = sickness;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            if (OPEN.contains(Request.getPathInContext(request))) {
                // Whatever anybody sends there is not even read.
                answer(request, response, callback, health(request));
                return true;
            }
            Optional<User> user = authentication.userOf(request);
            if (user.isPresent()) {
                read(request, response, callback, user.get());
            } else {
                answer(request, response, callback, failure(RestFailure.of(401, "Unauthorized", "Unauthorized")));
            }
        } catch (Throwable defect) {
            refuse(request, response, callback, defect(request, defect));
        }
        return true;
    }

    private Answer health(Request request) {
        if (!Router.reads(request.getMethod())) {
            return failure(RestFailure.methodNotAllowed());
        }
        return sickness.get().map(why -> Answer.text(500, why)).orElseGet(() -> Answer.text(200, "ok"));
    }

    private void read(Request request, Response response, Callback callback, User user) {
        CompletableFuture<byte[]> body = RequestBody.of(request, server);
        if (body.isDone()) {
            CompletableFuture<byte[]> unused =
                    body.whenComplete((bytes, failed) -> respond(request, response, callback, user, bytes, failed));
        } else {
            // The thread that read the last byte has to read other connections.
            CompletableFuture<byte[]> unused = body.whenCompleteAsync(
                    (bytes, failed) -> respond(request, response, callback, user, bytes, failed),
                    server.getThreadPool());
        }
    }

    /** Never throws: nobody would hear of it, and the client would wait for ever. */
    private void respond(
            Request request,
            Response response,
            Callback callback,
            User user,
            byte @Nullable [] body,
            @Nullable Throwable failed) {
        try {
            answer(request, response, callback, answered(request, user, body, failed));
        } catch (Throwable defect) {
            refuse(request, response, callback, defect(request, defect));
        }
    }

    private void refuse(Request request, Response response, Callback callback, RestFailure why) {
        try {
            if (!response.isCommitted()) {
                response.reset();
                answer(request, response, callback, failure(why));
                return;
            }
        } catch (Throwable again) {
            why.addSuppressed(again);
        }
        callback.failed(why); // which ends the connection, or is answered by the HTTP server
    }

    private static RestFailure defect(Request request, Throwable defect) {
        return UnforeseenFailures.of(
                request.getMethod(),
                List.of(Request.getPathInContext(request).replaceFirst("^/", "").split("/", -1)),
                defect);
    }

    private void answer(Request request, Response response, Callback callback, Answer answer) {
        Optional<Consumer<LineSink>> stream = answer.stream();
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        answer.warnings().forEach(each -> response.getHeaders().add("Warning", warning(each)));
        answer.retryAfter()
                .ifPresent(seconds -> response.getHeaders().put(HttpHeader.RETRY_AFTER, Long.toString(seconds)));
        if (answer.status() == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"mooring\"");
        }
        if (stream.isPresent()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close"); // see Departure
            if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
                // Else the end of the connection would be the end of the answer, whatever it came from.
                response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
            }
            stream(request, response, callback, stream.get());
        } else {
            ByteBuffer body = answer.body();
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
            response.write(true, body, callback);
        }
    }

    /** RFC 7234, section 5.5: 299 is for warnings that nobody foresaw. */
    private static String warning(String text) {
        String plain = text.replaceAll("[^ -~]", "?").replace("\\", "\\\\").replace("\"", "\\\"");
        return "299 - \"" + plain + "\"";
    }

    private void stream(Request request, Response response, Callback callback, Consumer<LineSink> start) {
        AtomicReference<Runnable> abort = new AtomicReference<>(() -> {});
        ResponseLines lines = new ResponseLines(
                response,
                callback,
                backlog,
                TOO_SLOW,
                () -> server.getScheduler().schedule(abort.get(), LAST_WORD_SECONDS, TimeUnit.SECONDS));
        // What is written to a client that takes nothing would wait with the connection: only its end helps.
        abort.set(() -> {
            if (!lines.abort()) {
                return; // it took the last word, and may ask something else by now
            }
            EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
            while (end instanceof EndPoint.Wrapper outer) {
                end = outer.unwrap(); // TLS would say goodbye first, behind what is stuck
            }
            end.close();
        });
        streams.add(lines);
        lines.whenOver(() -> streams.remove(lines));
        // Silence is what a watch is made of.
        request.addIdleTimeoutListener(timeout -> false);
        request.addFailureListener(failure -> lines.end());
        long wanted = seconds(request);
        if (wanted > 0) {
            var end = server.getScheduler().schedule(lines::end, wanted, TimeUnit.SECONDS);
            lines.whenOver(end::cancel);
        }
        lines.open();
        try {
            (wanted > 0 ? start : (Consumer<LineSink>) LineSink::end).accept(lines);
        } catch (Throwable defect) {
            boolean unused =
                    lines.send(EventLines.make("ERROR", defect(request, defect).status()));
            lines.end();
        }
        Departure.notice(request, lines::end);
    }

    /** How long a watch lasts at most. The router has refused what is no number; one below zero ends it at once, as the API server does. */
    private static long seconds(Request request) {
        long wanted = Optional.ofNullable(
                        Request.extractQueryParameters(request).getValue("timeoutSeconds"))
                .map(Long::parseLong)
                .orElse(0L);
        return wanted == 0 ? LONGEST_WATCH_SECONDS : Math.min(wanted, LONGEST_WATCH_SECONDS);
    }

    void endStreams() {
        streams.forEach(ResponseLines::end);
    }

    private Answer answered(Request request, User user, byte @Nullable [] body, @Nullable Throwable failed) {
        Answer answer = outcome(request, user, body, failed);
        String path = Request.getPathInContext(request);
        // OpenAPI and the version are JSON for everybody.
        boolean negotiated = path.matches("/apis?(/.*)?");
        return negotiated && Representation.wantsYaml(Requests.accept(request)) ? answer.inYaml() : answer;
    }

    private Answer outcome(Request request, User user, byte @Nullable [] body, @Nullable Throwable failed) {
        if (failed instanceof RestFailure refused) {
            return failure(refused);
        } else if (failed instanceof IOException) {
            return failure(RestFailure.badRequest("the body cannot be read"));
        } else if (failed != null || body == null) {
            return failure(defect(request, failed == null ? new IllegalStateException() : failed));
        }
        try {
            return router.answer(Requests.read(request, body), user);
        } catch (RestFailure e) {
            return failure(e);
        }
    }

    private static Answer failure(RestFailure e) {
        Answer answer = Answer.json(e.code(), e.status());
        return e.status().at("details", "retryAfterSeconds").orElse(JsonNull.NULL) instanceof Long seconds
                ? answer.withRetryAfter(seconds)
                : answer;
    }
}
