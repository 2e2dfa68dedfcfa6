// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.Commit;
import dev.mooring.clusterstore.StoredDocument;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The objects and the recent steps as reads want them. Steps are first staged: they show in the objects and the revision, not in the
 * history, and are taken back all together or kept. Not thread-safe.
 */
final class Versions {
    private final Map<Kind<?>, NavigableMap<ObjectKey, StoredDocument>> objects = new HashMap<>();
    private final Map<Kind<?>, NavigableMap<Revision, Commit>> history = new HashMap<>();
    private final Deque<Sized> order = new ArrayDeque<>();
    private final List<Commit> staged = new ArrayList<>();
    private long historyBytes;
    private Revision revision = Revision.ZERO;
    private Revision settled = Revision.ZERO;
    private Revision horizon = Revision.ZERO;

    /** A step of the history and how long its document is. */
    record Sized(Commit step, int bytes) {}

    Revision revision() {
        return revision;
    }

    Revision horizon() {
        return horizon;
    }

    Optional<StoredDocument> get(Kind<?> kind, ObjectKey key) {
        NavigableMap<ObjectKey, StoredDocument> known = objects.get(kind);
        return known == null ? Optional.empty() : Optional.ofNullable(known.get(key));
    }

    Iterable<StoredDocument> scan(Kind<?> kind, Optional<ObjectKey> after) {
        NavigableMap<ObjectKey, StoredDocument> known = objects.get(kind);
        if (known == null) {
            return List.of();
        }
        return Collections.unmodifiableCollection(
                after.map(key -> known.tailMap(key, false)).orElse(known).values());
    }

    Optional<List<Commit>> historyAfter(Kind<?> kind, Revision after) {
        if (horizon.isAfter(after) || after.isAfter(revision)) {
            return Optional.empty();
        }
        NavigableMap<Revision, Commit> known = history.get(kind);
        return Optional.of(
                known == null
                        ? List.of()
                        : List.copyOf(known.tailMap(after, false).values()));
    }

    void stage(Commit step) {
        if (!step.revision().isAfter(revision)) {
            throw new IllegalArgumentException("revision " + step.revision() + " does not follow " + revision);
        }
        show(step);
        staged.add(step);
        revision = step.revision();
    }

    List<Commit> staged() {
        return Collections.unmodifiableList(staged);
    }

    /** Takes back what was staged. */
    void takeBack() {
        for (int i = staged.size() - 1; i >= 0; i--) {
            Commit step = staged.get(i);
            step.before().ifPresentOrElse(this::put, () -> remove(step.after()));
        }
        staged.clear();
        revision = settled;
    }

    /** Makes history of what was staged. */
    void settle(List<Sized> steps) {
        steps.forEach(this::remember);
        staged.clear();
        settled = revision;
    }

    /** The oldest steps that have to go so that a history with further ones is within limits. */
    List<Commit> surplus(List<Sized> further, int mostSteps, long mostBytes) {
        int count = order.size() + further.size();
        long bytes = historyBytes + further.stream().mapToLong(Sized::bytes).sum();
        List<Commit> surplus = new ArrayList<>();
        if (count <= mostSteps && bytes <= mostBytes) {
            return surplus;
        }
        // More than must be, so that this is seldom done.
        int steps = mostSteps - mostSteps / 10;
        long size = mostBytes - mostBytes / 10;
        for (Sized oldest : order) {
            if (count <= steps && bytes <= size) {
                break;
            }
            surplus.add(oldest.step());
            count--;
            bytes -= oldest.bytes();
        }
        return surplus;
    }

    /** Forgets the oldest steps. */
    void forget(List<Commit> oldest) {
        for (Commit step : oldest) {
            Sized first = order.removeFirst();
            historyBytes -= first.bytes();
            horizon = step.revision();
            Objects.requireNonNull(history.get(step.kind())).remove(step.revision());
        }
    }

    /** A version that was made before history begins. */
    void restoreObject(StoredDocument object) {
        put(object);
    }

    /** A step of the history, in their order. */
    void restoreStep(Sized sized) {
        show(sized.step());
        remember(sized);
    }

    void restoreBounds(Revision newHorizon, Revision newRevision) {
        horizon = newHorizon;
        revision = newRevision;
        settled = newRevision;
    }

    void clear() {
        objects.clear();
        history.clear();
        order.clear();
        staged.clear();
        historyBytes = 0;
        horizon = revision;
    }

    private void show(Commit step) {
        if (step.removed()) {
            remove(step.after());
        } else {
            put(step.after());
        }
    }

    private void put(StoredDocument object) {
        objects.computeIfAbsent(object.kind(), kind -> new TreeMap<>()).put(object.key(), object);
    }

    private void remove(StoredDocument object) {
        NavigableMap<ObjectKey, StoredDocument> known = objects.get(object.kind());
        if (known != null) {
            known.remove(object.key());
        }
    }

    private void remember(Sized sized) {
        Commit step = sized.step();
        history.computeIfAbsent(step.kind(), kind -> new TreeMap<>()).put(step.revision(), step);
        order.addLast(sized);
        historyBytes += sized.bytes();
    }
}
