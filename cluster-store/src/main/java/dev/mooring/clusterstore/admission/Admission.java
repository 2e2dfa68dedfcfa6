// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.storage.document.Document;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** A rule that adds to what is written, or forbids it. Implementations are pure and thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Admission {
    /** Adds to the object, before it is validated. */
    default Document mutate(AdmissionRequest request, AdmissionView view) {
        return request.object();
    }

    /**
     * Forbids the write, after the object was found valid.
     *
     * @return why; empty if it is allowed
     */
    default Optional<String> refusal(AdmissionRequest request, AdmissionView view) {
        return Optional.empty();
    }

    /** What Kubernetes admits storage with, in its order (semantics/binder §1.12). */
    static List<Admission> standard() {
        return List.of(
                new NamespaceLifecycle(),
                new DefaultStorageClass(),
                new StorageObjectInUseProtection(),
                new PersistentVolumeClaimResize());
    }
}
