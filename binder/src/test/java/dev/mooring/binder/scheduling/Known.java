// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.LinkedHashSet;
import java.util.Set;

/** Caches with some objects in them, and what scheduling derives from them: enough for a table of a filter. */
final class Known {
    final SchedulingIndexes indexes;
    final Set<QueueingHint> cues = new LinkedHashSet<>();
    private final Caches caches;
    private final SchedulingOptions options;
    private long revision;

    Known(SchedulingOptions options, KubernetesObject... objects) {
        this.options = options;
        this.indexes = new SchedulingIndexes(options);
        this.caches = new Caches(SchedulingIndexes.KINDS, change -> cues.addAll(indexes.observe(change)));
        put(objects);
    }

    static Known of(KubernetesObject... objects) {
        return new Known(SchedulingOptions.DEFAULT, objects);
    }

    Known put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            for (Kind<?> kind : caches.kinds()) {
                if (kind.type().isInstance(object)) {
                    put(kind, object);
                }
            }
        }
        return this;
    }

    private <T extends KubernetesObject> void put(Kind<T> kind, KubernetesObject object) {
        cues.clear();
        revision++;
        Document document = kind.write(kind.type().cast(object));
        Document versioned = document.with(Long.toString(revision), "metadata", "resourceVersion");
        Document identified = object.metadata().uid().isEmpty()
                ? versioned.with("uid-" + object.metadata().name(), "metadata", "uid")
                : versioned;
        caches.of(kind).put(kind.read(identified), Origin.WATCH);
    }

    <T extends KubernetesObject> Known remove(Kind<T> kind, ObjectKey key) {
        cues.clear();
        T known = caches.get(kind, key).orElseThrow();
        caches.of(kind).remove(key, known.metadata().uid(), Revision.parse(Long.toString(++revision)), Origin.WATCH);
        return this;
    }

    SchedulingView view() {
        return new SchedulingView(caches, indexes, options);
    }

    Caches caches() {
        return caches;
    }
}
