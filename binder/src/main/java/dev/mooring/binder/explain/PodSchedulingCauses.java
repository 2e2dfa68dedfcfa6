// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSchedulingGate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a pod whose claims are in order has no node: what its volumes ask of a node, and what the scheduler says. */
final class PodSchedulingCauses {
    private final Snapshot snapshot;
    private final Pod pod;
    private final ExplanationFindings findings;

    PodSchedulingCauses(Snapshot snapshot, Pod pod, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.pod = pod;
        this.findings = findings;
    }

    void explain() {
        if (!pod.spec().schedulingGates().isEmpty()) {
            String gates = pod.spec().schedulingGates().stream()
                    .map(PodSchedulingGate::name)
                    .collect(Collectors.joining(", "));
            findings.cause(
                            CauseCode.POD_GATED,
                            "The pod is not given to the scheduler while it has scheduling gates: " + gates + ".")
                    .awaits("owner of scheduling gate " + gates, "the gate to be removed", since());
            return;
        }
        for (PersistentVolume volume : volumes()) {
            reached(volume);
            if (findings.causes.isEmpty()) {
                room(volume);
            }
        }
        scheduler();
    }

    private List<PersistentVolume> volumes() {
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimName(pod.metadata().name()).stream())
                .flatMap(name ->
                        snapshot
                                .get(
                                        Kinds.PERSISTENT_VOLUME_CLAIM,
                                        ObjectKey.of(pod.metadata().namespace(), name))
                                .stream())
                .flatMap(claim ->
                        snapshot
                                .get(
                                        Kinds.PERSISTENT_VOLUME,
                                        ObjectKey.cluster(claim.spec().volumeName()))
                                .stream())
                .toList();
    }

    private void reached(PersistentVolume volume) {
        if (!ExplainedNodes.any(snapshot)) {
            return;
        }
        List<Node> reaching = ExplainedNodes.all(snapshot).stream()
                .filter(node -> ExplainedNodes.reaches(node, volume))
                .toList();
        String name = volume.metadata().name();
        if (reaching.isEmpty()) {
            findings.cause(
                            CauseCode.NODE_AFFINITY,
                            "Volume " + name + " can be used on no node: it wants "
                                    + ConsumerCauses.wanted(snapshot, volume) + ".")
                    .awaits("administrator", "a node that reaches volume " + name, since());
            Map<String, String> labels = new LinkedHashMap<>();
            ConsumerCauses.requirements(volume).stream()
                    .filter(wanted ->
                            wanted.operator().equals("In") && !wanted.values().isEmpty())
                    .forEach(wanted ->
                            labels.putIfAbsent(wanted.key(), wanted.values().get(0)));
            Node added = Node.of("");
            findings.remedy(
                    RemedyKind.ADD_NODE,
                    "Bring back the node that reaches volume " + name + ", or add one that reaches it"
                            + (labels.isEmpty() ? "." : ": with " + ConsumerCauses.labelled(labels) + "."),
                    new RemedyAction.Create(added.withMetadata(added.metadata().withLabels(labels))));
        } else if (reaching.stream().noneMatch(Node::isReady)) {
            Node first = reaching.get(0);
            findings.cause(
                            CauseCode.NODE_NOT_READY,
                            "Volume " + name + " can be used only where no node is ready: "
                                    + ExplainedNodes.notReady(first) + ".")
                    .awaits("node " + first.metadata().name(), "it to be ready", ExplainedNodes.since(first));
        } else if (reaching.stream().allMatch(node -> node.spec().unschedulable())) {
            String first = reaching.get(0).metadata().name();
            findings.cause(
                            CauseCode.NODE_CORDONED,
                            "Volume " + name + " can be used only on "
                                    + reaching.stream()
                                            .map(node -> node.metadata().name())
                                            .limit(5)
                                            .collect(Collectors.joining(", "))
                                    + ", which takes no new pods: it is cordoned.")
                    .awaits("administrator", "node " + first + " to take pods again", since())
                    .remedy(
                            RemedyKind.UNCORDON,
                            "When the node may take pods again, say so.",
                            new RemedyAction.Patch(
                                    Kinds.NODE,
                                    ObjectKey.cluster(first),
                                    Document.empty().with(false, "spec", "unschedulable")));
        }
    }

    /** Whether every node that reaches a CSI volume is full; a node that has the volume already needs no room. */
    private void room(PersistentVolume volume) {
        Optional<String> driver = volume.spec().source().flatMap(CsiSource::of).map(CsiSource::driver);
        List<String> nodes = ExplainedNodes.all(snapshot).stream()
                .filter(node -> ExplainedNodes.reaches(node, volume))
                .map(node -> node.metadata().name())
                .toList();
        boolean attached = ExplainedNodes.holding(snapshot, volume).stream().anyMatch(nodes::contains);
        if (driver.isEmpty() || nodes.isEmpty() || attached) {
            return;
        }
        boolean full = nodes.stream()
                .allMatch(node -> ExplainedNodes.limit(snapshot, driver.get(), node)
                        .filter(limit -> ExplainedNodes.attached(snapshot, driver.get(), node) >= limit)
                        .isPresent());
        if (full) {
            findings.cause(
                            CauseCode.ATTACH_LIMIT,
                            "Volume " + volume.metadata().name()
                                    + " can be attached to no node: each has as many volumes"
                                    + " of driver " + driver.get() + " as it can have ("
                                    + nodes.stream()
                                            .limit(5)
                                            .map(node -> node + " "
                                                    + ExplainedNodes.attached(snapshot, driver.get(), node) + " of "
                                                    + ExplainedNodes.limit(snapshot, driver.get(), node)
                                                            .orElse(0L))
                                            .collect(Collectors.joining(", "))
                                    + ").")
                    .awaits("administrator", "room on a node", since());
            findings.remedy(
                    RemedyKind.ADD_NODE,
                    "Add a node that has driver " + driver.get() + ", or end pods whose volumes of it are attached.",
                    new RemedyAction.Create(Node.of("")));
        }
    }

    private void scheduler() {
        Optional<String> told = snapshot.lastEvent(Kinds.POD, pod, List.of("FailedScheduling"))
                .map(event -> event.message())
                .or(() -> pod.status().conditions().stream()
                        .filter(condition ->
                                condition.type().equals("PodScheduled") && condition.status() == ConditionStatus.FALSE)
                        .map(Condition::message)
                        .findFirst())
                .filter(message -> !message.isEmpty());
        String name = pod.spec().schedulerName();
        String who = name.isEmpty() || name.equals("default-scheduler") ? "scheduler" : "scheduler " + name;
        findings.cause(
                CauseCode.POD_UNSCHEDULED,
                "No node has been chosen for the pod. "
                        + told.map(message -> "The scheduler says: \"" + message + "\"")
                                .orElse("The scheduler has said nothing about it."));
        if (findings.awaited.isEmpty()) {
            findings.awaits(who, "a node for the pod", since())
                    .remedy(
                            RemedyKind.LOOK,
                            told.isPresent()
                                    ? "See what the nodes have left, and which taints they have."
                                    : "See whether " + who + " runs.",
                            new RemedyAction.Look(
                                    told.isPresent() ? "kubectl describe nodes" : "kubectl get pods -n kube-system"));
        }
    }

    private Optional<Instant> since() {
        return pod.metadata().creationTimestamp();
    }
}
