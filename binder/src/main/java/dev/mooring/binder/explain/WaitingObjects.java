// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * All that waits in a cluster, the oldest first. What has waited for less long than the last one is only counted.
 *
 * @param waiting what waits, explained
 * @param more how many others seem to wait; they are not explained
 * @param takenAt the time for which all this holds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitingObjects(List<Explanation> waiting, int more, Instant takenAt) {
    /** Copies the list. */
    public WaitingObjects {
        waiting = List.copyOf(waiting);
    }

    private record Candidate(Kind<?> kind, ObjectKey key, Optional<Instant> since) {}

    static WaitingObjects of(ExplainedCluster cluster, String namespace, int most) {
        Snapshot snapshot = cluster.snapshot();
        List<Candidate> candidates = new ArrayList<>();
        Set<AttachmentCauses.Place> used = AttachmentCauses.used(snapshot);
        add(
                snapshot,
                Kinds.PERSISTENT_VOLUME_CLAIM,
                namespace,
                candidates,
                claim -> claim.status().phase() != ClaimPhase.BOUND);
        add(snapshot, Kinds.PERSISTENT_VOLUME, namespace, candidates, WaitingObjects::waits);
        add(snapshot, Kinds.POD, namespace, candidates, WaitingObjects::waits);
        add(
                snapshot,
                Kinds.VOLUME_ATTACHMENT,
                namespace,
                candidates,
                attachment -> !AttachmentCauses.isWell(used, attachment));
        add(snapshot, Kinds.NODE, namespace, candidates, node -> !node.isReady() || node.hasOutOfServiceTaint());
        candidates.sort(
                Comparator.comparing((Candidate candidate) -> candidate.since().orElse(Instant.MAX)));
        List<Explanation> waiting = new ArrayList<>();
        int asked = 0;
        for (Candidate candidate : candidates) {
            if (waiting.size() == most) {
                break;
            }
            asked++;
            cluster.explain(candidate.kind(), candidate.key())
                    .filter(explanation -> !explanation.isWell())
                    .ifPresent(waiting::add);
        }
        waiting.sort(Comparator.comparing(one -> one.since().orElse(Instant.MAX)));
        return new WaitingObjects(waiting, candidates.size() - asked, snapshot.takenAt());
    }

    private static <T extends KubernetesObject> void add(
            Snapshot snapshot, Kind<T> kind, String namespace, List<Candidate> candidates, Predicate<T> waits) {
        snapshot.all(kind).stream()
                .filter(object ->
                        namespace.isEmpty() || object.metadata().namespace().equals(namespace))
                .filter(object -> object.metadata().isDeleting() || waits.test(object))
                .forEach(object -> candidates.add(new Candidate(kind, ObjectKey.of(object), since(object))));
    }

    private static boolean waits(PersistentVolume volume) {
        return volume.status().phase() != PersistentVolumePhase.BOUND
                && volume.status().phase() != PersistentVolumePhase.AVAILABLE;
    }

    private static boolean waits(Pod pod) {
        return pod.status().phase() == PodPhase.PENDING || pod.status().phase() == PodPhase.UNKNOWN;
    }

    private static Optional<Instant> since(KubernetesObject object) {
        if (object instanceof Node node) {
            return ExplainedNodes.since(node);
        }
        Optional<Instant> released = object instanceof PersistentVolume volume
                ? volume.status().lastPhaseTransitionTime()
                : Optional.empty();
        return object.metadata()
                .deletionTimestamp()
                .or(() -> released)
                .or(() -> object.metadata().creationTimestamp());
    }

    /** One line for each, the last one ended too: how long it waits, what it is, and the answer. */
    public String text() {
        if (waiting.isEmpty()) {
            return "Nothing waits.\n";
        }
        StringBuilder text = new StringBuilder();
        for (Explanation one : waiting) {
            String age = one.since()
                    .map(since -> ProvisioningCauses.text(Duration.between(since, takenAt)))
                    .orElse("?");
            text.append(String.format(Locale.ROOT, "%-8s", age))
                    .append(' ')
                    .append(subject(one))
                    .append(": ")
                    .append(one.causes().get(0).text())
                    .append('\n');
        }
        return more == 0
                ? text.toString()
                : text.append("and ").append(more).append(" more\n").toString();
    }

    /** How one asks about an object: {@code pvc/shop/data}, {@code node/n1}. */
    private static String subject(Explanation one) {
        String word = switch (one.kind()) {
            case "PersistentVolumeClaim" -> "pvc";
            case "PersistentVolume" -> "pv";
            case "VolumeAttachment" -> "va";
            default -> one.kind().toLowerCase(Locale.ROOT);
        };
        return word + "/" + one.object();
    }

    /** For programs: {@code {"takenAt", "items": [explanations], "more"}}. */
    public Document document() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("takenAt", takenAt.toString());
        fields.put(
                "items",
                waiting.stream()
                        .map(explanation -> ExplanationDocument.of(explanation).asMap())
                        .toList());
        fields.put("more", more);
        return Document.of(fields);
    }
}
