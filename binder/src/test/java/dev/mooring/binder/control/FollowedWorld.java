// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A cluster in which the binder runs, for tests that look at it and change it as people do. */
public final class FollowedWorld {
    /** The provisioner and deleter of {@link #plugins}. */
    public static final String TOY = ToyPlugin.NAME;

    private final Cluster cluster;

    /** Starts a binder on objects as they are; it has not seen them yet. */
    public FollowedWorld(
            BinderOptions options, PluginRegistry plugins, Collection<? extends KubernetesObject> objects) {
        cluster = new Cluster(options, plugins, 1);
        cluster.backend = new ToyPlugin(Place.CONTROLLER)::answer;
        objects.forEach(this::load);
        cluster.restart();
    }

    /** Lets the binder come to rest. */
    public FollowedWorld atRest() {
        cluster.settle();
        return this;
    }

    /** One plugin that serves NFS sources. */
    public static PluginRegistry plugins() {
        return new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER)));
    }

    private void load(KubernetesObject object) {
        boolean guarded = !object.metadata().isDeleting();
        if (object instanceof PersistentVolume volume) {
            load(
                    Kinds.PERSISTENT_VOLUME,
                    guarded ? volume.withMetadata(volume.metadata().withFinalizer(Finalizers.PV_PROTECTION)) : volume);
        } else if (object instanceof PersistentVolumeClaim claim) {
            load(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    guarded ? claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PVC_PROTECTION)) : claim);
        } else {
            for (Kind<?> kind : Kinds.standard().all()) {
                loadIf(kind, object);
            }
        }
    }

    private <T extends KubernetesObject> void loadIf(Kind<T> kind, KubernetesObject object) {
        if (kind.type().isInstance(object)) {
            load(kind, kind.type().cast(object));
        }
    }

    private <T extends KubernetesObject> void load(Kind<T> kind, T object) {
        cluster.store.loadDocument(kind, kind.write(object)).orThrow();
    }

    /** Writes what the API server would refuse or give other values, such as statuses. */
    public void put(KubernetesObject object) {
        for (Kind<?> kind : Kinds.standard().all()) {
            loadIf(kind, object);
        }
    }

    /** What other programs and people write. */
    public MemoryClusterStore store() {
        return cluster.store;
    }

    /** Lets the binder work, and an hour pass. */
    public void settle() {
        cluster.advance(Duration.ofHours(1));
    }

    /** All objects. */
    public List<KubernetesObject> objects() {
        List<KubernetesObject> all = new ArrayList<>();
        Kinds.standard().all().forEach(kind -> all.addAll(all(kind)));
        return all;
    }

    /** All objects of a kind. */
    public <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return cluster.store.list(kind, ListOptions.ALL).orThrow().items();
    }

    /** One object. */
    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return cluster.store.get(kind, key).value();
    }

    /** Applies a merge patch, as kubectl does. */
    public void patch(Kind<?> kind, ObjectKey key, Document patch) {
        cluster.store.patchDocument(kind, key, "", patch).orThrow();
    }

    /** Creates an object, as kubectl does. */
    public void create(KubernetesObject object) {
        for (Kind<?> kind : Kinds.standard().all()) {
            createIf(kind, object);
        }
    }

    private <T extends KubernetesObject> void createIf(Kind<T> kind, KubernetesObject object) {
        if (kind.type().isInstance(object)) {
            cluster.store.create(kind, kind.type().cast(object)).orThrow();
        }
    }

    /** Deletes an object, and waits until it has gone, as kubectl does; pods go at once, as after their node has stopped them. */
    public void delete(Kind<?> kind, ObjectKey key) {
        Optional<Long> grace = kind.equals(Kinds.POD) ? Optional.of(0L) : Optional.empty();
        cluster.store
                .deleteObject(
                        kind, key, new DeleteOptions("", Optional.empty(), grace, DeleteOptions.Propagation.BACKGROUND))
                .orThrow();
        settle();
    }
}
