// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import java.util.List;

/**
 * What a pod's claims would get on a node, or why not.
 *
 * @param rejections why not; empty if the rest holds
 * @param conflicts node affinities of bound volumes that the node does not fulfil
 * @param bindings volumes that exist
 * @param provisions volumes to be made
 */
record NodePlan(
        List<Rejection> rejections,
        List<AffinityConflict> conflicts,
        List<StaticBinding> bindings,
        List<Provision> provisions) {
    static final NodePlan NOTHING = new NodePlan(List.of(), List.of(), List.of(), List.of());

    NodePlan {
        rejections = List.copyOf(rejections);
        conflicts = List.copyOf(conflicts);
        bindings = List.copyOf(bindings);
        provisions = List.copyOf(provisions);
    }
}
