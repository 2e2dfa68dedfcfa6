// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * What runs, as far as its volumes care.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status) implements KubernetesObject {
    /** The same with another metadata. */
    public Pod withMetadata(ObjectMeta newMetadata) {
        return new Pod(newMetadata, spec, status);
    }

    /** The same with another spec. */
    public Pod withSpec(PodSpec newSpec) {
        return new Pod(metadata, newSpec, status);
    }

    /** The same with another status. */
    public Pod withStatus(PodStatus newStatus) {
        return new Pod(metadata, spec, newStatus);
    }

    /**
     * Whether no container of the pod may run any more (semantics/attach-and-mount §1.4, S7). A mark of deletion alone only says that
     * none shall.
     */
    public boolean hasEnded() {
        return status.phase().isTerminal() || (metadata.isDeleting() && !status.mayRun());
    }

    /** A new pod. */
    public static Pod of(String namespace, String name, PodSpec spec) {
        return new Pod(ObjectMeta.named(namespace, name), spec, PodStatus.EMPTY);
    }
}
