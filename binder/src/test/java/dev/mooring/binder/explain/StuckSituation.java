// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeDriverAllocatable;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.EventSource;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that is stuck, and what is said of it.
 *
 * @param answer the first line
 * @param code the first cause
 * @param first the kind of the first advice; empty if only programs have to act
 */
record StuckSituation(
        String name,
        List<KubernetesObject> objects,
        Kind<?> kind,
        ObjectKey key,
        String answer,
        CauseCode code,
        Optional<RemedyKind> first) {
    static final String DRIVER = "fast.example.com";
    private static final String DEVICE = "kubernetes.io/csi/" + DRIVER + "^pv";

    @Override
    public String toString() {
        return name;
    }

    // ---- objects, as short as a table needs them ----

    /** The pod that is asked about. */
    static Pod web(String node) {
        Pod pod = ExplainedObjects.pod("web", node);
        return pod.withMetadata(pod.metadata()
                        .withUid("00000000-0000-4000-8000-0000000000f1")
                        .withCreationTimestamp(Optional.of(ExplainedObjects.START)))
                .withStatus(pod.status().withPhase(PodPhase.PENDING));
    }

    /** Another pod that uses the claim. */
    static Pod other(String node) {
        Pod pod = ExplainedObjects.pod("old", node);
        ContainerStatus.State running =
                new ContainerStatus.State(Optional.empty(), Optional.of(Document.empty()), Optional.empty());
        return pod.withStatus(pod.status()
                .withPhase(PodPhase.RUNNING)
                .withContainerStatuses(List.of(new ContainerStatus("main", running))));
    }

    static Pod deleting(Pod pod) {
        return pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(ExplainedObjects.START)));
    }

    /** The claim's volume, of a CSI driver. */
    static PersistentVolume disk() {
        return ExplainedObjects.csi(ExplainerWorld.owned("pv"), DRIVER);
    }

    static PersistentVolumeClaim bound() {
        return ExplainedObjects.bound("pv");
    }

    static PersistentVolumeClaim exclusive() {
        return ExplainedObjects.spec(bound(), spec -> spec.withAccessModes(List.of(AccessMode.READ_WRITE_ONCE_POD)));
    }

    static Node notReady(String name) {
        return reporting(name, ConditionStatus.UNKNOWN, "NodeStatusUnknown", "Kubelet stopped posting node status.");
    }

    static Node ready(String name) {
        return reporting(name, ConditionStatus.TRUE, "KubeletReady", "kubelet is posting ready status");
    }

    private static Node reporting(String name, ConditionStatus ready, String reason, String message) {
        Node node = ExplainedObjects.node(name);
        return node.withStatus(node.status()
                .withConditions(List.of(new Condition(
                        "Ready",
                        ready,
                        reason,
                        message,
                        Optional.of(ExplainedObjects.START),
                        Optional.empty(),
                        Optional.empty()))));
    }

    static Node off(Node node) {
        return node.withSpec(node.spec()
                .withTaints(List.of(new Taint(
                        Node.OUT_OF_SERVICE, "nodeshutdown", "NoExecute", Optional.of(ExplainedObjects.START)))));
    }

    static Node cordoned(String name) {
        Node node = ExplainedObjects.node(name);
        return node.withSpec(node.spec().withUnschedulable(true));
    }

    /** A node that says that it uses the volume. */
    static Node using(String name) {
        Node node = ExplainedObjects.node(name);
        return node.withStatus(node.status().withVolumesInUse(List.of(DEVICE)));
    }

    /** A node that uses the volume and is told that it has it. */
    static Node having(String name) {
        Node node = using(name);
        return node.withStatus(node.status().withVolumesAttached(List.of(new AttachedVolume(DEVICE, ""))));
    }

    static VolumeAttachment attaching(String node) {
        VolumeAttachment attachment = ExplainerWorld.attachment("pv", DRIVER, node);
        return attachment.withMetadata(
                attachment.metadata().withCreationTimestamp(Optional.of(ExplainedObjects.START)));
    }

    static VolumeAttachment attached(String node) {
        VolumeAttachment attachment = attaching(node);
        return attachment.withStatus(attachment.status().withAttached(true));
    }

    static VolumeAttachment attachFailed(String node, String message, long code) {
        VolumeAttachment attachment = attaching(node);
        return attachment.withStatus(attachment
                .status()
                .withAttachError(
                        Optional.of(new VolumeError(Optional.of(ExplainedObjects.START), message, Optional.of(code)))));
    }

    static VolumeAttachment detaching(String node) {
        VolumeAttachment attachment = attached(node);
        return attachment.withMetadata(attachment
                .metadata()
                .withDeletionTimestamp(Optional.of(ExplainedObjects.START))
                .withFinalizers(List.of("external-attacher/fast-example-com")));
    }

    static VolumeAttachment detachFailed(String node, String message) {
        VolumeAttachment attachment = detaching(node);
        return attachment.withStatus(attachment
                .status()
                .withDetachError(
                        Optional.of(new VolumeError(Optional.of(ExplainedObjects.START), message, Optional.empty()))));
    }

    static CSINode csiNode(String node, Optional<Long> limit, String... drivers) {
        List<CSINodeDriver> all = new ArrayList<>();
        for (String driver : drivers) {
            all.add(new CSINodeDriver(
                    driver, node, List.of(), limit.map(count -> new CSINodeDriverAllocatable(Optional.of(count)))));
        }
        return new CSINode(ObjectMeta.named(node), new CSINodeSpec(all));
    }

    static Event event(String kind, String name, String reason, String message) {
        boolean cluster = kind.equals("PersistentVolume") || kind.equals("Node");
        return new Event(
                ObjectMeta.named("default", name + "." + reason.toLowerCase(Locale.ROOT)),
                ObjectReference.EMPTY.withKind(kind).withName(name).withNamespace(cluster ? "" : "default"),
                reason,
                message,
                "Warning",
                1,
                Optional.of(ExplainedObjects.START),
                Optional.of(ExplainedObjects.START),
                EventSource.EMPTY,
                "",
                "",
                "");
    }
}
