// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which kinds the server serves, asked once per API version. A server that is older than a kind (VolumeAttributesClass v1 is of 1.34)
 * lacks it for good, so that the answer holds until the program starts anew. Thread-safe.
 */
final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

    private final Transport transport;
    private final Map<String, Set<String>> served = new ConcurrentHashMap<>();
    private final Set<Kind<?>> reported = ConcurrentHashMap.newKeySet();

    Discovery(Transport transport) {
        this.transport = transport;
    }

    /** Whether the kind is served; a failure if the server does not say. */
    StoreResult<Boolean> serves(Kind<?> kind) {
        Set<String> known = served.get(Paths.version(kind));
        return known == null ? ask(kind).map(plurals -> isAmong(plurals, kind)) : StoreResult.ok(isAmong(known, kind));
    }

    private boolean isAmong(Set<String> plurals, Kind<?> kind) {
        boolean is = plurals.contains(kind.plural());
        if (!is && reported.add(kind)) {
            LOG.info("the API server has no {} ({}): they are taken to be none", kind.plural(), kind.apiVersion());
        }
        return is;
    }

    private StoreResult<Set<String>> ask(Kind<?> kind) {
        Request request = Request.get(Paths.version(kind));
        StoreResult<Set<String>> answer = transport.send(request, reply -> StoreResult.ok(plurals(reply)));
        StoreResult<Set<String>> found =
                answer.failure().equals(java.util.Optional.of(Failure.NOT_FOUND)) ? StoreResult.ok(Set.of()) : answer;
        found.value().ifPresent(plurals -> served.put(Paths.version(kind), plurals));
        return found;
    }

    private static Set<String> plurals(Reply reply) {
        return Outcomes.read(reply).at("resources").orElse(List.of()) instanceof List<?> resources
                ? resources.stream()
                        .filter(Map.class::isInstance)
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("name")))
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }
}
