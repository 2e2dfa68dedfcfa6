// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * What runs, as far as its volumes care.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Pod(ObjectMeta metadata, PodSpec spec, PodStatus status) implements KubernetesObject, PodBuilder.With {
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
