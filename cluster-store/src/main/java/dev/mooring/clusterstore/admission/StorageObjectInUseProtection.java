// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Puts the protecting finalizer on new volumes, claims and attributes classes (semantics/binder §0.2, §1.12). Stateless. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StorageObjectInUseProtection implements Admission {
    private static final Map<Kind<?>, String> FINALIZERS = Map.of(
            Kinds.PERSISTENT_VOLUME, Finalizers.PV_PROTECTION,
            Kinds.PERSISTENT_VOLUME_CLAIM, Finalizers.PVC_PROTECTION,
            Kinds.VOLUME_ATTRIBUTES_CLASS, Finalizers.VAC_PROTECTION);

    /** Makes the rule. */
    public StorageObjectInUseProtection() {}

    @Override
    public Document mutate(AdmissionRequest request, AdmissionView view) {
        String finalizer = FINALIZERS.get(request.kind());
        List<String> finalizers = Fields.finalizers(request.object());
        if (finalizer == null || request.before().isPresent() || finalizers.contains(finalizer)) {
            return request.object();
        }
        List<String> more = new ArrayList<>(finalizers);
        more.add(finalizer);
        return request.object().with(more, "metadata", "finalizers");
    }
}
