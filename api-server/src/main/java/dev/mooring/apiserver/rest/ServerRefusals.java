// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.rest.watch.RepeatedLines;
import java.time.InstantSource;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what the HTTP server itself refuses, in the form in which clients expect refusals. */
final class ServerRefusals implements Request.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ServerRefusals.class);

    /** What the HTTP server puts in the place of a request line, or of a head, that it could not read at all. */
    private static final Set<String> PLACEHOLDERS = Set.of("/badMessage", "/badRequest");

    private final RepeatedLines lines;

    ServerRefusals(InstantSource clock) {
        this.lines = new RepeatedLines(clock, LOG::warn);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = statusOf(request, response.getStatus());
        response.setStatus(status);
        String reason = status == 400 ? "BadRequest" : status >= 500 ? "InternalError" : "";
        Answer answer = Answer.json(status, Statuses.failure(status, reason, "the request cannot be read"));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.write(true, answer.body(), callback);
        return true;
    }

    private int statusOf(Request request, int status) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        int blamed = statusOf(status, cause, request.getHttpURI());
        if (status >= HttpStatus.INTERNAL_SERVER_ERROR_500 && !(cause instanceof EofException)) {
            // Any client can cause this, as often as it likes.
            lines.add("the HTTP server answers " + status + " by itself, answered as " + blamed + ": " + origin(cause));
        }
        return blamed;
    }

    /**
     * A client that ends in the middle of what it sends, or asks for a malformed path, is no defect of the server. Such a path is never
     * answered otherwise: the HTTP server refuses it before a handler sees it, whatever else fails meanwhile.
     */
    static int statusOf(int status, @Nullable Object cause, HttpURI uri) {
        boolean ofTheClient = cause instanceof EofException
                || uri.hasViolations()
                || PLACEHOLDERS.contains(String.valueOf(uri.getPath()));
        return status >= HttpStatus.INTERNAL_SERVER_ERROR_500 && ofTheClient ? HttpStatus.BAD_REQUEST_400 : status;
    }

    /** What failed and where; not its message, which may repeat what the client sent. */
    private static String origin(@Nullable Object cause) {
        if (!(cause instanceof Throwable failure)) {
            return "no cause";
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return failure.getClass() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
