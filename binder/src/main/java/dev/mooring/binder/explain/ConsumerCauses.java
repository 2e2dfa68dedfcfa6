// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a claim whose class waits for the first consumer still waits: no pod uses it, or no node will do. */
final class ConsumerCauses {
    private final Snapshot snapshot;
    private final PersistentVolumeClaim claim;
    private final Optional<StorageClass> storageClass;
    private final ExplanationFindings findings;

    ConsumerCauses(
            Snapshot snapshot,
            PersistentVolumeClaim claim,
            Optional<StorageClass> storageClass,
            ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.claim = claim;
        this.storageClass = storageClass;
        this.findings = findings;
    }

    void explain(List<Exclusion> fitting, Runnable match, Optional<Instant> since) {
        List<Pod> users = snapshot.all(Kinds.POD).stream()
                .filter(pod -> !pod.status().phase().isTerminal() && uses(pod))
                .toList();
        List<String> pods = users.stream()
                .filter(pod -> pod.spec().nodeName().isEmpty())
                .map(pod -> pod.metadata().name())
                .toList();
        if (pods.isEmpty() && !users.isEmpty()) {
            passedTheScheduler(users.get(0), since);
            return;
        }
        if (pods.isEmpty()) {
            findings.cause(
                            CauseCode.WAITING_FOR_CONSUMER,
                            "The class binds a claim only when a pod uses it, and no pod does.")
                    .awaits("user", "a pod that uses the claim", since)
                    .remedy(
                            RemedyKind.START_POD,
                            "Start a pod in namespace " + claim.metadata().namespace() + " that uses claim "
                                    + claim.metadata().name() + " and has no spec.nodeName.",
                            new RemedyAction.Create(consumer()));
            return;
        }
        if (fitting.isEmpty()
                && storageClass.filter(ClaimCauses::isNoProvisioner).isPresent()) {
            match.run(); // nothing makes one, so no node will do
        }
        noNodeHasRoom();
        noNodeReachesTheVolumes(fitting);
        noNodeIsInThePlacesOfTheClass();
        findings.cause(
                        CauseCode.WAITING_FOR_SCHEDULING,
                        "The class binds a claim when a pod that uses it is placed on a node; waiting for pod"
                                + (pods.size() == 1 ? " " : "s ") + String.join(", ", pods) + ".")
                .awaits("scheduler", "pod " + String.join(", ", pods) + " to be scheduled", since);
    }

    /** Upstream: #95767 and others. */
    private void passedTheScheduler(Pod pod, Optional<Instant> since) {
        String node = pod.spec().nodeName();
        findings.cause(
                        CauseCode.WAITING_FOR_SCHEDULING,
                        "The class binds a claim when the scheduler has selected a node for it, but pod "
                                + pod.metadata().name() + " was placed on node " + node
                                + " without it, so no node will be selected for the claim.")
                .awaits("user", "a pod that is placed by the scheduler", since)
                .remedy(RemedyKind.SELECT_NODE, "Select the node of the pod.", ClaimRemedies.selectNode(claim, node));
    }

    private Pod consumer() {
        VolumeSource source = new VolumeSource(
                "persistentVolumeClaim",
                Document.of(Map.of("claimName", claim.metadata().name())));
        return Pod.of(
                claim.metadata().namespace(),
                "",
                PodSpec.EMPTY.withVolumes(List.of(new PodVolume("data", Optional.of(source)))));
    }

    private void addNode(String text, Map<String, String> labels) {
        addNode(findings, text, labels);
    }

    static void addNode(ExplanationFindings findings, String text, Map<String, String> labels) {
        Node node = Node.of("");
        findings.remedy(
                RemedyKind.ADD_NODE,
                text,
                new RemedyAction.Create(node.withMetadata(node.metadata().withLabels(labels))));
    }

    private boolean uses(Pod pod) {
        return pod.metadata().namespace().equals(claim.metadata().namespace())
                && pod.spec().volumes().stream()
                        .anyMatch(volume -> volume.claimName(pod.metadata().name())
                                .filter(name -> name.equals(claim.metadata().name()))
                                .isPresent());
    }

    private void noNodeHasRoom() {
        String driver = storageClass.map(StorageClass::provisioner).orElse("");
        boolean full = ExplainedNodes.any(snapshot)
                && ExplainedNodes.all(snapshot).stream()
                        .allMatch(node -> ExplainedNodes.limit(
                                        snapshot, driver, node.metadata().name())
                                .filter(limit -> ExplainedNodes.attached(
                                                snapshot,
                                                driver,
                                                node.metadata().name())
                                        >= limit)
                                .isPresent());
        if (full) {
            findings.cause(
                    CauseCode.ATTACH_LIMIT,
                    "Every node has as many volumes of driver " + driver + " attached as it can have.");
            addNode(
                    "Add a node that has driver " + driver + ", or end pods whose volumes of it are attached.",
                    Map.of());
        }
    }

