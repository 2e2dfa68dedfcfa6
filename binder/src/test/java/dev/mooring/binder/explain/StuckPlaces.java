// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static dev.mooring.binder.explain.StuckSituation.DRIVER;
import static dev.mooring.binder.explain.StuckSituation.attachFailed;
import static dev.mooring.binder.explain.StuckSituation.attached;
import static dev.mooring.binder.explain.StuckSituation.attaching;
import static dev.mooring.binder.explain.StuckSituation.bound;
import static dev.mooring.binder.explain.StuckSituation.csiNode;
import static dev.mooring.binder.explain.StuckSituation.detachFailed;
import static dev.mooring.binder.explain.StuckSituation.detaching;
import static dev.mooring.binder.explain.StuckSituation.disk;
import static dev.mooring.binder.explain.StuckSituation.exclusive;
import static dev.mooring.binder.explain.StuckSituation.notReady;
import static dev.mooring.binder.explain.StuckSituation.off;
import static dev.mooring.binder.explain.StuckSituation.other;
import static dev.mooring.binder.explain.StuckSituation.ready;
import static dev.mooring.binder.explain.StuckSituation.using;
import static dev.mooring.binder.explain.StuckSituation.web;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Attachments, nodes and classes that are stuck, and claims that others own. */
final class StuckPlaces extends SituationTable {
    private StuckPlaces() {}

    static List<StuckSituation> all() {
        StuckPlaces places = new StuckPlaces();
        places.attachments();
        places.ownersOfClaims();
        places.nodes();
        places.classes();
        return places.all;
    }

    private void attachment(
            String name, String answer, CauseCode code, Optional<RemedyKind> first, KubernetesObject... objects) {
        add(Kinds.VOLUME_ATTACHMENT, "csi-pv", name, answer, code, first, objects);
    }

    private void attachments() {
        attachment(
                "attached, and no pod uses it",
                "attached: Volume pv is attached to node n1, where no pod uses it. Nothing keeps it there.",
                CauseCode.UNUSED_ATTACHMENT,
                Optional.empty(),
                ExplainedObjects.node("n1"),
                disk(),
                bound(),
                attached("n1"));
        attachment(
                "detaching fails",
                "Terminating, attached: Volume pv is to be detached from node n1, and detaching it failed: "
                        + "\"rpc error: device is busy\".",
                CauseCode.DETACH_FAILED,
                Optional.empty(),
                ExplainedObjects.node("n1"),
                disk(),
                bound(),
                detachFailed("n1", "rpc error: device is busy"));
        attachment(
                "to be detached, and the node still uses it",
                "Terminating, attached: Volume pv is to be detached from node n1. The agent of node n1 "
                        + "says that it still uses the volume: it is not unmounted yet.",
                CauseCode.DETACHING,
                Optional.empty(),
                using("n1"),
                disk(),
                bound(),
                detaching("n1"));
        attachment(
                "its volume does not exist",
                "not attached: Volume pv is to be attached to node n1, but does not exist.",
                CauseCode.NAMED_VOLUME_MISSING,
                Optional.empty(),
                ExplainedObjects.node("n1"),
                attaching("n1"));
    }

    private void node(
            String name, String answer, CauseCode code, Optional<RemedyKind> first, KubernetesObject... objects) {
        add(Kinds.NODE, "n1", name, answer, code, first, objects);
    }

    /** The pods that would be deleted own the claim, so its data goes with them. */
    private void ownersOfClaims() {
        attachment(
                "to be detached, and the pod has it as its ephemeral volume",
                "Terminating, attached: Volume pv is to be detached from node n1, where pod default/old uses it.",
                CauseCode.USED_BY_PODS,
                Optional.of(RemedyKind.DELETE_PODS),
                ExplainedObjects.node("n1"),
                owner(other("n1")),
                disk(),
                ownedBy(owner(other("n1")), bound()),
                detaching("n1"));
        pod(
                "another pod has the ReadWriteOncePod claim as its ephemeral volume",
                "Pending: Volume v needs claim default/data, which is ReadWriteOncePod, and pod default/old uses it.",
                CauseCode.CLAIM_EXCLUSIVE,
                RemedyKind.DELETE_PODS,
                web(""),
                ExplainedObjects.node("n1"),
                ownedBy(owner(other("n1")), exclusive()),
                disk(),
                owner(other("n1")));
    }

    private static Pod owner(Pod pod) {
        return pod.withMetadata(pod.metadata().withUid("00000000-0000-4000-8000-0000000000f2"));
    }

