// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static dev.mooring.binder.explain.StuckSituation.DRIVER;
import static dev.mooring.binder.explain.StuckSituation.attachFailed;
import static dev.mooring.binder.explain.StuckSituation.attached;
import static dev.mooring.binder.explain.StuckSituation.attaching;
import static dev.mooring.binder.explain.StuckSituation.bound;
import static dev.mooring.binder.explain.StuckSituation.cordoned;
import static dev.mooring.binder.explain.StuckSituation.csiNode;
import static dev.mooring.binder.explain.StuckSituation.deleting;
import static dev.mooring.binder.explain.StuckSituation.disk;
import static dev.mooring.binder.explain.StuckSituation.event;
import static dev.mooring.binder.explain.StuckSituation.exclusive;
import static dev.mooring.binder.explain.StuckSituation.having;
import static dev.mooring.binder.explain.StuckSituation.notReady;
import static dev.mooring.binder.explain.StuckSituation.off;
import static dev.mooring.binder.explain.StuckSituation.other;
import static dev.mooring.binder.explain.StuckSituation.using;
import static dev.mooring.binder.explain.StuckSituation.web;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSchedulingGate;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods that are stuck. */
final class StuckPods extends SituationTable {
    private StuckPods() {}

    static List<StuckSituation> all() {
        StuckPods pods = new StuckPods();
        pods.claims();
        pods.scheduling();
        pods.onNodes();
        pods.leaving();
        return pods.all;
    }

    private void claims() {
        pod(
                "no claim of the name",
                "Pending: Volume v needs claim default/data, which does not exist.",
                CauseCode.CLAIM_MISSING,
                RemedyKind.MAKE_CLAIM,
                web(""),
                ExplainedObjects.node("n1"));
        pod(
                "the claim's name is misspelt",
                "Pending: Volume v needs claim default/data, which does not exist; did you mean date? "
                        + "There are: date.",
                CauseCode.CLAIM_MISSING,
                RemedyKind.MAKE_CLAIM,
                web(""),
                ExplainedObjects.node("n1"),
                named(bound(), "date"));
        pod(
                "the ephemeral claim is not made yet",
                "Pending: Volume v waits for claim default/web-v, which is made from the pod's template.",
                CauseCode.CLAIM_MISSING,
                ephemeral(),
                ExplainedObjects.node("n1"),
                ExplainedObjects.volume("free", "1Gi"));
        pod(
                "the ephemeral claim is another's",
                "Pending: Volume v is ephemeral and needs a claim of its own, but claim default/web-v has "
                        + "that name and is not the pod's.",
                CauseCode.CLAIM_OF_ANOTHER,
                RemedyKind.REPLACE_POD,
                ephemeral(),
                ExplainedObjects.node("n1"),
                named(bound(), "web-v"),
                disk());
        pod(
                "the claim is Pending, a volume is too small",
                "Pending: Volume v needs claim default/data, which is Pending: Volume small would fit, but "
                        + "is 9Gi short: it has 1Gi and the claim requests 10Gi.",
                CauseCode.CLAIM_PENDING,
                RemedyKind.FIT_CLAIM,
                web(""),
                ExplainedObjects.node("n1"),
                ExplainedObjects.claim("10Gi"),
                ExplainedObjects.volume("small", "1Gi"));
        pod(
                "the claim is Pending, the class is misspelt",
                "Pending: Volume v needs claim default/data, which is Pending: Storage class manuel does "
                        + "not exist; did you mean manual? There are: manual.",
                CauseCode.CLAIM_PENDING,
                RemedyKind.CHOOSE_CLASS,
                web(""),
                ExplainedObjects.node("n1"),
                ExplainedObjects.ofClass("manuel"),
                ExplainedObjects.storageClass("manual", "kubernetes.io/no-provisioner", ExplainerWorld.NOW),
                ExplainedObjects.spec(
                        ExplainedObjects.volume("pv1", "1Gi"),
                        spec -> spec.withStorageClassName(Optional.of("manual"))));
        pod(
                "the claim is Pending, the provisioner is silent",
                "Pending: Volume v needs claim default/data, which is Pending: The external provisioner "
                        + "made.example.com has to make the volume, for 60 min now; its last event says: \"pool is "
                        + "full\"",
                CauseCode.CLAIM_PENDING,
                RemedyKind.LOOK,
                web(""),
                ExplainedObjects.node("n1"),
                ExplainedObjects.ofClass("fast"),
                ExplainedObjects.storageClass("fast", "made.example.com", ExplainerWorld.NOW),
                event("PersistentVolumeClaim", "data", "ProvisioningFailed", "pool is full"));
        pod(
                "the claim is Lost",
                "Pending: Volume v needs claim default/data, which is Lost: The claim was bound to volume "
                        + "pv, which does not exist any more.",
                CauseCode.CLAIM_LOST,
                RemedyKind.RESTORE_VOLUME,
                web(""),
                ExplainedObjects.node("n1"),
                bound().withStatus(bound().status().withPhase(ClaimPhase.LOST)));
        pod(
                "the claim is being deleted",
                "Pending: Volume v needs claim default/data, which is being deleted; no pod starts with " + "it.",
                CauseCode.CLAIM_TERMINATING,
                RemedyKind.REPLACE_CLAIM,
                web(""),
                ExplainedObjects.node("n1"),
                ExplainedObjects.volume("free", "1Gi"),
                ExplainedObjects.deleting(ExplainedObjects.claim("1Gi"), Finalizers.PVC_PROTECTION)
                        .withStatus(bound().status()));
        pod(
                "another pod has the ReadWriteOncePod claim",
                "Pending: Volume v needs claim default/data, which is ReadWriteOncePod, and pod "
                        + "default/old uses it.",
                CauseCode.CLAIM_EXCLUSIVE,
                RemedyKind.DELETE_PODS,
                web(""),
                ExplainedObjects.node("n1"),
                exclusive(),
                disk(),
                other("n1"));
        pod(
                "another pod with the ReadWriteOncePod claim is being deleted",
                "Pending: Volume v needs claim default/data, which is ReadWriteOncePod, and pod "
                        + "default/old uses it; it is being deleted.",
                CauseCode.CLAIM_EXCLUSIVE,
                web(""),
                ExplainedObjects.node("n1"),
                exclusive(),
                disk(),
                deleting(other("n1")));
    }

