// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All filters for one pod, in the order of Kubernetes' plugins: VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone.
 * A function of the view.
 */
final class PodFilters {
    private final Pod pod;
    private final PodClaims claims;
    private final SchedulingView view;

    PodFilters(Pod pod, SchedulingView view) {
        this.pod = pod;
        this.view = view;
        this.claims = PodClaims.of(pod, view);
    }

    /** Why the pod cannot run on any node; empty if no node was asked yet. */
    Optional<Rejection> wholePod() {
        return claims.rejection().or(() -> VolumeZoneFilter.ofPod(pod, view));
    }

    NodePlan plan(Node node) {
        return VolumeBindingFilter.plan(claims, node, view);
    }

    /** Everything that speaks against a node. */
    NodeFit fit(Node node, NodePlan plan) {
        List<Rejection> found = new ArrayList<>();
        String name = node.metadata().name();
        VolumeRestrictionsFilter.check(pod, name, view).ifPresent(found::add);
        VolumeLimitsFilter.check(pod, name, plan.bindings(), view).ifPresent(found::add);
        found.addAll(plan.rejections());
        VolumeZoneFilter.ofPod(pod, view)
                .or(() -> VolumeZoneFilter.check(pod, node, view))
                .ifPresent(found::add);
        return new NodeFit(name, found, plan.conflicts());
    }

    /**
     * A node as the small scheduler sees it.
     *
     * @param rejections what the first plugin says that rejects it; empty if none does
     * @param plan what the claims would get
     */
    record Evaluation(List<Rejection> rejections, NodePlan plan) {}

    /** What Kubernetes' scheduler finds: it asks no further once a plugin has rejected the node. */
    Evaluation evaluate(Node node) {
        String name = node.metadata().name();
        Optional<Rejection> first = NodeRules.check(pod, node)
                .or(() -> VolumeRestrictionsFilter.check(pod, name, view))
                .or(() -> VolumeLimitsFilter.check(pod, name, view));
        if (first.isPresent()) {
            return new Evaluation(List.of(first.get()), NodePlan.NOTHING);
        }
        NodePlan plan = plan(node);
        List<Rejection> rejections = plan.rejections().isEmpty()
                ? VolumeZoneFilter.check(pod, node, view)
                        .or(() -> VolumeLimitsFilter.check(pod, name, plan.bindings(), view))
                        .map(List::of)
                        .orElse(List.of())
                : plan.rejections();
        return new Evaluation(rejections, plan);
    }

    Assumption assumption(Node node, NodePlan plan) {
        return new Assumption(
                ObjectKey.of(pod),
                pod.metadata().uid(),
                node.metadata().name(),
                plan.bindings(),
                plan.provisions(),
                claims.bound().stream()
                        .map((PersistentVolumeClaim claim) -> ObjectKey.of(claim))
                        .toList());
    }
}
