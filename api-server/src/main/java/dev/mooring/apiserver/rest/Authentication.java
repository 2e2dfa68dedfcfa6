// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.access.Credentials;
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

    /** Empty if the request is not known to be anybody's. */
    Optional<User> userOf(Request request) {
        List<String> all = request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION);
        if (open && all.isEmpty()) {
            return Optional.of(User.ADMINISTRATOR);
        }
        String given = all.size() == 1 ? all.get(0) : ""; // of two, the server and a proxy may mean different ones
        if (!given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String token = given.substring(SCHEME.length()).strip();
        return credentials.isToken(token) ? Optional.of(User.ADMINISTRATOR) : tokens.user(token);
    }
}