    private static PersistentVolumeClaim named(PersistentVolumeClaim claim, String name) {
        return claim.withMetadata(claim.metadata().withName(name));
    }

    private static Pod ephemeral() {
        VolumeSource source = new VolumeSource("ephemeral", Document.empty());
        return web("").withSpec(web("").spec().withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
    }

    private void scheduling() {
        pod(
                "the pod has a scheduling gate",
                "Pending: The pod is not given to the scheduler while it has scheduling gates: " + "example.com/quota.",
                CauseCode.POD_GATED,
                web("").withSpec(web("").spec()
                        .withSchedulingGates(List.of(new PodSchedulingGate("example.com/quota")))),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"));
        pod(
                "the scheduler finds no node",
                "Pending: No node has been chosen for the pod. The scheduler says: \"0/1 nodes are "
                        + "available: 1 Insufficient cpu.\"",
                CauseCode.POD_UNSCHEDULED,
                RemedyKind.LOOK,
                web(""),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"),
                event("Pod", "web", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu."));
        pod(
                "the scheduler is silent",
                "Pending: No node has been chosen for the pod. The scheduler has said nothing about it.",
                CauseCode.POD_UNSCHEDULED,
                RemedyKind.LOOK,
                web(""),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"));
        pod(
                "no node reaches the volume",
                "Pending: Volume pv can be used on no node: it wants label kubernetes.io/hostname In [n9] "
                        + "(nodes have [n1]).",
                CauseCode.NODE_AFFINITY,
                RemedyKind.ADD_NODE,
                web(""),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainedObjects.reachedFrom(ExplainerWorld.owned("pv"), "n9"));
        pod(
                "the volume's node is cordoned",
                "Pending: Volume pv can be used only on n2, which takes no new pods: it is cordoned.",
                CauseCode.NODE_CORDONED,
                RemedyKind.UNCORDON,
                web(""),
                ExplainedObjects.node("n1"),
                cordoned("n2"),
                bound(),
                ExplainedObjects.reachedFrom(ExplainerWorld.owned("pv"), "n2"));
        pod(
                "the volume's node is not ready",
                "Pending: Volume pv can be used only where no node is ready: node n2 is not ready since "
                        + "2000-01-01T00:00:00Z (\"Kubelet stopped posting node status\").",
                CauseCode.NODE_NOT_READY,
                web(""),
                ExplainedObjects.node("n1"),
                notReady("n2"),
                bound(),
                ExplainedObjects.reachedFrom(ExplainerWorld.owned("pv"), "n2"));
        pod(
                "no node has room",
                "Pending: Volume pv can be attached to no node: each has as many volumes of driver "
                        + "fast.example.com as it can have (n1 1 of 1).",
                CauseCode.ATTACH_LIMIT,
                RemedyKind.ADD_NODE,
                web(""),
                ExplainedObjects.node("n1"),
                csiNode("n1", Optional.of(1L), DRIVER),
                bound(),
                disk(),
                ExplainerWorld.attachment("full", DRIVER, "n1"));
    }

    private void onNodes() {
        pod(
                "its node does not exist",
                "Pending: The pod was placed on node n8, which does not exist; there are: n1.",
                CauseCode.NODE_GONE,
                RemedyKind.REPLACE_POD,
                web("n8"),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"));
        pod(
                "its node is not ready",
                "Pending: The pod was placed on a node that does nothing now: node n2 is not ready since "
                        + "2000-01-01T00:00:00Z (\"Kubelet stopped posting node status\").",
                CauseCode.NODE_NOT_READY,
                RemedyKind.LOOK,
                web("n2"),
                ExplainedObjects.node("n1"),
                notReady("n2"),
                bound(),
                ExplainerWorld.owned("pv"));
        pod(
                "the driver is not on the node",
                "Pending: Volume v needs driver fast.example.com, which is not registered on node n1; did "
                        + "you mean fasd.example.com? There are: fasd.example.com.",
                CauseCode.DRIVER_NOT_REGISTERED,
                RemedyKind.LOOK,
                web("n1"),
                having("n1"),
                csiNode("n1", Optional.empty(), "fasd.example.com"),
                attached("n1"),
                bound(),
                disk());
        pod(
                "no attach has begun",
                "Pending: Volume pv is not attached to node n1: \"AttachVolume.Attach failed for volume "
                        + "\"pv\": later\".",
                CauseCode.NOT_ATTACHED,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                disk(),
                event("Pod", "web", "FailedAttachVolume", "AttachVolume.Attach failed for volume \"pv\": later"));
        pod(
                "the attacher is silent",
                "Pending: Volume pv is being attached to node n1 by fast.example.com, which has said " + "nothing yet.",
                CauseCode.NOT_ATTACHED,
                RemedyKind.LOOK,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                disk(),
                attaching("n1"));
        pod(
                "attaching fails",
                "Pending: Attaching volume pv to node n1 failed: \"rpc error: disk is locked\".",
                CauseCode.ATTACH_FAILED,
                RemedyKind.LOOK,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                disk(),
                attachFailed("n1", "rpc error: disk is locked", 13));
        pod(
                "the node is full",
                "Pending: Node n2 has no room for volume pv: driver fast.example.com says \"rpc error: too "
                        + "many volumes\".",
                CauseCode.ATTACH_LIMIT,
                RemedyKind.REPLACE_POD,
                web("n2"),
                ExplainedObjects.node("n1"),
                ExplainedObjects.node("n2"),
                bound(),
                disk(),
                attachFailed("n2", "rpc error: too many volumes", 8));
        pod(
                "another node has the volume for a pod",
                "Pending: Volume pv is wanted on node n1 and may be attached to one node only, but is "
                        + "attached to node n2, where pod default/old uses it.",
                CauseCode.USED_BY_PODS,
                RemedyKind.DELETE_PODS,
                web("n1"),
                ExplainedObjects.node("n1"),
                ExplainedObjects.node("n2"),
                other("n2"),
                bound(),
                disk(),
                attached("n2"));
        pod(
                "another node has the volume for nothing",
                "Pending: Volume pv is wanted on node n1 and may be attached to one node only, but is "
                        + "attached to node n2. Nothing keeps it there.",
                CauseCode.MULTI_ATTACH,
                web("n1"),
                ExplainedObjects.node("n1"),
                ExplainedObjects.node("n2"),
                bound(),
                disk(),
                attached("n2"));
        pod(
                "a node that is not ready has the volume",
                "Pending: Volume pv is wanted on node n1 and may be attached to one node only, but is "
                        + "attached to node n2. It is not detached while node n2 is not ready since "
                        + "2000-01-01T00:00:00Z (\"Kubelet stopped posting node status\") and pod default/old may "
                        + "run there.",
                CauseCode.NODE_NOT_READY,
                RemedyKind.LOOK,
                web("n1"),
                ExplainedObjects.node("n1"),
                notReady("n2"),
                deleting(other("n2")),
                bound(),
                disk(),
                attached("n2"));
        pod(
                "a node that has gone has the volume",
                "Pending: Volume pv is wanted on node n1 and may be attached to one node only, but is "
                        + "attached to node n2. Node n2 does not exist any more.",
                CauseCode.NODE_GONE,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                disk(),
                attached("n2"));
        pod(
                "a node that is out of service has the volume",
                "Pending: Volume pv is wanted on node n1 and may be attached to one node only, but is "
                        + "attached to node n2. Node n2 is declared to be out of service, so its volumes are "
                        + "detached by force.",
                CauseCode.NODE_OUT_OF_SERVICE,
                web("n1"),
                ExplainedObjects.node("n1"),
                off(notReady("n2")),
                bound(),
                disk(),
                attached("n2"));
        pod(
                "the node does not report the volume",
                "Pending: Volume pv is attached, but the agent of node n1 has not said that it uses it "
                        + "(status.volumesInUse); it mounts volume v after that.",
                CauseCode.NOT_IN_USE,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                disk(),
                attached("n1"));
        pod(
                "the node is not told of the attachment",
                "Pending: Volume pv is attached, but the Node does not say so yet " + "(status.volumesAttached).",
                CauseCode.NOT_ATTACHED,
                web("n1"),
                using("n1"),
                bound(),
                disk(),
                attached("n1"));
        pod(
                "mounting fails",
                "Pending: Mounting a volume failed. Node n1 says: \"MountVolume.SetUp failed: mount.nfs: "
                        + "access denied by server\"",
                CauseCode.MOUNT_FAILED,
                RemedyKind.LOOK,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"),
                event("Pod", "web", "FailedMount", "MountVolume.SetUp failed: mount.nfs: access denied by server"));
        pod(
                "a secret is missing",
                "Pending: The pod needs secret default/key, which does not exist. Node n1 says: "
                        + "\"MountVolume.SetUp failed for volume \"key\": secret \"key\" not found\"",
                CauseCode.CONTENT_MISSING,
                RemedyKind.MAKE_CONTENT,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"),
                event(
                        "Pod",
                        "web",
                        "FailedMount",
                        "MountVolume.SetUp failed for volume \"key\": secret \"key\" not found"));
        pod(
                "a configMap is missing",
                "Pending: The pod needs configMap default/settings, which does not exist. Node n1 says: "
                        + "\"configmap \"settings\" not found\"",
                CauseCode.CONTENT_MISSING,
                RemedyKind.MAKE_CONTENT,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"),
                event("Pod", "web", "FailedMount", "configmap \"settings\" not found"));
        pod(
                "the node is silent",
                "Pending: Nothing keeps the volumes from being mounted; the agent of node n1 has said "
                        + "nothing yet.",
                CauseCode.MOUNTING,
                web("n1"),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"));
        pod(
                "an image is missing",
                "Pending: No volume keeps the pod: container main waits, ImagePullBackOff (\"no such " + "image\").",
                CauseCode.NO_VOLUME_WAITS,
                RemedyKind.LOOK,
                pulling(),
                ExplainedObjects.node("n1"),
                bound(),
                ExplainerWorld.owned("pv"));
    }

    private static Pod pulling() {
        ContainerStatus.State state = new ContainerStatus.State(
                Optional.of(Document.of(Map.of("reason", "ImagePullBackOff", "message", "no such image"))),
                Optional.empty(),
                Optional.empty());
        return web("n1")
                .withStatus(web("n1").status().withContainerStatuses(List.of(new ContainerStatus("main", state))));
    }

    private void leaving() {
        pod(
                "it is being deleted",
                "Terminating, Pending: The pod is being deleted; node n1 ends its containers and unmounts "
                        + "its volumes.",
                CauseCode.POD_TERMINATING,
                deleting(web("n1")),
                ExplainedObjects.node("n1"));
        pod(
                "it is being deleted on a node that is not ready",
                "Terminating, Pending: The pod is being deleted, but node n2 is not ready since "
                        + "2000-01-01T00:00:00Z (\"Kubelet stopped posting node status\"), so it is unknown whether "
                        + "the pod still runs.",
                CauseCode.NODE_NOT_READY,
                RemedyKind.LOOK,
                deleting(web("n2")),
                notReady("n2"));
    }
}
