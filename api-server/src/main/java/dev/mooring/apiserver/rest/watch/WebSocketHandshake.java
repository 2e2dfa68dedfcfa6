// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.rest.exchange.RestFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;

/** The headers of a client that wants a WebSocket, checked as kube-apiserver checks them. */
public final class WebSocketHandshake {
    public static final String VERSION = "13";

    /** A page in a browser cannot set headers: it offers its token as a protocol, beside another protocol. */
    private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";

    private WebSocketHandshake() {}

    /**
     * Refuses a wrong handshake.
     *
     * @throws RestFailure with 400, or with 403 if only its origin is wrong
     */
    public static void require(Request request) {
        HttpFields headers = request.getHeaders();
        if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_1) {
            throw RestFailure.badRequest("a WebSocket needs HTTP/1.1");
        } else if (!VERSION.equals(headers.get(HttpHeader.SEC_WEBSOCKET_VERSION))) {
            throw RestFailure.badRequest("the header Sec-WebSocket-Version has to be " + VERSION);
        } else if (!headers.contains(HttpHeader.SEC_WEBSOCKET_KEY)) {
            throw RestFailure.badRequest("the header Sec-WebSocket-Key is missing");
        } else if (others(headers).size() > 1) {
            throw RestFailure.badRequest("a watch has no protocols to choose from: offer one, or none");
        }
        String origin = headers.get(HttpHeader.ORIGIN);
        if (origin != null && !origin.isEmpty() && authority(origin).isEmpty()) {
            throw RestFailure.of(403, "Forbidden", "the header Origin is no URL");
        }
    }

    /** The accepted protocol: the one that was offered, with any name; empty for none. */
    static Optional<String> protocol(HttpFields headers) {
        return others(headers).stream().findFirst();
    }

    /** The token that is offered as a protocol; empty if there is none, or more than one. */
    public static Optional<String> token(HttpFields headers) {
        List<String> tokens = protocols(headers).stream()
                .filter(each -> each.startsWith(TOKEN))
                .toList();
        if (tokens.size() != 1 || others(headers).isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(tokens.get(0).substring(TOKEN.length()));
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Host and port of a URL; empty if it has none, such as {@code null}. */
    public static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(new URI(origin).getRawAuthority());
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static List<String> others(HttpFields headers) {
        return protocols(headers).stream()
                .filter(each -> !each.startsWith(TOKEN))
                .toList();
    }

    private static List<String> protocols(HttpFields headers) {
        return headers.getCSV(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL, true);
    }
}
