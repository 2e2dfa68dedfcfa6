// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which kinds the server serves, asked once per API version. A server that is older than a kind (VolumeAttributesClass v1 is of 1.34)
 * lacks it until it is upgraded: a request for a kind that was missing asks the server again, at most once in an interval. What
 * is served stays so until it is not found. Thread-safe.
 */
final class ApiDiscovery {
    /** How old the answer may be that a kind is missing. */
    static final Duration AGAIN = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ApiDiscovery.class);

    private final Transport transport;
    private final TimeSource time;
    private final Duration again;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Set<Kind<?>> missing = ConcurrentHashMap.newKeySet();

    private record Answer(Set<String> plurals, long nanos) {}

    ApiDiscovery(Transport transport, TimeSource time, Duration again) {
        this.transport = transport;
        this.time = time;
        this.again = again;
    }

    /** Whether the kind is served; a failure if the server never said. */
    StoreResult<Boolean> serves(Kind<?> kind) {
        Answer known = answers.get(Paths.version(kind));
        if (known == null) {
            return ask(kind).map(plurals -> isAmong(plurals, kind));
        }
        Set<String> plurals = known.plurals();
        if (!plurals.contains(kind.plural()) && isOldNow(kind, known)) {
            plurals = ask(kind).value().orElse(plurals);
        }
        return StoreResult.ok(isAmong(plurals, kind));
    }

    /**
     * Asks again about a kind that was served and now is not found, as when its definition was deleted.
     *
     * @return whether it is served; a failure if the server does not say
     */
    StoreResult<Boolean> servesStill(Kind<?> kind) {
        return ask(kind).map(plurals -> isAmong(plurals, kind));
    }

    /** True for one caller in an interval: the others go on with what is known, as that one does if the server does not say. */
    private boolean isOldNow(Kind<?> kind, Answer known) {
        long now = now();
        return now - known.nanos() >= again.toNanos()
                && answers.replace(Paths.version(kind), known, new Answer(known.plurals(), now));
    }

    private long now() {
        return time.now().monotonicNanos();
    }

    private boolean isAmong(Set<String> plurals, Kind<?> kind) {
        boolean is = plurals.contains(kind.plural());
        if (is && missing.remove(kind)) {
            LOG.info("the API server has {} ({}) now", kind.plural(), kind.apiVersion());
        } else if (!is && missing.add(kind)) {
            LOG.info(
                    "the API server has no {} ({}): treated as if no such object existed",
                    kind.plural(),
                    kind.apiVersion());
        }
        return is;
    }

    private StoreResult<Set<String>> ask(Kind<?> kind) {
        Request request = Request.get(Paths.version(kind));
        StoreResult<Set<String>> found = transport
                .send(request, reply -> StoreResult.ok(plurals(reply)))
                .recover(failed -> failed.reason() == Failure.NOT_FOUND ? unknown(kind) : failed);
        found.value().ifPresent(plurals -> answers.put(Paths.version(kind), new Answer(plurals, now())));
        return found;
    }

    /** The core API is everywhere: where it is not found, something else answers in the place of the API server. */
    private static StoreResult<Set<String>> unknown(Kind<?> kind) {
        return kind.group().isEmpty()
                ? StoreResult.failed(
                        Failure.UNAVAILABLE,
                        Paths.version(kind) + " is not found: the server that answers is not an API server")
                : StoreResult.ok(Set.of());
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
