// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Keys about objects of any kind, and edits of what all kinds have. */
final class KindNames {
    private final Map<String, Kind<?>> byName = new HashMap<>();

    KindNames(Kinds kinds) {
        kinds.all().forEach(kind -> byName.put(nameOf(kind), kind));
    }

    private static String nameOf(Kind<?> kind) {
        return kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
    }

    Key key(Kind<?> kind, ObjectKey object) {
        return new Key(nameOf(kind), object);
    }

    Kind<?> kind(Key key) {
        return Optional.ofNullable(byName.get(key.type()))
                .orElseThrow(() -> new IllegalArgumentException("no kind is called " + key.type()));
    }

    Optional<? extends KubernetesObject> find(Key key, Caches caches) {
        return caches.get(kind(key), key.object());
    }

    /** An edit of an object's document, which every kind has in common. */
    static <T extends KubernetesObject> Effect update(
            String operation, Kind<T> kind, T object, UnaryOperator<Document> edit) {
        return new Effect.Update<>(operation, kind, new Change<>(object, kind.read(edit.apply(kind.write(object)))));
    }

    /** The same list with a field replaced; no field if the list is empty. */
    static Document withList(Document object, List<?> list, String... path) {
        return list.isEmpty() ? object.without(path) : object.with(list, path);
    }
}