    private static PersistentVolumeClaim ownedBy(Pod pod, PersistentVolumeClaim claim) {
        return claim.withMetadata(claim.metadata()
                .withOwnerReferences(List.of(new OwnerReference(
                        "v1", "Pod", pod.metadata().name(), pod.metadata().uid(), true, true))));
    }

    private void nodes() {
        node(
                "not ready, with a volume",
                "NotReady: It is not ready since 2000-01-01T00:00:00Z (\"Kubelet stopped posting node "
                        + "status\"). 1 volume stays attached, since it is unknown whether pod default/old still runs.",
                CauseCode.NODE_NOT_READY,
                Optional.of(RemedyKind.LOOK),
                notReady("n1"),
                other("n1"),
                disk(),
                bound(),
                attached("n1"));
        node(
                "out of service, with nothing left",
                "Ready: The node is declared to be out of service, but is ready: no volume is attached to "
                        + "it any more.",
                CauseCode.NODE_OUT_OF_SERVICE,
                Optional.of(RemedyKind.BACK_IN_SERVICE),
                off(ready("n1")));
        node(
                "a volume is stuck in attach",
                "Ready: Attaching volume pv to node n1 failed: \"rpc error: disk is locked\".",
                CauseCode.ATTACH_FAILED,
                Optional.of(RemedyKind.LOOK),
                ready("n1"),
                csiNode("n1", Optional.of(5L), DRIVER),
                web("n1"),
                disk(),
                bound(),
                attachFailed("n1", "rpc error: disk is locked", 13));
    }

    private void storageClass(
            String name, String answer, CauseCode code, RemedyKind first, KubernetesObject... objects) {
        add(Kinds.STORAGE_CLASS, "fast", name, answer, code, Optional.of(first), objects);
    }

    private void classes() {
        storageClass(
                "the provisioner is misspelt",
                "unused: No plugin here and no CSIDriver object is named fsat.example.com; did you mean "
                        + "fast.example.com? There are: fast.example.com.",
                CauseCode.PROVISIONER_UNKNOWN,
                RemedyKind.CORRECT_CLASS,
                ExplainedObjects.storageClass("fast", "fsat.example.com", ExplainerWorld.NOW),
                new CSIDriver(ObjectMeta.named(DRIVER), CSIDriverSpec.EMPTY));
        storageClass(
                "the provisioner is not installed",
                "unused: No plugin here and no CSIDriver object is named fast.example.com.",
                CauseCode.PROVISIONER_UNKNOWN,
                RemedyKind.LOOK,
                ExplainedObjects.storageClass("fast", DRIVER, ExplainerWorld.NOW));
        storageClass(
                "it has no binding mode",
                "unused: The class has no known volumeBindingMode, so no claim of it is bound.",
                CauseCode.CLASS_WITHOUT_BINDING_MODE,
                RemedyKind.REPLACE_CLASS,
                StorageClass.of("fast", DRIVER).withVolumeBindingMode(Optional.empty()),
                new CSIDriver(ObjectMeta.named(DRIVER), CSIDriverSpec.EMPTY));
        storageClass(
                "several classes are the default",
                "the default, unused: Several classes are the default: fast, slow. A claim that names none "
                        + "gets the newest one, fast.",
                CauseCode.SEVERAL_DEFAULT_CLASSES,
                RemedyKind.NOT_DEFAULT,
                byDefault("fast", 0),
                byDefault("slow", 1),
                new CSIDriver(ObjectMeta.named(DRIVER), CSIDriverSpec.EMPTY));
        storageClass(
                "no node is where it allows volumes",
                "unused: The class allows only nodes with zone in [z9]; no node has such labels.",
                CauseCode.TOPOLOGY,
                RemedyKind.ADD_NODE,
                ExplainedObjects.node("n1"),
                new CSIDriver(ObjectMeta.named(DRIVER), CSIDriverSpec.EMPTY),
                ExplainedObjects.storageClass("fast", DRIVER, ExplainerWorld.NOW)
                        .withAllowedTopologies(List.of(Document.of(Map.of(
                                "matchLabelExpressions", List.of(Map.of("key", "zone", "values", List.of("z9"))))))));
    }

    private static StorageClass byDefault(String name, int age) {
        StorageClass found = ExplainedObjects.storageClass(name, DRIVER, ExplainerWorld.NOW);
        return found.withMetadata(found.metadata()
                .withAnnotation(Annotations.IS_DEFAULT_CLASS, "true")
                .withCreationTimestamp(Optional.of(ExplainedObjects.START.minus(Duration.ofDays(age)))));
    }
}
