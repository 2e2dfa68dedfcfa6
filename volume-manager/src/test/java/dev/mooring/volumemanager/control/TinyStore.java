// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Just enough of a store for a node: versions, the status apart, pods that are deleted in two steps. */
final class TinyStore {
    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private long revision = 10;

    Revision revision() {
        return new Revision(revision);
    }

    /** Stores an object as it is, with a new version. */
    <T extends KubernetesObject> T put(Kind<T> kind, T object) {
        T stored = withMetadata(object, object.metadata().withResourceVersion(Long.toString(++revision)));
        objects.put(id(kind, ObjectKey.of(object)), stored);
        return stored;
    }

    <T extends KubernetesObject> Optional<T> get(Kind<T> kind, ObjectKey key) {
        return Optional.ofNullable(objects.get(id(kind, key))).map(kind.type()::cast);
    }

    void remove(Kind<?> kind, ObjectKey key) {
        revision++;
        objects.remove(id(kind, key));
    }

    <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(kind.name() + " "))
                .map(entry -> kind.type().cast(entry.getValue()))
                .toList();
    }

    StoreResult<?> carryOut(Effect effect) {
        if (effect instanceof Effect.Read<?> read) {
            return read(read);
        } else if (effect instanceof Effect.Update<?> update) {
            return update(update.kind(), update.change(), false);
        } else if (effect instanceof Effect.UpdateStatus<?> update) {
            return update(update.kind(), update.change(), true);
        } else if (effect instanceof Effect.Delete<?> delete) {
            return delete(delete);
        } else if (effect instanceof Effect.Create<?> create) {
            return create(create);
        }
        throw new IllegalArgumentException("no such effect here: " + effect);
    }

    private <T extends KubernetesObject> StoreResult<?> create(Effect.Create<T> create) {
        if (objects.containsKey(id(create.kind(), create.object()))) {
            return StoreResult.failed(Failure.ALREADY_EXISTS, "already exists");
        }
        ObjectMeta metadata = create.value().metadata().withUid("uid-" + revision);
        return StoreResult.ok(put(create.kind(), withMetadata(create.value(), metadata)));
    }

    private <T extends KubernetesObject> StoreResult<?> read(Effect.Read<T> read) {
        return get(read.kind(), read.object())
                .<StoreResult<?>>map(StoreResult::ok)
                .orElseGet(() -> StoreResult.failed(Failure.NOT_FOUND, "not found"));
    }

    private <T extends KubernetesObject> StoreResult<?> update(Kind<?> kind, Change<T> change, boolean status) {
        KubernetesObject current = objects.get(id(kind, change.key()));
        if (current == null) {
            return StoreResult.failed(Failure.NOT_FOUND, "not found");
        }
        if (!current.metadata()
                .resourceVersion()
                .equals(change.base().metadata().resourceVersion())) {
            return StoreResult.failed(Failure.CONFLICT, "conflict");
        }
        KubernetesObject merged = merge(current, change.edited(), status);
        ObjectMeta metadata = merged.metadata().withResourceVersion(Long.toString(++revision));
        KubernetesObject stored = withMetadata(merged, metadata);
        objects.put(id(kind, change.key()), stored);
        return StoreResult.ok(stored);
    }

    private static KubernetesObject merge(KubernetesObject current, KubernetesObject edited, boolean status) {
        if (edited instanceof Pod pod && current instanceof Pod now) {
            return status ? now.withStatus(pod.status()) : pod.withStatus(now.status());
        } else if (edited instanceof Node node && current instanceof Node now) {
            return status ? now.withStatus(node.status()) : node.withStatus(now.status());
        } else if (edited instanceof PersistentVolume volume && current instanceof PersistentVolume now) {
            return status ? now.withStatus(volume.status()) : volume.withStatus(now.status());
        } else if (edited instanceof PersistentVolumeClaim claim && current instanceof PersistentVolumeClaim now) {
            return status ? now.withStatus(claim.status()) : claim.withStatus(now.status());
        }
        throw new IllegalArgumentException("no test writes " + edited);
    }

    private <T extends KubernetesObject> StoreResult<?> delete(Effect.Delete<T> delete) {
        Optional<T> current = get(delete.kind(), delete.object());
        if (current.isEmpty()) {
            return StoreResult.failed(Failure.NOT_FOUND, "not found");
        }
        T object = current.get();
        if (!delete.options().uid().isEmpty()
                && !delete.options().uid().equals(object.metadata().uid())) {
            return StoreResult.failed(Failure.CONFLICT, "another uid");
        }
        long grace = delete.options().gracePeriodSeconds().orElse(30L);
        if (grace == 0 && object.metadata().finalizers().isEmpty()) {
            remove(delete.kind(), delete.object());
            return StoreResult.ok(new Deletion<>(object, true, revision()));
        }
        T marked = put(
                delete.kind(),
                withMetadata(
                        object,
                        object.metadata()
                                .withDeletionTimestamp(Optional.of(Instant.EPOCH))
                                .withDeletionGracePeriodSeconds(Optional.of(grace))));
        return StoreResult.ok(new Deletion<>(marked, false, revision()));
    }

    @SuppressWarnings("unchecked") // every branch answers with the type that it was given
    static <T extends KubernetesObject> T withMetadata(T object, ObjectMeta metadata) {
        if (object instanceof Pod pod) {
            return (T) pod.withMetadata(metadata);
        } else if (object instanceof Node node) {
            return (T) node.withMetadata(metadata);
        } else if (object instanceof PersistentVolume volume) {
            return (T) volume.withMetadata(metadata);
        } else if (object instanceof PersistentVolumeClaim claim) {
            return (T) claim.withMetadata(metadata);
        } else if (object instanceof StorageClass storageClass) {
            return (T) storageClass.withMetadata(metadata);
        }
        if (object instanceof VolumeAttachment attachment) {
            return (T) attachment.withMetadata(metadata);
        } else if (object instanceof CSIDriver driver) {
            return (T) driver.withMetadata(metadata);
        } else if (object instanceof VolumeAttributesClass attributes) {
            return (T) attributes.withMetadata(metadata);
        } else if (object instanceof VolumeSnapshot snapshot) {
            return (T) snapshot.withMetadata(metadata);
        }
        throw new IllegalArgumentException("not a node's kind: " + object);
    }

    private static String id(Kind<?> kind, ObjectKey key) {
        return kind.name() + " " + key;
    }
}
