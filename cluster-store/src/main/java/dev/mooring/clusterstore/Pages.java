// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Lists in pages. All pages of a list show one revision: a later page is read from the current state with the steps after that revision
 * undone, so that nothing is kept between pages.
 */
final class Pages {
    private Pages() {}

    static ObjectList<StoredDocument> read(
            DocumentEngine engine, Kind<?> kind, Selection selection, ListOptions options) {
        Optional<PageToken> token = options.continueToken().isEmpty()
                ? Optional.empty()
                : Optional.of(PageToken.parse(options.continueToken()));
        Revision revision = token.map(PageToken::revision).orElseGet(engine::revision);
        Optional<ObjectKey> after = token.map(PageToken::last);
        Iterator<StoredDocument> all = at(engine, kind, revision, start(selection, after));
        List<StoredDocument> page = new ArrayList<>();
        while (all.hasNext()) {
            StoredDocument object = all.next();
            if (isPast(selection, object.key())) {
                break;
            }
            if (selection.matches(object)) {
                if (options.limit() > 0 && page.size() == options.limit()) {
                    ObjectKey last = page.get(page.size() - 1).key();
                    return new ObjectList<>(page, revision, new PageToken(revision, last).text());
                }
                page.add(object);
            }
        }
        return new ObjectList<>(page, revision, "");
    }

    private static Optional<ObjectKey> start(Selection selection, Optional<ObjectKey> after) {
        Optional<ObjectKey> namespace = selection.namespace().isEmpty()
                ? Optional.empty()
                : Optional.of(ObjectKey.of(selection.namespace(), ""));
        return after.filter(key -> namespace.isEmpty() || key.compareTo(namespace.get()) > 0)
                .or(() -> namespace);
    }

    private static boolean isPast(Selection selection, ObjectKey key) {
        return !selection.namespace().isEmpty() && key.namespace().compareTo(selection.namespace()) > 0;
    }

    private static Iterator<StoredDocument> at(
            DocumentEngine engine, Kind<?> kind, Revision revision, Optional<ObjectKey> after) {
        Iterator<StoredDocument> current = engine.scan(kind, after).iterator();
        if (revision.equals(engine.revision())) {
            return current;
        }
        List<Commit> steps = engine.history(kind, revision)
                .orElseThrow(() -> new Refused(
                        Failure.GONE,
                        "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                                + " without the continue parameter."));
        Map<ObjectKey, Optional<StoredDocument>> undone = new TreeMap<>();
        for (Commit step : steps) {
            if (after.isEmpty() || step.key().compareTo(after.get()) > 0) {
                undone.putIfAbsent(step.key(), step.before());
            }
        }
        return undone.isEmpty() ? current : merged(current, undone);
    }

    private static Iterator<StoredDocument> merged(
            Iterator<StoredDocument> current, Map<ObjectKey, Optional<StoredDocument>> undone) {
        TreeMap<ObjectKey, StoredDocument> state = new TreeMap<>();
        current.forEachRemaining(object -> state.put(object.key(), object));
        undone.forEach(
                (key, before) -> before.ifPresentOrElse(object -> state.put(key, object), () -> state.remove(key)));
        return state.values().iterator();
    }
}
