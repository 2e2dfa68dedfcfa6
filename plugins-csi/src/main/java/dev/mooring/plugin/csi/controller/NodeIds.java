// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.LiveObjects;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import java.util.Optional;

/**
 * How drivers call nodes: by the CSINode, which a driver's node writes. To detach from a node that has gone, the name is noted on the
 * VolumeAttachment before the volume is attached (semantics/csi §9.1). Thread-safe.
 */
public final class NodeIds {
    private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

    private final LiveObjects objects;

    /** Reads a store. */
    public NodeIds(ClusterStore store) {
        this.objects = new LiveObjects(store);
    }

    /** The driver's name for a node; deferred until the driver has registered there. */
    Outcome<String> registered(String driver, NodeRef node) {
        return id(driver, node)
                .then(found -> found.map(Outcome::done)
                        .orElseGet(() -> Outcome.deferred("CSINode " + node.name()
                                + " does not contain driver " + driver
                                + "; the volume is attached when the driver registers on that node")));
    }

    private Outcome<Optional<String>> id(String driver, NodeRef node) {
        return objects.find(Kinds.CSI_NODE, ObjectKey.cluster(node.name()))
                .map(found -> found.flatMap(there -> there.spec().drivers().stream()
                        .filter(entry -> entry.name().equals(driver))
                        .map(CSINodeDriver::nodeID)
                        .filter(id -> !id.isEmpty())
                        .findFirst()));
    }

    /** The driver's name for the node of an attachment, though the node may have gone. */
    Outcome<String> ofAttachment(String driver, NodeRef node, String attachment) {
        Optional<String> noted =
                attachment(attachment).flatMap(found -> found.metadata().annotation(NODE_ID));
        return noted.map(Outcome::done).orElseGet(() -> registered(driver, node));
    }

    /** Notes the driver's name for the node on an attachment. */
    Outcome<Nothing> note(String attachment, String id) {
        return objects.edit(
                Kinds.VOLUME_ATTACHMENT,
                () -> attachment(attachment)
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.deferred("volumeattachment \"" + attachment + "\" not found")),
                found -> Outcome.done(found.withMetadata(found.metadata().withAnnotation(NODE_ID, id))),
                "volumeattachment \"" + attachment + "\" is being changed by others");
    }

    /** The secret with which the volume of an attachment was attached, as far as its objects are still there. */
    Optional<ObjectKey> secretOf(String attachment) {
        return attachment(attachment)
                .flatMap(found -> found.spec().source().persistentVolumeName())
                .flatMap(volume -> present(Kinds.PERSISTENT_VOLUME, volume))
                .flatMap(volume -> volume.spec().source())
                .filter(source -> source.type().equals("csi"))
                .flatMap(source -> CsiVolumeSource.of(source).secret(CsiVolumeSource.ATTACH_SECRET));
    }

    private Optional<VolumeAttachment> attachment(String name) {
        return present(Kinds.VOLUME_ATTACHMENT, name);
    }

    private <T extends KubernetesObject> Optional<T> present(Kind<T> kind, String name) {
        return objects.find(kind, ObjectKey.cluster(name)).result().flatMap(found -> found);
    }
}
