// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;
import java.util.Set;

/** An update of some kinds has to name the version that the client saw, as several clients may write them at a time. */
public final class SeenVersions {
    /** Those whose strategy in Kubernetes does not {@code AllowUnconditionalUpdate}. */
    private static final Set<Kind<?>> ASKED =
            Set.of(Kinds.CSI_DRIVER, Kinds.CSI_NODE, Kinds.CSI_STORAGE_CAPACITY, Kinds.LEASE, Kinds.VOLUME_ATTACHMENT);

    private SeenVersions() {}

    /** Refuses to replace an existing object if the request has to name its version and does not. */
    public static void require(RequestTarget target, Document wanted) {
        String version = wanted.text("metadata", "resourceVersion").orElse("");
        if (ASKED.contains(target.kind()) && (version.isEmpty() || version.equals("0"))) {
            throw Statuses.of(
                    target.kind(),
                    target.name(),
                    new Failed<>(
                            Failure.INVALID,
                            target.kind().plural() + "." + target.kind().group() + " \"" + target.name()
                                    + "\" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update",
                            Optional.empty()));
        }
    }
}
