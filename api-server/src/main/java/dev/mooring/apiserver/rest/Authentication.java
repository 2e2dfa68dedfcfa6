// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.rest.watch.WebSocketHandshake;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.apiserver.token.User;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Says who asks, by the token that a request brings.
 *
 * @param credentials the server's own token
 * @param tokens tokens of service accounts
 * @param open whether a request without a token is the administrator's
 */
record Authentication(Credentials credentials, ServiceAccountTokens tokens, boolean open) {
    private static final String SCHEME = "Bearer ";

    /** Empty if no known user made the request. */
    Optional<User> userOf(Request request) {
        List<String> all = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        if (all.isEmpty() && Upgrade.of(request.getHeaders()) == Upgrade.WEB_SOCKET) {
            Optional<User> offered =
                    WebSocketHandshake.token(request.getHeaders()).flatMap(this::userOf);
            if (offered.isPresent()) {
                return offered;
            }
        }
        if (open && all.isEmpty()) {
            return isOfAnotherPage(request) ? Optional.empty() : Optional.of(User.ADMINISTRATOR);
        }
        String given = all.size() == 1 ? all.get(0) : ""; // of two, the server and a proxy may mean different ones
        if (!given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        return userOf(given.substring(SCHEME.length()).strip());
    }

    private Optional<User> userOf(String token) {
        return credentials.isToken(token) ? Optional.of(User.ADMINISTRATOR) : tokens.user(token);
    }

    /** Whether a page of another server sends the request: a browser opens a WebSocket for every page, and reads what has its own name. */
    private static boolean isOfAnotherPage(Request request) {
        String host =
                Optional.ofNullable(request.getHeaders().get(HttpHeader.HOST)).orElse("");
        if (!host.isEmpty() && !isOfThisMachine(host)) {
            return true;
        }
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        return origin != null
                && !origin.isEmpty()
                && !WebSocketHandshake.authority(origin).equals(Optional.of(host));
    }

    /** A foreign page can have a name that resolves to this machine. */
    private static boolean isOfThisMachine(String host) {
        String name = host.replaceFirst(":[0-9]+$", "");
        return name.equalsIgnoreCase("localhost") || name.equals("[::1]") || name.matches("127(\\.[0-9]{1,3}){3}");
    }
}
