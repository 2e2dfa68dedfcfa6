// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.LineSink;
import dev.mooring.apiserver.rest.exchange.RequestBody;
import dev.mooring.apiserver.rest.exchange.Requests;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.UnforeseenFailures;
import dev.mooring.apiserver.rest.watch.EventLines;
import dev.mooring.apiserver.rest.watch.OpenStreams;
import dev.mooring.apiserver.rest.watch.WebSocketHandshake;
import dev.mooring.apiserver.token.User;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Between the HTTP server and the router: authenticates, reads the request, writes the answer. */
final class ApiHandler extends Handler.Abstract {
    private final Router router;
    private final Authentication authentication;
    private final Server server;
    private final Supplier<Optional<String>> sickness;
    private final OpenStreams streams;

    ApiHandler(
            Router router,
            Authentication authentication,
            Server server,
            OpenStreams streams,
            Supplier<Optional<String>> sickness) {
        this.router = router;
        this.authentication = authentication;
        this.server = server;
        this.streams = streams;
        this.sickness = sickness;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            Optional<Answer> health = HealthChecks.answer(
                    request.getMethod(),
                    Request.getPathInContext(request),
                    request.getHttpURI().getQuery(),
                    sickness);
            if (health.isPresent()) {
                // Every client may ask, so the body is not even read.
                answer(request, response, callback, health.get());
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

    /** Never throws: no caller would notice, and the client would wait for ever. */
    private void respond(
            Request request,
            Response response,
            Callback callback,
            User user,
            byte @Nullable [] body,
            @Nullable Throwable failed) {
        try {
            answer(request, response, callback, answered(request, user, body, failed));
        } catch (RestFailure refused) {
            refuse(request, response, callback, refused);
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
        return UnforeseenFailures.of(request.getMethod(), OpenStreams.pathOf(request), defect);
    }

    private void answer(Request request, Response response, Callback callback, Answer answer) {
        Optional<Consumer<LineSink>> stream = answer.stream();
        boolean isProtobuf = answer.contentType().equals(EventLines.PROTOBUF_TYPE);
        if (stream.isPresent() && Upgrade.of(request.getHeaders()) == Upgrade.WEB_SOCKET) {
            streams.upgrade(request, response, callback, isProtobuf, stream.get());
            return;
        }
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        answer.warnings().stream()
                .filter(each -> isNews(request, each))
                .forEach(each -> response.getHeaders().add("Warning", warning(each)));
        answer.retryAfter()
                .ifPresent(seconds -> response.getHeaders().put(HttpHeader.RETRY_AFTER, Long.toString(seconds)));
        if (answer.status() == 400 && Upgrade.of(request.getHeaders()) == Upgrade.WEB_SOCKET) {
            response.getHeaders().put(HttpHeader.SEC_WEBSOCKET_VERSION, WebSocketHandshake.VERSION);
        }
        if (answer.status() == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"mooring\"");
        }
        if (stream.isPresent()) {
            streams.respond(request, response, callback, isProtobuf, stream.get());
        } else {
            ByteBuffer body = answer.body();
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
            response.write(true, body, callback);
        }
    }

    /** A warning about a kind is sent once over each connection: operators write the same kinds again and again. */
    private static boolean isNews(Request request, String text) {
        return !text.endsWith(Verbs.ONLY_STORED)
                || request.getConnectionMetaData().setAttribute(text, true) == null;
    }

    /** RFC 7234, section 5.5: 299 is for warnings without a code of their own. */
    private static String warning(String text) {
        String plain = text.replaceAll("[^ -~]", "?").replace("\\", "\\\\").replace("\"", "\\\"");
        return "299 - \"" + plain + "\"";
    }

    private Answer answered(Request request, User user, byte @Nullable [] body, @Nullable Throwable failed) {
        Answer answer = outcome(request, user, body, failed);
        String path = Request.getPathInContext(request);
        // OpenAPI and the version are JSON for every client.
        boolean negotiated = path.matches("/apis?(/.*)?");
        return negotiated ? answer.asWanted(Requests.accept(request)) : answer;
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
            ApiRequest asked = Requests.read(request, body);
            Upgrade upgrade = Upgrade.of(request.getHeaders());
            upgrade.requireServed(asked);
            Answer answer = router.answer(asked, user);
            if (upgrade == Upgrade.WEB_SOCKET && answer.stream().isPresent()) {
                WebSocketHandshake.require(request);
            }
            return answer;
        } catch (RestFailure e) {
            return failure(e);
        }
    }

    static Answer failure(RestFailure e) {
        Answer answer = Answer.json(e.code(), e.status());
        return e.status().at("details", "retryAfterSeconds").orElse(JsonNull.NULL) instanceof Long seconds
                ? answer.withRetryAfter(seconds)
                : answer;
    }
}
