// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Forbids new objects in a namespace that is being deleted, so that it can become empty. Unlike in Kubernetes, a namespace that
 * is not declared counts as existing. Stateless.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NamespaceLifecycle implements Admission {
    /** Makes the rule. */
    public NamespaceLifecycle() {}

    @Override
    public Optional<String> refusal(AdmissionRequest request, AdmissionView view) {
        String namespace = Fields.namespace(request.object());
        if (request.before().isPresent() || namespace.isEmpty()) {
            return Optional.empty();
        }
        return view.get(Kinds.NAMESPACE, ObjectKey.cluster(namespace))
                .filter(Fields::isDeleting)
                .map(ending ->
                        "unable to create new content in namespace " + namespace + " because it is being terminated");
    }
}
