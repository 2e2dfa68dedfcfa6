// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The nodes of a snapshot. */
final class ExplainedNodes {
    private static final int MOST_NAMES = 5;

    private ExplainedNodes() {}

    static boolean any(Snapshot snapshot) {
        return !all(snapshot).isEmpty();
    }

    static Collection<Node> all(Snapshot snapshot) {
        return snapshot.all(Kinds.NODE);
    }

    static Optional<Node> named(Snapshot snapshot, String name) {
        return snapshot.get(Kinds.NODE, ObjectKey.cluster(name));
    }

    /** The values that nodes have under a label, in order. */
    static List<String> values(Snapshot snapshot, String label) {
        return all(snapshot).stream()
                .map(node -> node.metadata().labels())
                .filter(labels -> labels.containsKey(label))
                .map(labels -> labels.get(label))
                .distinct()
                .sorted()
                .toList();
    }

    /** The nodes that a volume is attached to, or being so. */
    static List<String> holding(Snapshot snapshot, PersistentVolume volume) {
        return snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> attachment
                        .spec()
                        .source()
                        .persistentVolumeName()
                        .filter(volume.metadata().name()::equals)
                        .isPresent())
                .map(attachment -> attachment.spec().nodeName())
                .toList();
    }

    /** The attachments of a volume. */
    static List<VolumeAttachment> attachments(Snapshot snapshot, String volume) {
        return snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> volumeOf(attachment).equals(Optional.of(volume)))
                .toList();
    }

    /** The volume that is attached; empty for one that is written in a pod. */
    static Optional<String> volumeOf(VolumeAttachment attachment) {
        return attachment.spec().source().persistentVolumeName();
    }

    /** The pods on a node that use a volume and may still run. */
    static List<Pod> users(Snapshot snapshot, String volume, String node) {
        Optional<ObjectKey> claim = snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                .flatMap(found -> found.spec().claimRef())
                .map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
        return claim.map(key -> users(snapshot, key)).orElse(List.of()).stream()
                .filter(pod -> pod.spec().nodeName().equals(node) && !pod.hasEnded())
                .toList();
    }

    /** The pods that name a claim, in order of their names. */
    static List<Pod> users(Snapshot snapshot, ObjectKey claim) {
        return snapshot.all(Kinds.POD).stream()
                .filter(pod -> pod.metadata().namespace().equals(claim.namespace())
                        && pod.spec().volumes().stream()
                                .anyMatch(volume ->
                                        volume.claimName(pod.metadata().name()).equals(Optional.of(claim.name()))))
                .toList();
    }

    /** The drivers that have registered on a node; empty if nothing is known of the node's drivers. */
    static Optional<List<String>> drivers(Snapshot snapshot, String node) {
        return snapshot.get(Kinds.CSI_NODE, ObjectKey.cluster(node))
                .map(found ->
                        found.spec().drivers().stream().map(CSINodeDriver::name).toList());
    }

    /** That a node is not ready, in words: since when, and what its agent said. */
    static String notReady(Node node) {
        return "node " + node.metadata().name() + " is not ready" + how(node);
    }

    /** Since when a node is not ready, and what its agent said. */
    static String how(Node node) {
        return node.readyCondition()
                .map(condition -> condition
                                .lastTransitionTime()
                                .map(since -> " since " + since)
                                .orElse("")
                        + (condition.message().isEmpty()
                                ? ""
                                : " (\"" + condition.message().replaceAll("\\.$", "") + "\")"))
                .orElse("");
    }

    /** Since when a node is in its state, as far as it says. */
    static Optional<Instant> since(Node node) {
        return node.readyCondition().flatMap(Condition::lastTransitionTime);
    }

    /** Names of pods, at most five of them. */
    static String names(List<Pod> pods) {
        String named = pods.stream()
                .limit(MOST_NAMES)
                .map(pod -> ObjectKey.of(pod).toString())
                .collect(Collectors.joining(", "));
        return (pods.size() == 1 ? "pod " : "pods ")
                + named
                + (pods.size() > MOST_NAMES ? " and " + (pods.size() - MOST_NAMES) + " more" : "");
    }

    /** Names of pods, and that they use something. */
    static String use(List<Pod> pods) {
        return names(pods) + (pods.size() == 1 ? " uses it" : " use it");
    }

    /** That pods that were named go. */
    static String leaving(List<Pod> pods) {
        return pods.size() == 1 ? "; it is being deleted." : "; they are being deleted.";
    }

    /** How many volumes of a driver are attached to a node. */
    static long attached(Snapshot snapshot, String driver, String node) {
        return snapshot.all(Kinds.VOLUME_ATTACHMENT).stream()
                .filter(attachment -> attachment.spec().attacher().equals(driver)
                        && attachment.spec().nodeName().equals(node))
                .count();
    }

    /** How many volumes of a driver a node can have; empty if no object says. */
    static Optional<Long> limit(Snapshot snapshot, String driver, String node) {
        return snapshot.get(Kinds.CSI_NODE, ObjectKey.cluster(node))
                .flatMap(found -> found.spec().drivers().stream()
                        .filter(known -> known.name().equals(driver))
                        .findFirst())
                .flatMap(known -> known.allocatable())
                .flatMap(allocatable -> allocatable.count());
    }

    /** Whether a volume can be used on a node. */
    static boolean reaches(Node node, PersistentVolume volume) {
        return volume.spec()
                .nodeAffinity()
                .map(affinity -> affinity.matches(node.metadata().labels()))
                .orElse(true);
    }
}
