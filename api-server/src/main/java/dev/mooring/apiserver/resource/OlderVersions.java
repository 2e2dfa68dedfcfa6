// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.resource;

import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.MetadataObject;
import java.util.List;
import java.util.Map;

/**
 * Kinds in a version before the stored one, for programs that know no later version: kube-scheduler 1.20 follows the budgets of {@code
 * policy/v1beta1}, and schedules nothing without them. The fields are the same, so that an object is shown as it is stored. Pure.
 */
public final class OlderVersions {
    private static final Map<Kind<?>, Kind<?>> STORED = Map.of(
            new Kind<>(
                    "policy",
                    "v1beta1",
                    StoredKinds.POD_DISRUPTION_BUDGET.name(),
                    StoredKinds.POD_DISRUPTION_BUDGET.plural(),
                    true,
                    true,
                    MetadataObject.class),
            StoredKinds.POD_DISRUPTION_BUDGET);

    private OlderVersions() {}

    /** Those of some kinds that are stored. */
    static List<Kind<?>> of(List<Kind<?>> stored) {
        return STORED.keySet().stream()
                .filter(each -> stored.contains(STORED.get(each)))
                .toList();
    }

    /** The kind as it is stored; the same kind if it is no older one. */
    public static Kind<?> stored(Kind<?> kind) {
        return STORED.getOrDefault(kind, kind);
    }

    /** An object as one of these versions has it. */
    public static Document in(Kind<?> kind, Document object) {
        return object.text("apiVersion").filter(kind.apiVersion()::equals).isPresent()
                ? object
                : object.with(kind.apiVersion(), "apiVersion");
    }
}
