// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The paths {@code /api/v1/watch/…}, which are deprecated and still served: they mean the same path without it, watched. */
public final class WatchPaths {
    private static final String WATCH = "watch";
    private static final int CORE = 2;
    private static final int GROUP = 3;

    private WatchPaths() {}

    /** Whether a request asks for a watch, by its path or by its parameter. */
    public static boolean isWatch(ApiRequest request) {
        return !request.path().isEmpty() && meant(request).flag(WATCH);
    }

    /** The request that is meant: the same one, unless its path is of this kind. */
    public static ApiRequest meant(ApiRequest request) {
        List<String> path = request.path();
        int at = path.get(0).equals("api") ? CORE : GROUP;
        if (path.size() <= at + 1 || !path.get(at).equals(WATCH)) {
            return request;
        } else if (!request.method().equals("GET")) {
            throw RestFailure.methodNotAllowed();
        }
        List<String> without = new ArrayList<>(path);
        without.remove(at);
        Map<String, List<String>> query = new HashMap<>(request.query());
        query.put(WATCH, List.of("true"));
        return request.of(without, query);
    }
}
