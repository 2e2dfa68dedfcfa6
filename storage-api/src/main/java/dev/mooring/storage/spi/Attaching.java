// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** Connects storage to a node before it can be used there. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Attaching extends Capability {
    /** Whether this volume has to be attached; pure. */
    boolean requiresAttach(VolumeSpec volume);

    /**
     * Whether only one node at a time may have the volume, whatever access modes it lists: for storage that does not refuse a second node
     * by itself (semantics/plugins §3.4); pure. Where this is false, the access modes decide (semantics/attach-and-mount §1.8).
     */
    default boolean exclusive(VolumeSpec volume) {
        return false;
    }

    /**
     * Under which name a Node's status lists the volume as attached and in use: the name that other agents and controllers of Kubernetes
     * use for it (semantics/attach-and-mount §1.2); pure.
     */
    default String reportedName(VolumeSpec volume, VolumeId id) {
        return id.toString();
    }

    /**
     * Attaches. Attaching again to the same node is {@link Outcome.Done}.
     *
     * @return what the node needs to find the device, in a fixed order
     */
    Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node);

    /** Detaches. A volume that is not attached there is {@link Outcome.Done}. */
    Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node);

    /**
     * Whether {@link #observe} may know anything, so that what counts as attached is compared with it from time to time, and attached
     * again where it surely is not (semantics/csi §9.4); pure.
     */
    default boolean tellsAttachments() {
        return false;
    }

    /**
     * Looks which of the volumes are attached to a node. Without evidence the answer is {@link State#UNKNOWN}.
     *
     * @return an answer for each of the volumes
     */
    Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes);

    /** What the back-end says of an attachment. */
    enum State {
        /** Surely attached. */
        ATTACHED,
        /** Surely not attached. */
        DETACHED,
        /** Not known. */
        UNKNOWN
    }
}
