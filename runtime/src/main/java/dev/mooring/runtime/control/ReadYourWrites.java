// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectCache;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;

/** Shows the caches what effects have found out, so that a decision sees its own writes. Confined to the decider. */
final class ReadYourWrites {
    private final Caches caches;

    ReadYourWrites(Caches caches) {
        this.caches = caches;
    }

    /** The uid under which a written or read object is known; empty if it is not. */
    String uidOf(Effect effect) {
        if (effect instanceof Effect.Write write && caches.holds(write.kind())) {
            return uidOf(write.kind(), write.object());
        } else if (effect instanceof Effect.Read<?> read && caches.holds(read.kind())) {
            return uidOf(read.kind(), read.object());
        }
        return "";
    }

    private String uidOf(Kind<?> kind, ObjectKey key) {
        return caches.get(kind, key).map(known -> known.metadata().uid()).orElse("");
    }

    /**
     * Shows the caches what an effect has found out.
     *
     * @param uid the uid under which the object was known when the effect began: that there is no such object says nothing about one
     *     that was created under its name since
     */
    void learn(Effect effect, String uid, EffectResult result) {
        if (!(result instanceof EffectResult.Stored stored)) {
            return;
        }
        if (effect instanceof Effect.Write write && caches.holds(write.kind())) {
            learnWrite(caches.of(write.kind()), write, uid, stored.result());
        } else if (effect instanceof Effect.Read<?> read && caches.holds(read.kind())) {
            learnRead(caches.of(read.kind()), read.object(), uid, stored.result());
        } else if (effect instanceof Effect.FindLive<?> search && caches.holds(search.kind())) {
            result.found().ifPresent(found -> learnFound(caches.of(search.kind()), found));
        }
    }

    private static <T extends KubernetesObject> void learnWrite(
            ObjectCache<T> cache, Effect.Write write, String uid, StoreResult<?> result) {
        if (result.failure().filter(f -> f == Failure.NOT_FOUND).isPresent()) {
            cache.absent(write.object(), uid);
            return;
        }
        result.value().ifPresent(value -> {
            if (value instanceof Deletion<?> deletion && deletion.removed()) {
                KubernetesObject last = deletion.object();
                cache.remove(write.object(), last.metadata().uid(), deletion.revision(), Origin.OWN_WRITE);
                return;
            }
            Object written = value instanceof Deletion<?> deletion ? deletion.object() : value;
            T object = cache.kind().type().cast(written);
            if (write instanceof Effect.Update && wentWithLastFinalizer(object)) {
                cache.remove(
                        write.object(),
                        object.metadata().uid(),
                        Revision.parse(object.metadata().resourceVersion()),
                        Origin.OWN_WRITE);
            } else {
                cache.put(object, Origin.OWN_WRITE);
            }
        });
    }

    private static boolean wentWithLastFinalizer(KubernetesObject object) {
        return object.metadata().isDeleting()
                && object.metadata().finalizers().isEmpty()
                && object.metadata().deletionGracePeriodSeconds().orElse(0L) == 0L;
    }

    private static <T extends KubernetesObject> void learnRead(
            ObjectCache<T> cache, ObjectKey key, String uid, StoreResult<?> result) {
        if (result.failure().filter(f -> f == Failure.NOT_FOUND).isPresent()) {
            cache.absent(key, uid);
        }
        result.value().ifPresent(value -> cache.put(cache.kind().type().cast(value), Origin.READ));
    }

    private static <T extends KubernetesObject> void learnFound(ObjectCache<T> cache, KubernetesObject found) {
        cache.put(cache.kind().type().cast(found), Origin.READ);
    }
}
