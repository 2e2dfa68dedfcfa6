// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * What an answer, or the lack of one, says about the effect of a request. The one rule: a write is called "surely not applied" only where
 * the server itself said so before doing anything, or where no connection stood on which it could have been written.
 */
final class Outcomes {
    private static final KubernetesJson JSON = KubernetesJson.withoutManagedFields();
    private static final int LONGEST_TEXT = 300;
    private static final String TOO_LARGE = "ResourceVersionTooLarge";

    private Outcomes() {}

    /** An answer that is no success. */
    static <T> StoreResult<T> refused(Request request, Reply reply) {
        Optional<Document> status = status(reply);
        String said = status.flatMap(document -> document.text("message"))
                .filter(text -> !text.isEmpty())
                .orElseGet(() -> text(reply));
        String reason = status.flatMap(document -> document.text("reason")).orElse("");
        boolean future =
                !request.isWrite() && status.filter(Outcomes::isOfTheFuture).isPresent();
        Failure failure = future ? Failure.GONE : failure(reply.code(), reason, request.isWrite());
        String message = said.isEmpty() ? request + ": HTTP " + reply.code() : said + " (HTTP " + reply.code() + ")";
        boolean maySayWhen = failure == Failure.THROTTLED || failure == Failure.UNAVAILABLE;
        return new Failed<>(failure, message, maySayWhen ? wait(reply, status) : Optional.empty());
    }

    /**
     * The table.
     *
     * <p>Every 5xx to a write is unknown: the API server answers 500 and 504 also when its own database did not answer in time, and a
     * proxy answers 502 and 503 also when the connection behind it broke after the request had been passed on.
     */
    static Failure failure(int code, String reason, boolean write) {
        return switch (code) {
            case 400, 405, 406, 413, 415, 422 -> Failure.INVALID;
            case 401 -> Failure.UNAVAILABLE; // credentials are renewed, and rules about who may do what are 403
            case 403 -> Failure.FORBIDDEN;
            case 404 -> Failure.NOT_FOUND;
            case 409 -> reason.equals("AlreadyExists") ? Failure.ALREADY_EXISTS : Failure.CONFLICT;
            case 410 -> Failure.GONE;
            case 429 -> Failure.THROTTLED;
            case 408 -> write ? Failure.UNKNOWN : Failure.UNAVAILABLE; // of a proxy, which may have passed it on
            default -> code >= 500 && write ? Failure.UNKNOWN : Failure.UNAVAILABLE;
        };
    }

    /**
     * Whether a {@code Status} says that the revision asked for has not come yet, as a server does whose database was restored from a backup.
     * Servers before 1.19 say it in the message only.
     */
    static boolean isOfTheFuture(Document status) {
        Object causes = status.at("details", "causes").orElse(List.of());
        boolean said = causes instanceof List<?> all
                && all.stream()
                        .anyMatch(each -> each instanceof Map<?, ?> cause
                                && TOO_LARGE.equals(String.valueOf(cause.get("reason"))));
        return said || status.text("message").orElse("").contains("Too large resource version");
    }

    /**
     * No answer.
     *
     * @param server whose answer it would have been
     */
    static <T> StoreResult<T> unanswered(String server, Request request, Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        boolean harmless = !request.isWrite() || wasNeverSent(cause);
        return StoreResult.failed(
                harmless ? Failure.UNAVAILABLE : Failure.UNKNOWN, request.to(server) + ": " + Unreached.why(cause));
    }

    /** A success whose body tells nothing: the write was carried out, but its result is unknown. */
    static <T> StoreResult<T> unreadable(Request request, RuntimeException problem) {
        return StoreResult.failed(
                request.isWrite() ? Failure.UNKNOWN : Failure.UNAVAILABLE,
                request + ": the answer cannot be read: " + problem.getMessage());
    }

    /** Whether there was no connection on which the request could have been written. */
    static boolean wasNeverSent(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof ConnectException
                    || each instanceof HttpConnectTimeoutException
                    || each instanceof UnknownHostException
                    || each instanceof UnresolvedAddressException
                    || each instanceof NoRouteToHostException
                    || each instanceof SSLHandshakeException
                    || each instanceof SSLPeerUnverifiedException) {
                return true;
            }
        }
        return false;
    }

    static Throwable unwrapped(Throwable thrown) {
        Throwable each = thrown;
        while ((each instanceof ExecutionException || each instanceof CompletionException) && each.getCause() != null) {
            each = each.getCause();
        }
        return each;
    }

    private static Optional<Document> status(Reply reply) {
        if (reply.body().length == 0 || reply.body()[0] != '{') {
            return Optional.empty();
        }
        try {
            return Optional.of(read(reply));
        } catch (CodecException e) {
            return Optional.empty(); // a proxy's own page
        }
    }

    /** What is selected of an answer. */
    static Document read(Reply reply, FieldSelection selection) {
        return JSON.read(reply.body(), "the API server", selection);
    }

    static Document read(Reply reply) {
        return JSON.read(reply.body(), "the API server");
    }

    private static Optional<Duration> wait(Reply reply, Optional<Document> status) {
        return reply.retryAfter().or(() -> status.flatMap(RetryAfter::of));
    }

    private static String text(Reply reply) {
        String text = new String(reply.body(), StandardCharsets.UTF_8).strip();
        return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "…" : text;
    }
}
