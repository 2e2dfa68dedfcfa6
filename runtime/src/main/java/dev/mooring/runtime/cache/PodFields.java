// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import dev.mooring.storage.document.FieldSelection;
import org.apiguardian.api.API;

/** What the controllers of a cluster's storage read of pods. The rest of a pod is ten times as much. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PodFields {
    /** Which storage a pod uses, where, and whether it still does. What volumes hold that are no storage is left out. */
    public static final FieldSelection STORAGE = storage();

    private PodFields() {}

    private static FieldSelection storage() {
        FieldSelection fields = FieldSelection.of(
                "metadata.creationTimestamp",
                "metadata.deletionTimestamp",
                "metadata.deletionGracePeriodSeconds",
                "spec.nodeName",
                "spec.volumes",
                "status.phase");
        for (String content :
                new String[] {"configMap", "downwardAPI", "emptyDir", "gitRepo", "image", "projected", "secret"}) {
            fields = fields.without("spec", "volumes", content);
        }
        return fields;
    }
}
