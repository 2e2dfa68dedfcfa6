// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A running cluster, as a command reads it: every answer is live, and a failure ends the command. Thread-safe. */
public final class LiveCluster {
    private static final int PAGE = 500;
    private static final List<Kind<?>> EXPLAINED = List.of(
            Kinds.PERSISTENT_VOLUME,
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.STORAGE_CLASS,
            Kinds.VOLUME_ATTRIBUTES_CLASS,
            Kinds.VOLUME_ATTACHMENT,
            Kinds.CSI_DRIVER,
            Kinds.CSI_NODE,
            Kinds.CSI_STORAGE_CAPACITY,
            Kinds.NODE,
            Kinds.POD,
            Kinds.EVENT);

    private final ClusterStore store;

    /** Reads from a store, which stays the caller's. */
    public LiveCluster(ClusterStore store) {
        this.store = store;
    }

    /**
     * One object; empty if there is none.
     *
     * @throws ClusterException if the cluster does not tell
     */
    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
        StoreResult<T> result = store.get(kind, key);
        return result.match(Optional::of, failed -> {
            if (failed.reason() == Failure.NOT_FOUND) {
                return Optional.empty();
            }
            throw failure("read " + kind.name() + " " + key, failed);
        });
    }

    /**
     * All objects of a kind.
     *
     * @param namespace only these; empty for all
     * @throws ClusterException if the cluster does not tell
     */
    public <T extends KubernetesObject> List<T> all(Kind<T> kind, String namespace) {
        List<T> objects = new ArrayList<>();
        ListOptions options = ListOptions.inNamespace(namespace).withLimit(PAGE);
        while (true) {
            ObjectList<T> page = store.list(kind, options).orThrow(failed -> failure("list " + kind.plural(), failed));
            objects.addAll(page.items());
            if (page.continueToken().isEmpty()) {
                return objects;
            }
            options = options.after(page.continueToken());
        }
    }

    /**
     * Everything that an explanation looks at; no Secret is read.
     *
     * @param at the time from which durations are counted
     * @throws ClusterException if the cluster does not tell
     */
    public Snapshot snapshot(Instant at) {
        return snapshot(at, kind -> {});
    }

    /**
     * The same, telling which kind is read.
     *
     * @param begun gets each kind before it is read
     */
    public Snapshot snapshot(Instant at, Consumer<Kind<?>> begun) {
        List<KubernetesObject> objects = new ArrayList<>();
        for (Kind<?> kind : EXPLAINED) {
            begun.accept(kind);
            objects.addAll(all(kind, ""));
        }
        return Snapshot.of(objects, at);
    }

    private static ClusterException failure(String what, Failed<?> failed) {
        return new ClusterException("cannot " + what + ": " + failed.message());
    }

    /** The cluster did not tell what a command has to know. */
    public static final class ClusterException extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** With what could not be done, and why. */
        public ClusterException(String message) {
            super(message);
        }
    }
}
