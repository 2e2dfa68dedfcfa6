// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;

/** Fields that have no managers: those of the server, and those that a write does not reach. */
final class IgnoredFields {
    /** The server fills them in, or every object has them. */
    static final FieldSet STRIPPED = FieldSet.ofField("apiVersion")
            .union(FieldSet.ofField("kind"))
            .union(FieldSet.ofField("metadata"))
            .union(metadata("name"))
            .union(metadata("namespace"))
            .union(metadata("creationTimestamp"))
            .union(metadata("selfLink"))
            .union(metadata("uid"))
            .union(metadata("clusterName"))
            .union(metadata("generation"))
            .union(metadata("managedFields"))
            .union(metadata("resourceVersion"));

    private static final FieldSet STATUS = FieldSet.ofField("status");
    private static final FieldSet SPEC = FieldSet.ofField("spec");

    private IgnoredFields() {}

    /** The roots of what a write does not reach: {@code GetResetFields} of Kubernetes' strategies. */
    static FieldSet unreached(Kind<?> kind, String subresource) {
        if (!kind.hasStatus()) {
            return FieldSet.EMPTY;
        } else if (subresource.isEmpty()) {
            return STATUS;
        } else if (kind == Kinds.POD) {
            return SPEC.union(metadata("deletionTimestamp")).union(metadata("ownerReferences"));
        } else if (kind == Kinds.VOLUME_ATTACHMENT) {
            return SPEC.union(FieldSet.ofField("metadata"));
        }
        return SPEC;
    }

    private static FieldSet metadata(String field) {
        return FieldSet.ofField("metadata", field);
    }
}
