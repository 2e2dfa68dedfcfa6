// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * An engine in memory: everything is gone when it is closed. Every single access takes time logarithmic in the number of objects.
 * Thread-safety is the caller's, as for every {@link DocumentEngine}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MemoryDocumentEngine implements DocumentEngine {
    private final int historyLimit;
    private final Map<Kind<?>, NavigableMap<ObjectKey, StoredDocument>> objects = new HashMap<>();
    private final Map<Kind<?>, NavigableMap<Revision, Commit>> steps = new HashMap<>();
    private final Deque<Commit> order = new ArrayDeque<>();
    private Revision revision = Revision.ZERO;
    private Revision horizon = Revision.ZERO;

    /**
     * Makes an empty engine.
     *
     * @param historyLimit how many steps, of all kinds together, are remembered; at least 1
     * @throws IllegalArgumentException if it is less
     */
    public MemoryDocumentEngine(int historyLimit) {
        if (historyLimit < 1) {
            throw new IllegalArgumentException("at least one step is remembered, not " + historyLimit);
        }
        this.historyLimit = historyLimit;
    }

    @Override
    public Revision revision() {
        return revision;
    }

    @Override
    public Revision horizon() {
        return horizon;
    }

    @Override
    public Optional<StoredDocument> get(Kind<?> kind, ObjectKey key) {
        return Optional.ofNullable(of(kind).get(key));
    }

    @Override
    public Iterable<StoredDocument> scan(Kind<?> kind, Optional<ObjectKey> after) {
        NavigableMap<ObjectKey, StoredDocument> all = of(kind);
        return Collections.unmodifiableCollection(
                after.map(key -> all.tailMap(key, false)).orElse(all).values());
    }

    @Override
    public void commit(Commit step) {
        if (!step.revision().isAfter(revision)) {
            throw new IllegalArgumentException("revision " + step.revision() + " does not follow " + revision);
        }
        NavigableMap<ObjectKey, StoredDocument> all = objects.computeIfAbsent(step.kind(), kind -> new TreeMap<>());
        if (step.removed()) {
            all.remove(step.key());
        } else {
            all.put(step.key(), step.after());
        }
        revision = step.revision();
        steps.computeIfAbsent(step.kind(), kind -> new TreeMap<>()).put(step.revision(), step);
        order.addLast(step);
        if (order.size() > historyLimit) {
            Commit forgotten = order.removeFirst();
            horizon = forgotten.revision();
            Objects.requireNonNull(steps.get(forgotten.kind())).remove(forgotten.revision());
        }
    }

    @Override
    public Optional<List<Commit>> history(Kind<?> kind, Revision after) {
        if (horizon.isAfter(after) || after.isAfter(revision)) {
            return Optional.empty();
        }
        NavigableMap<Revision, Commit> known = steps.get(kind);
        return Optional.of(
                known == null
                        ? List.of()
                        : List.copyOf(known.tailMap(after, false).values()));
    }

    @Override
    public void close() {
        objects.clear();
        steps.clear();
        order.clear();
        horizon = revision;
    }

    private NavigableMap<ObjectKey, StoredDocument> of(Kind<?> kind) {
        NavigableMap<ObjectKey, StoredDocument> known = objects.get(kind);
        return known == null ? Collections.emptyNavigableMap() : known;
    }
}
