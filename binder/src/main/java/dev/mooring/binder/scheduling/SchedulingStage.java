// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import org.apiguardian.api.API;

/** Where scheduling a pod's volumes can fail; the label of Kubernetes' failure counter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum SchedulingStage {
    /** The volumes do not allow a node. */
    PREDICATE("predicate"),
    /** What was found is not there any more. */
    ASSUME("assume"),
    /** A write failed for good, or the claims were not bound in time. */
    BIND("bind");

    private final String label;

    SchedulingStage(String label) {
        this.label = label;
    }

    /** The value in Kubernetes' metrics. */
    public String label() {
        return label;
    }
}
