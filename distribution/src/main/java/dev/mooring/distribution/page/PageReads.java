// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import java.util.List;
import java.util.Optional;

/**
 * What the controllers do not keep, such as events and whole pods. Reads it on demand, and no more than the page shows. What
 * cannot be read, since a right is missing or the server does not answer, counts as absent. Thread-safe.
 */
public interface PageReads {
    /** Nothing can be read. */
    PageReads NONE = new PageReads() {
        @Override
        public List<Event> events(String kind, ObjectKey key) {
            return List.of();
        }

        @Override
        public List<Event> events() {
            return List.of();
        }

        @Override
        public <T extends KubernetesObject> Optional<T> whole(Kind<T> kind, ObjectKey key) {
            return Optional.empty();
        }
    };

    /** At most 100 events of an object, by the kind's name and the object's; may block. */
    List<Event> events(String kind, ObjectKey key);

    /** At most 1,000 events of all objects; may block. */
    List<Event> events();

    /** An object with all its fields; may block. */
    <T extends KubernetesObject> Optional<T> whole(Kind<T> kind, ObjectKey key);

    /**
     * Reads from a store.
     *
     * @param store stays the caller's
     */
    static PageReads of(ClusterStore store) {
        return new PageReads() {
            @Override
            public List<Event> events(String kind, ObjectKey key) {
                String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
                return list(ListOptions.inNamespace(namespace)
                        .withFields("involvedObject.kind=" + kind + ",involvedObject.name=" + key.name())
                        .withLimit(100));
            }

            @Override
            public List<Event> events() {
                return list(ListOptions.ALL.withLimit(1_000));
            }

            @Override
            public <T extends KubernetesObject> Optional<T> whole(Kind<T> kind, ObjectKey key) {
                return store.get(kind, key).value();
            }

            private List<Event> list(ListOptions options) {
                return store.list(Kinds.EVENT, options)
                        .value()
                        .map(ObjectList::items)
                        .orElse(List.of());
            }
        };
    }
}
