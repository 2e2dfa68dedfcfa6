// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import dev.mooring.storage.codec.KubernetesJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** Makes requests of what the HTTP server read. */
public final class Requests {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private Requests() {}

    /** A request with its body. */
    public static ApiRequest read(Request request, byte[] body) {
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
        String accept = accept(request);
        String agent = Optional.ofNullable(request.getHeaders().get(HttpHeader.USER_AGENT))
                .orElse("");
        String type = contentType(request);
        int semicolon = type.indexOf(';');
        String plain =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        if (plain.equals(ProtobufObjects.TYPE)) {
            // From here on there is one form of objects. What is not read in this form is refused where it is used.
            Optional<String> object = fromProtobuf(body);
            if (object.isEmpty() && body.length > 0 && request.getMethod().equals("DELETE")) {
                throw Bodies.unsupported(plain, Answer.JSON_TYPE); // no reader there would ask for the form
            }
            String as = object.isPresent() ? Answer.JSON_TYPE : plain;
            return new ApiRequest(request.getMethod(), path, query, accept, as, agent, object.orElse(""));
        }
        return new ApiRequest(request.getMethod(), path, query, accept, plain, agent, text(request, body));
    }

    /** What the client wants, of all its headers; empty for anything. */
    public static String accept(Request request) {
        return String.join(",", request.getHeaders().getValuesList(HttpHeader.ACCEPT));
    }

    private static Optional<String> fromProtobuf(byte[] body) {
        try {
            return body.length == 0
                    ? Optional.empty()
                    : ProtobufObjects.read(body).map(JSON::write);
        } catch (IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static String contentType(Request request) {
        return Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE))
                .orElse("");
    }

    private static Fields queryOf(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            throw RestFailure.badRequest("the query cannot be read");
        }
    }

    private static String text(Request request, byte[] bytes) {
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
            throw RestFailure.badRequest("the body is not UTF-8");
        }
    }
}
