// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.watch.WatchPaths;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** What a request wants its connection to become: the headers {@code Connection} and {@code Upgrade}. */
enum Upgrade {
    /** It stays what it is. */
    NONE,
    /** A WebSocket. */
    WEB_SOCKET,
    /** Something that this server does not speak, such as SPDY. */
    OTHER;

    /** A client that offers these continues without them: RFC 7540, section 3.2. */
    private static final Set<String> OFFERS = Set.of("h2c");

    static Upgrade of(HttpFields headers) {
        // An upgrade is asked for by both headers: RFC 9110, section 7.8.
        if (!headers.contains(HttpHeader.CONNECTION, "upgrade")) {
            return NONE;
        }
        List<String> wanted = headers.getCSV(HttpHeader.UPGRADE, false);
        if (wanted.stream().anyMatch("websocket"::equalsIgnoreCase)) {
            return WEB_SOCKET;
        }
        return wanted.stream().allMatch(OFFERS::contains) ? NONE : OTHER;
    }

    /**
     * Refuses a request whose upgrade is not served. Its client would wait for an answer in another protocol.
     *
     * @throws RestFailure if only a watch could be answered so, and this is not a watch
     */
    void requireServed(ApiRequest request) {
        boolean served = switch (this) {
            case NONE -> true;
            case WEB_SOCKET -> request.method().equals("GET") && WatchPaths.isWatch(request);
            case OTHER -> false;
        };
        // The router answers these with a better message.
        if (!served && !Router.isOfContainer(request.path())) {
            throw RestFailure.badRequest("only a watch can be upgraded, and only to a WebSocket: leave out the header"
                    + " Upgrade, or add watch=true to a list");
        }
    }
}
