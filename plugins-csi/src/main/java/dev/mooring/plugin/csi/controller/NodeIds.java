// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;

/**
 * How drivers call nodes: by the CSINode, which a driver's node writes. To detach from a node that has gone, the name is noted on the
 * VolumeAttachment before the volume is attached (semantics/csi §9.1). Thread-safe.
 */
public final class NodeIds {
    private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";
    private static final int TRIES = 5;

    private final ClusterStore store;

    /** Reads a store. */
    public NodeIds(ClusterStore store) {
        this.store = store;
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
        return store.get(Kinds.CSI_NODE, ObjectKey.cluster(node.name()))
                .match(
                        found -> Outcome.done(found.spec().drivers().stream()
                                .filter(entry -> entry.name().equals(driver))
                                .map(CSINodeDriver::nodeID)
                                .filter(id -> !id.isEmpty())
                                .findFirst()),
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? Outcome.done(Optional.empty())
                                : Outcome.deferred(failed.message()));
    }

    /** The driver's name for the node of an attachment, though the node may have gone. */
    Outcome<String> ofAttachment(String driver, NodeRef node, String attachment) {
        Optional<String> noted =
                attachment(attachment).flatMap(found -> found.metadata().annotation(NODE_ID));
        return noted.map(Outcome::done).orElseGet(() -> registered(driver, node));
    }

    /** Notes the driver's name for the node on an attachment. */
    Outcome<Nothing> note(String attachment, String id) {
        for (int i = 0; i < TRIES; i++) {
            Optional<VolumeAttachment> found = attachment(attachment);
            if (found.isEmpty()) {
                return Outcome.deferred("volumeattachment \"" + attachment + "\" not found");
            }
            if (found.get().metadata().annotation(NODE_ID).equals(Optional.of(id))) {
                return Outcome.done();
            }
            VolumeAttachment edited =
                    found.get().withMetadata(found.get().metadata().withAnnotation(NODE_ID, id));
            Optional<Outcome<Nothing>> written = store.update(
                            Kinds.VOLUME_ATTACHMENT, new Change<>(found.get(), edited))
                    .match(
                            done -> Optional.of(Outcome.done()),
                            failed -> failed.reason() == Failure.CONFLICT
                                    ? Optional.empty()
                                    : Optional.of(Outcome.deferred(failed.message())));
            if (written.isPresent()) {
                return written.get();
            }
        }
        return Outcome.deferred("volumeattachment \"" + attachment + "\" is being changed by others");
    }

    /** The secret with which the volume of an attachment was attached, as far as its objects are still there. */
    Optional<ObjectKey> secretOf(String attachment) {
        return attachment(attachment)
                .flatMap(found -> found.spec().source().persistentVolumeName())
                .flatMap(volume -> store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                        .value())
                .flatMap(volume -> volume.spec().source())
                .filter(source -> source.type().equals("csi"))
                .flatMap(source -> CsiVolumeSource.of(source).secret(CsiVolumeSource.ATTACH_SECRET));
    }

    private Optional<VolumeAttachment> attachment(String name) {
        return store.get(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name)).value();
    }
}
