// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.distribution.standalone.access.Credentials;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/** Between the HTTP server and the router: who asks, what is asked, how it is answered. */
final class ApiHandler extends Handler.Abstract {
    /** What the API server takes, too. */
    private static final int MOST_BYTES = 3 << 20;

    private static final long LONGEST_WATCH_SECONDS = 3_600;
    private static final Set<String> OPEN = Set.of("/healthz", "/livez", "/readyz");

    private final Router router;
    private final Credentials credentials;
    private final Server server;
    private final Set<ResponseLines> streams = ConcurrentHashMap.newKeySet();

    ApiHandler(Router router, Credentials credentials, Server server) {
        this.router = router;
        this.credentials = credentials;
        this.server = server;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Answer answer = answered(request);
        Optional<Consumer<LineSink>> stream = answer.stream();
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        if (answer.status() == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"mooring\"");
        }
        if (stream.isPresent()) {
            stream(request, response, callback, stream.get());
        } else {
            ByteBuffer body = answer.body();
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
            response.write(true, body, callback);
        }
        return true;
    }

    private void stream(Request request, Response response, Callback callback, Consumer<LineSink> start) {
        ResponseLines lines = new ResponseLines(response, callback);
        streams.add(lines);
        lines.whenOver(() -> streams.remove(lines));
        // Silence is what a watch is made of.
        request.addIdleTimeoutListener(timeout -> false);
        request.addFailureListener(failure -> lines.end());
        long wanted = seconds(request);
        var end = server.getScheduler().schedule(lines::end, wanted, TimeUnit.SECONDS);
        lines.whenOver(end::cancel);
        lines.open();
        start.accept(lines);
    }

    private static long seconds(Request request) {
        String text = Optional.ofNullable(
                        Request.extractQueryParameters(request).getValue("timeoutSeconds"))
                .orElse("");
        long wanted = text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
        return wanted == 0 ? LONGEST_WATCH_SECONDS : Math.min(wanted, LONGEST_WATCH_SECONDS);
    }

    void endStreams() {
        streams.forEach(ResponseLines::end);
    }

    private Answer answered(Request request) {
        try {
            if (!OPEN.contains(Request.getPathInContext(request)) && !isAllowed(request)) {
                throw RestFailure.of(401, "Unauthorized", "Unauthorized");
            }
            return router.answer(read(request));
        } catch (RestFailure e) {
            return Answer.json(e.code(), e.status());
        } catch (IOException e) {
            return Answer.json(400, Statuses.failure(400, "BadRequest", "the body cannot be read"));
        }
    }

    private boolean isAllowed(Request request) {
        String given = Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
                .orElse("");
        return given.regionMatches(true, 0, "Bearer ", 0, 7)
                && credentials.isToken(given.substring(7).strip());
    }

    private static ApiRequest read(Request request) throws IOException {
        List<String> path = new ArrayList<>();
        for (String part : Request.getPathInContext(request).split("/", -1)) {
            if (!part.isEmpty()) {
                path.add(part);
            }
        }
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (Fields.Field field : queryOf(request)) {
            query.put(field.getName(), field.getValues());
        }
        String accept = String.join(",", request.getHeaders().getValuesList(HttpHeader.ACCEPT));
        String type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                .orElse("");
        int semicolon = type.indexOf(';');
        String plain =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        return new ApiRequest(request.getMethod(), path, query, accept, plain, body(request));
    }

    private static Fields queryOf(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            throw RestFailure.badRequest("the query cannot be read");
        }
    }

    private static String body(Request request) throws IOException {
        byte[] bytes;
        try (InputStream in = Content.Source.asInputStream(request)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw RestFailure.of(413, "RequestEntityTooLarge", "Request entity too large: limit is " + MOST_BYTES);
        }
        HttpField encoding = request.getHeaders().getField(HttpHeader.CONTENT_ENCODING);
        if (encoding != null) {
            throw RestFailure.of(415, "UnsupportedMediaType", "the body may not be encoded: " + encoding.getValue());
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            if (Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                    .orElse("")
                    .contains("protobuf")) {
                throw Bodies.unsupported(
                        "application/vnd.kubernetes.protobuf", Answer.JSON_TYPE + ", application/yaml");
            }
            throw RestFailure.badRequest("the body is not UTF-8");
        }
    }
}
