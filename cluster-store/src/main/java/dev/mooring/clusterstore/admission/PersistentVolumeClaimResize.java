// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import java.util.Optional;
import org.apiguardian.api.API;

/** Lets only bound claims grow, and only if their class allows it (semantics/binder §1.12). Stateless. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PersistentVolumeClaimResize implements Admission {
    private static final String NOT_BOUND = "Only bound persistent volume claims can be expanded";
    private static final String NOT_ALLOWED =
            "only dynamically provisioned pvc can be resized and the storageclass that"
                    + " provisions the pvc must support resize";

    /** Makes the rule. */
    public PersistentVolumeClaimResize() {}

    @Override
    public Optional<String> refusal(AdmissionRequest request, AdmissionView view) {
        boolean changesSpec = request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                && request.subresource().isEmpty()
                && request.before().isPresent();
        if (!changesSpec) {
            return Optional.empty();
        }
        Document before = request.before().orElseThrow();
        if (requested(request.object()).compareTo(requested(before)) <= 0) {
            return Optional.empty();
        }
        if (!Fields.text(before, "status", "phase").equals("Bound")) {
            return Optional.of(NOT_BOUND);
        }
        String name = Fields.annotation(before, Annotations.BETA_STORAGE_CLASS)
                .orElseGet(() -> Fields.text(before, "spec", "storageClassName"));
        boolean allowed = !name.isEmpty()
                && view.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name))
                        .filter(storageClass -> Fields.isTrue(storageClass, "allowVolumeExpansion"))
                        .isPresent();
        return allowed ? Optional.empty() : Optional.of(NOT_ALLOWED);
    }

    private static Quantity requested(Document claim) {
        return claim.at("spec", "resources", "requests", "storage")
                .flatMap(amount -> Quantity.tryParse(amount.toString()))
                .orElse(Quantity.ZERO);
    }
}
