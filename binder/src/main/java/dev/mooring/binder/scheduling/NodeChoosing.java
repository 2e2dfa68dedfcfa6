// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.binder.scheduling.PodFilters.Evaluation;
import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The node for a pod: the best score, then the fewest pods, then the first by name. A function of the view. */
final class NodeChoosing {
    private final Pod pod;
    private final SchedulingView view;
    private final PodFilters filters;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Set<String> plugins = new HashSet<>();

    private NodeChoosing(Pod pod, SchedulingView view) {
        this.pod = pod;
        this.view = view;
        this.filters = new PodFilters(pod, view);
    }

    /**
     * What was found.
     *
     * @param assumption where the pod goes and what its claims get; empty if there is no node for it
     * @param message why there is none, in Kubernetes' words
     * @param cues what can help
     */
    record Choice(Optional<Assumption> assumption, String message, Set<QueueingHint> cues) {}

    private record Candidate(Node node, NodePlan plan, int score, int pods) {
        boolean isBetterThan(Candidate other) {
            return score == other.score ? pods < other.pods : score > other.score; // nodes come in order of their names
        }
    }

    static Choice choose(Pod pod, SchedulingView view) {
        return new NodeChoosing(pod, view).choose();
    }

    private Choice choose() {
        Collection<Node> nodes = view.caches().of(Kinds.NODE).all();
        if (nodes.isEmpty()) {
            return none("no nodes available to schedule pods");
        }
        String head = "0/" + nodes.size() + " nodes are available: ";
        Optional<Rejection> wholePod = filters.wholePod();
        if (wholePod.isPresent()) {
            return none(head + wholePod.get().reason() + ".");
        }
        Candidate best = null;
        for (Node node : nodes) {
            Evaluation found = filters.evaluate(node);
            if (found.rejections().isEmpty()) {
                Candidate candidate = candidate(node, found.plan());
                best = best == null || candidate.isBetterThan(best) ? candidate : best;
            }
            found.rejections().forEach(rejection -> {
                reasons.merge(rejection.reason(), 1, Integer::sum);
                plugins.add(rejection.plugin());
            });
        }
        return best == null ? none(head + histogram() + ".") : chosen(filters.assumption(best.node, best.plan));
    }

    private Candidate candidate(Node node, NodePlan plan) {
        int score = CapacityScore.of(plan, view.options());
        return new Candidate(
                node, plan, score, view.pods().on(node.metadata().name()).size());
    }

    private String histogram() {
        return reasons.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static Choice chosen(Assumption assumption) {
        return new Choice(Optional.of(assumption), "", Set.of());
    }

    private Choice none(String message) {
        Set<QueueingHint> cues = new HashSet<>();
        cues.add(QueueingHint.ANY_NODE);
        if (plugins.contains(VolumeRestrictionsFilter.PLUGIN)) {
            cues.add(QueueingHint.POD_GONE);
        }
        if (plugins.contains(VolumeLimitsFilter.PLUGIN)) {
            cues.add(QueueingHint.POD_GONE);
            cues.add(QueueingHint.SLOT);
        }
        for (ObjectKey key : PlacedPods.claimsOf(pod)) {
            cues.add(QueueingHint.claim(key));
            view.claim(key).ifPresent(claim -> addCues(claim, cues));
        }
        return new Choice(Optional.empty(), message, cues);
    }

    private void addCues(PersistentVolumeClaim claim, Set<QueueingHint> cues) {
        String volume = claim.spec().volumeName();
        if (!volume.isEmpty()) {
            cues.add(QueueingHint.of(Source.VOLUME, volume));
            return;
        }
        String storageClass = StorageClasses.nameOf(claim).orElse("");
        cues.add(QueueingHint.of(Source.CLASS, storageClass));
        cues.add(QueueingHint.of(Source.FREE_VOLUME, storageClass));
        cues.add(QueueingHint.of(Source.SPACE, storageClass));
        view.classOf(claim)
                .map(StorageClass::provisioner)
                .ifPresent(provisioner -> cues.add(QueueingHint.of(Source.DRIVER, provisioner)));
    }
}
