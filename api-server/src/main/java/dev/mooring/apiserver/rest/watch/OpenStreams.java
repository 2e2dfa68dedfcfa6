// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.http.WholeChunks;
import dev.mooring.apiserver.rest.exchange.LineSink;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.apiserver.rest.exchange.UnforeseenFailures;
import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.exception.WebSocketException;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;

/** The streams of lines that are sent at present, each as a response or over a WebSocket. Thread-safe. */
public final class OpenStreams {
    private static final long LONGEST_WATCH_SECONDS = 3_600;

    /** So long a client may take for what is left to it when its watch has ended. */
    private static final long LAST_WORD_SECONDS = 30;

    private static final Document TOO_SLOW = Statuses.failure(
            410, "Expired", "the watch was cut off: the client reads too slowly, and too much waits for it");

    private final Server server;
    private final WebSocketMappings webSockets;
    private final Backlog backlog = Backlog.ofThisProcess();
    private final Set<ResponseLines> open = ConcurrentHashMap.newKeySet();

    public OpenStreams(Server server, WebSocketMappings webSockets) {
        this.server = server;
        this.webSockets = webSockets;
    }

    /**
     * Sends a stream as the body of a response.
     *
     * @param isProtobuf whether its lines are protocol buffers
     */
    public void respond(
            Request request, Response response, Callback callback, boolean isProtobuf, Consumer<LineSink> start) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close"); // see Departure
        if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
            // Else the end of the connection would be the end of the answer, whatever it came from.
            response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
            WholeChunks.begin(request.getConnectionMetaData().getConnection().getEndPoint());
        }
        // Silence is what a watch is made of.
        request.addIdleTimeoutListener(timeout -> false);
        Stream stream = new Stream(request, isProtobuf);
        ResponseLines lines = stream.begin(response, callback, start);
        request.addFailureListener(failure -> lines.end());
        lines.open();
        Departure.notice(request, lines::end);
    }

    /**
     * Makes a WebSocket of the connection and sends a stream over it.
     *
     * @throws RestFailure if the client's handshake is wrong
     */
    public void upgrade(
            Request request, Response response, Callback callback, boolean isProtobuf, Consumer<LineSink> start) {
        Stream stream = new Stream(request, isProtobuf);
        WatchSocket socket = new WatchSocket(
                isProtobuf,
                sink -> stream.begin(sink, Callback.NOOP, start),
                () -> server.getScheduler().schedule(stream::cut, LAST_WORD_SECONDS, TimeUnit.SECONDS));
        boolean upgraded = false;
        try {
            upgraded = webSockets.upgrade(
                    (asked, answer, unused) -> {
                        answer.setExtensions(List.of()); // kube-apiserver has none either
                        WebSocketHandshake.protocol(asked.getHeaders()).ifPresent(answer::setAcceptedSubProtocol);
                        return socket;
                    },
                    request,
                    response,
                    Callback.from(callback::succeeded, failure -> {
                        socket.leave();
                        callback.failed(failure);
                    }),
                    WatchSocket::configure);
        } catch (HttpException.RuntimeException | WebSocketException wrong) {
            upgraded = false;
        } finally {
            if (!upgraded) {
                socket.refuse();
            }
        }
        if (!upgraded) {
            throw RestFailure.badRequest("the handshake of the WebSocket cannot be read");
        }
    }

    /** One stream, over the connection of a request. */
    private final class Stream {
        private final Request request;
        private final boolean isProtobuf;
        private final EndPoint end;

        Stream(Request request, boolean isProtobuf) {
            this.request = request;
            this.isProtobuf = isProtobuf;
            this.end = request.getConnectionMetaData().getConnection().getEndPoint();
        }

        /** Begins a stream that is not open yet: a client that has the head of its answer misses no later event. */
        ResponseLines begin(Content.Sink sink, Callback whole, Consumer<LineSink> start) {
            AtomicReference<Runnable> abort = new AtomicReference<>(() -> {});
            ResponseLines lines = new ResponseLines(
                    sink,
                    whole,
                    backlog,
                    EventLines.make(isProtobuf, "ERROR", TOO_SLOW),
                    () -> server.getScheduler().schedule(abort.get(), LAST_WORD_SECONDS, TimeUnit.SECONDS));
            abort.set(() -> {
                if (lines.abort()) { // else it took the last word, and may ask something else by now
                    cut();
                }
            });
            open.add(lines);
            lines.whenOver(() -> open.remove(lines));
            long wanted = seconds(request);
            if (wanted > 0) {
                var timer = server.getScheduler().schedule(lines::end, wanted, TimeUnit.SECONDS);
                lines.whenOver(timer::cancel);
            }
            try {
                (wanted > 0 ? start : (Consumer<LineSink>) LineSink::end).accept(lines);
            } catch (Throwable defect) {
                boolean unused = lines.send(EventLines.make(
                        isProtobuf,
                        "ERROR",
                        UnforeseenFailures.of(request.getMethod(), pathOf(request), defect)
                                .status()));
                lines.end();
            }
            return lines;
        }

        /** What is written to a client that takes nothing would wait with the connection: only its end helps. */
        void cut() {
            EndPoint inner = end;
            while (inner instanceof EndPoint.Wrapper outer) {
                inner = outer.unwrap(); // TLS would say goodbye first, behind what is stuck
            }
            inner.close();
        }
    }

    public static List<String> pathOf(Request request) {
        return List.of(Request.getPathInContext(request).replaceFirst("^/", "").split("/", -1));
    }

    /** How long a watch lasts at most. The router has refused what is no number; one below zero ends it at once, as the API server does. */
    private static long seconds(Request request) {
        long wanted = Optional.ofNullable(
                        Request.extractQueryParameters(request).getValue("timeoutSeconds"))
                .map(Long::parseLong)
                .orElse(0L);
        return wanted == 0 ? LONGEST_WATCH_SECONDS : Math.min(wanted, LONGEST_WATCH_SECONDS);
    }

    /** Ends all of them. */
    public void end() {
        open.forEach(ResponseLines::end);
    }
}
