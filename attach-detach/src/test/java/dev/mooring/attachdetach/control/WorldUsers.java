// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.AttachmentNames;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What users and nodes do in a world, past the controller, and what all of them see there.
 *
 * @param <W> the world
 */
abstract class WorldUsers<W extends WorldUsers<W>> {
    abstract MemoryClusterStore store();

    abstract W self();

    /** Nodes, a volume that one node at a time may have, and pod {@code a} on the first of the nodes, which uses it. */
    W withPodOn(String first, String... others) {
        load(AttachDetachObjects.node(first));
        for (String other : others) {
            load(AttachDetachObjects.node(other));
        }
        return load(
                AttachDetachObjects.volume("disk", "data", AccessMode.READ_WRITE_ONCE),
                AttachDetachObjects.claim("data", "disk"),
                AttachDetachObjects.pod("a", first, "data"));
    }

    W load(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            for (Kind<?> kind : Kinds.standard().all()) {
                if (kind.type().isInstance(object)) {
                    load(kind, object);
                }
            }
        }
        return self();
    }

    private <T extends KubernetesObject> void load(Kind<T> kind, KubernetesObject object) {
        store().loadDocument(kind, kind.write(kind.type().cast(object))).orThrow();
    }

    <T extends KubernetesObject> W edit(Kind<T> kind, ObjectKey key, UnaryOperator<T> edit) {
        T before = store().get(kind, key).orThrow();
        store().update(kind, new Change<>(before, edit.apply(before))).orThrow();
        return self();
    }

    <T extends KubernetesObject> W editStatus(Kind<T> kind, ObjectKey key, UnaryOperator<T> edit) {
        T before = store().get(kind, key).orThrow();
        store().updateStatus(kind, new Change<>(before, edit.apply(before))).orThrow();
        return self();
    }

    W inUse(String node, String... volumes) {
        return editStatus(
                Kinds.NODE,
                ObjectKey.cluster(node),
                n -> n.withStatus(n.status().withVolumesInUse(List.of(volumes))));
    }

    W deletePod(String name) {
        store().delete(Kinds.POD, ObjectKey.of("default", name), DeleteOptions.DEFAULT.withGracePeriodSeconds(0))
                .orThrow();
        return self();
    }

    W deleteNode(String name) {
        store().delete(Kinds.NODE, ObjectKey.cluster(name), DeleteOptions.DEFAULT)
                .orThrow();
        return self();
    }

    Node node(String name) {
        return findNode(name).orElseThrow();
    }

    Optional<Node> findNode(String name) {
        return store().get(Kinds.NODE, ObjectKey.cluster(name)).value();
    }

    List<VolumeAttachment> attachments() {
        return store().list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items();
    }

    Optional<VolumeAttachment> attachment(String volume, String node) {
        return store().get(Kinds.VOLUME_ATTACHMENT, nameOf(volume, node)).value();
    }

    static ObjectKey nameOf(String volume, String node) {
        return ObjectKey.cluster(AttachmentNames.of(volume, AttachDetachObjects.DRIVER, node));
    }

    static Set<String> attachedTo(Node node) {
        Set<String> names = new TreeSet<>();
        node.status().volumesAttached().stream().map(AttachedVolume::name).forEach(names::add);
        return names;
    }
}
