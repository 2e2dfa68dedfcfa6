// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists by watches that begin with what there is, as Kubernetes' reflectors make them (KEP-3157): as new as a list from the database, but from
 * the server's memory, and no answer grows with what there is. Servers have it since 1.32, but for 1.33. Most others refuse it (422:
 * {@code sendInitialEvents}, or before 1.27 {@code resourceVersionMatch}, is forbidden). Those before 1.19 pass it over. The kind is then asked
 * for in pages for a while. Thread-safe.
 */
final class StreamedLists {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedLists.class);

    private final Transport transport;
    private final TimeSource time;
    private final Duration longest;
    /** Until when each kind is asked for in pages. */
    private final Map<Kind<?>, Long> otherwise = new ConcurrentHashMap<>();

    /**
     * Makes no request.
     *
     * @param longest how long the server shall keep a watch open
     */
    StreamedLists(Transport transport, TimeSource time, Duration longest) {
        this.transport = transport;
        this.time = time;
        this.longest = longest;
    }

    /**
     * All that is selected, as new as the request.
     *
     * @return the list, or the failure that any list would have now; empty if the caller has to list in another way
     */
    <T extends KubernetesObject> Optional<StoreResult<ObjectList<T>>> list(Kind<T> kind, ListOptions options) {
        Long until = otherwise.get(kind);
        boolean known = until != null && now() - until < 0;
        if (known || transport.isClosed()) {
            return Optional.empty();
        }
        List<String> query = Paths.watch(options, longest);
        query.add("sendInitialEvents=true");
        query.add("resourceVersionMatch=NotOlderThan");
        return new InitialEvents<>(kind, transport, options.kept(), (why, howLong) -> remember(kind, why, howLong))
                .read(Paths.collection(kind, options.namespace()) + "?" + String.join("&", query));
    }

    private void remember(Kind<?> kind, String why, Duration howLong) {
        otherwise.put(kind, now() + howLong.toNanos());
        LOG.debug("{} are listed in pages, as the API server does not show them by a watch: {}", kind.plural(), why);
    }

    private long now() {
        return time.now().monotonicNanos();
    }
}