    private void noNodeReachesTheVolumes(List<Exclusion> fitting) {
        boolean reached = fitting.stream().anyMatch(exclusion -> isReached(exclusion.volume()));
        if (!ExplainedNodes.any(snapshot) || fitting.isEmpty() || reached) {
            return;
        }
        PersistentVolume first = fitting.get(0).volume();
        findings.cause(
                CauseCode.NODE_AFFINITY,
                fitting.size() + (fitting.size() == 1 ? " volume fits" : " volumes fit")
                        + ", but no node reaches any of them; "
                        + first.metadata().name() + " wants "
                        + wanted(snapshot, first) + ".");
        Map<String, String> labels = new LinkedHashMap<>();
        requirements(first).stream()
                .filter(wanted ->
                        wanted.operator().equals("In") && !wanted.values().isEmpty())
                .forEach(wanted ->
                        labels.putIfAbsent(wanted.key(), wanted.values().get(0)));
        addNode(
                "Add the node that reaches volume " + first.metadata().name()
                        + (labels.isEmpty() ? "." : ": with " + labelled(labels) + "."),
                labels);
    }

    private boolean isReached(PersistentVolume volume) {
        return ExplainedNodes.all(snapshot).stream().anyMatch(node -> ExplainedNodes.reaches(node, volume));
    }

    static List<NodeSelectorRequirement> requirements(PersistentVolume volume) {
        return volume.spec()
                .nodeAffinity()
                .flatMap(affinity -> affinity.required())
                .map(selector -> selector.nodeSelectorTerms().stream()
                        .flatMap(term -> term.matchExpressions().stream())
                        .toList())
                .orElse(List.of());
    }

    static String wanted(Snapshot snapshot, PersistentVolume volume) {
        List<NodeSelectorRequirement> requirements = requirements(volume);
        return requirements.isEmpty()
                ? "a node that cannot exist"
                : String.join(
                        " and ",
                        requirements.stream()
                                .map(requirement -> "label " + requirement.key() + " " + requirement.operator() + " "
                                        + requirement.values() + " (nodes have "
                                        + ExplainedNodes.values(snapshot, requirement.key()) + ")")
                                .toList());
    }

    private void noNodeIsInThePlacesOfTheClass() {
        List<Document> topologies =
                storageClass.map(StorageClass::allowedTopologies).orElse(List.of());
        if (topologies.isEmpty() || !ExplainedNodes.any(snapshot)) {
            return;
        }
        boolean allowed = ExplainedNodes.all(snapshot).stream()
                .anyMatch(node -> topologies.stream()
                        .anyMatch(term -> allows(term, node.metadata().labels())));
        if (!allowed) {
            findings.cause(
                    CauseCode.TOPOLOGY,
                    "Storage class " + storageClass.get().metadata().name() + " allows only nodes with "
                            + words(topologies)
                            + "; no node has such labels.");
            Map<String, String> labels = places(topologies.get(0));
            addNode("Add a node in a place that the class allows: with " + labelled(labels) + ".", labels);
        }
    }

    /** The places that a class allows. */
    static String words(List<Document> topologies) {
        return topologies.stream()
                .map(term -> term.objects("matchLabelExpressions").stream()
                        .map(wanted -> wanted.text("key").orElse("") + " in "
                                + wanted.at("values").orElse(List.of()))
                        .collect(Collectors.joining(" and ")))
                .collect(Collectors.joining(", or "));
    }

    /** Labels in words. */
    static String labelled(Map<String, String> labels) {
        return (labels.size() == 1 ? "label " : "labels ")
                + labels.entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** The labels of the first place that a term names. */
    static Map<String, String> places(Document term) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (term.at("matchLabelExpressions").orElse(List.of()) instanceof Collection<?> all) {
            for (Object expression : all) {
                if (expression instanceof Map<?, ?> fields
                        && fields.get("key") instanceof String key
                        && fields.get("values") instanceof List<?> values
                        && !values.isEmpty()
                        && values.get(0) instanceof String value) {
                    labels.put(key, value);
                }
            }
        }
        return labels;
    }

    static boolean allows(Document term, Map<String, String> labels) {
        Object expressions = term.at("matchLabelExpressions").orElse(List.of());
        return expressions instanceof Collection<?> all
                && all.stream()
                        .allMatch(expression -> expression instanceof Map<?, ?> fields
                                && fields.get("key") instanceof String key
                                && fields.get("values") instanceof Collection<?> values
                                && labels.containsKey(key)
                                && values.contains(labels.get(key)));
    }
}
