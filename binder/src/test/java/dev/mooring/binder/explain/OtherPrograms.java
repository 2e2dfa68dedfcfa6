// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the programs do that an explanation waits for, besides the binder: each acts once when it is named. */
final class OtherPrograms {
    private final FollowedWorld world;

    OtherPrograms(FollowedWorld world) {
        this.world = world;
    }

    /** Whether the actor is a program, not a person. */
    static boolean isProgram(String actor) {
        return !actor.equals("user") && !actor.equals("administrator");
    }

    void act(String actor, PersistentVolumeClaim asker) {
        if (actor.equals("scheduler")) {
            schedule(asker);
        } else if (actor.startsWith("provisioner ") || actor.equals("populator")) {
            provision(asker);
        } else if (actor.equals("attach-detach controller")) {
            world.all(Kinds.VOLUME_ATTACHMENT)
                    .forEach(attachment -> world.delete(Kinds.VOLUME_ATTACHMENT, ObjectKey.of(attachment)));
        } else if (actor.startsWith("resizer of ")) {
            resize(asker);
        } else if (actor.startsWith("node ")) {
            ready(ObjectKey.cluster(actor.substring("node ".length())));
        } else if (actor.startsWith("owner of finalizer ")
                || actor.startsWith("attacher ")
                || actor.equals("external provisioner")) {
            letGo();
        } else if (!actor.endsWith("-controller") && !actor.startsWith("plugin ")) {
            throw new AssertionError("this test does not play " + actor);
        }
        world.settle();
    }

    /** Chooses a node for the pods of a claim, and with a class that makes no volumes takes one for it, as schedulers do. */
    private void schedule(PersistentVolumeClaim asker) {
        StorageClass storageClass = StorageClasses.nameOf(asker)
                .flatMap(name -> world.find(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)))
                .orElseThrow();
        List<Node> nodes = world.all(Kinds.NODE).stream()
                .filter(node -> node.isReady() && hasRoom(node, storageClass.provisioner()))
                .toList();
        for (Node node : nodes) {
            Optional<PersistentVolume> volume = world.all(Kinds.PERSISTENT_VOLUME).stream()
                    .filter(found -> found.spec().claimRef().isEmpty()
                            && StorageClasses.nameOf(found).equals(StorageClasses.nameOf(asker))
                            && found.spec().storage().compareTo(asker.spec().requestedStorage()) >= 0
                            && ExplainedNodes.reaches(node, found))
                    .findFirst();
            if (volume.isPresent() || !storageClass.provisioner().equals(Provisioners.NONE)) {
                volume.ifPresent(found -> give(found, asker));
                select(asker, node.metadata().name());
                return;
            }
        }
        if (nodes.isEmpty() && world.all(Kinds.NODE).isEmpty()) {
            Node node = Node.of("n1");
            world.create(node.withMetadata(node.metadata().withLabels(Map.of("kubernetes.io/hostname", "n1"))));
            schedule(asker);
        }
    }

    private boolean hasRoom(Node node, String driver) {
        Snapshot snapshot = Snapshot.of(world.objects(), ExplainedObjects.START);
        String name = node.metadata().name();
        return ExplainedNodes.limit(snapshot, driver, name)
                .filter(limit -> ExplainedNodes.attached(snapshot, driver, name) >= limit)
                .isEmpty();
    }

    private void give(PersistentVolume volume, PersistentVolumeClaim asker) {
        world.patch(
                Kinds.PERSISTENT_VOLUME,
                ObjectKey.of(volume),
                Document.empty().with(reference(asker), "spec", "claimRef"));
    }

    private static Map<String, Object> reference(PersistentVolumeClaim claim) {
        return Map.of(
                "kind",
                "PersistentVolumeClaim",
                "apiVersion",
                "v1",
                "namespace",
                claim.metadata().namespace(),
                "name",
                claim.metadata().name(),
                "uid",
                claim.metadata().uid());
    }

    private void select(PersistentVolumeClaim claim, String node) {
        world.patch(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of(claim),
                Document.empty().with(node, "metadata", "annotations", Annotations.SELECTED_NODE));
    }

    /** Makes a volume for a claim, or destroys those that are released to it. */
    private void provision(PersistentVolumeClaim asker) {
        world.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(volume -> volume.status().phase() == PersistentVolumePhase.RELEASED
                        && volume.spec().persistentVolumeReclaimPolicy() == ReclaimPolicy.DELETE)
                .forEach(volume -> world.delete(Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume)));
        if (asker.spec().volumeName().isEmpty()
                && world.find(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(asker))
                        .isPresent()) {
            ObjectReference owner = ObjectReference.EMPTY
                    .withKind("PersistentVolumeClaim")
                    .withApiVersion("v1")
                    .withNamespace(asker.metadata().namespace())
                    .withName(asker.metadata().name())
                    .withUid(asker.metadata().uid());
            world.create(ExplainedObjects.spec(
                    ExplainedObjects.csi(
                            ExplainedObjects.volume("pvc-" + asker.metadata().uid(), "1Gi"), "made.example.com"),
                    spec -> spec.withStorageClassName(StorageClasses.nameOf(asker))
                            .withStorage(asker.spec().requestedStorage())
                            .withAccessModes(asker.spec().accessModes())
                            .withVolumeAttributesClassName(asker.spec().volumeAttributesClassName())
                            .withClaimRef(Optional.of(owner))));
        }
    }

    private void resize(PersistentVolumeClaim asker) {
        PersistentVolumeClaim claim =
                world.find(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(asker)).orElseThrow();
        Quantity wanted = claim.spec().requestedStorage();
        PersistentVolume volume = world.find(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName()))
                .orElseThrow();
        world.put(ExplainedObjects.spec(volume, spec -> spec.withStorage(wanted)));
        world.put(claim.withStatus(
                claim.status().withCapacity(Map.of("storage", wanted)).withConditions(List.of())));
    }

    private void ready(ObjectKey key) {
        Node node = world.find(Kinds.NODE, key).orElseThrow();
        world.put(node.withStatus(node.status().withConditions(List.of())));
    }

    /** Programs of others take their finalizers away. */
    private void letGo() {
        world.all(Kinds.PERSISTENT_VOLUME).forEach(volume -> letGo(Kinds.PERSISTENT_VOLUME, volume));
        world.all(Kinds.PERSISTENT_VOLUME_CLAIM).forEach(claim -> letGo(Kinds.PERSISTENT_VOLUME_CLAIM, claim));
    }

    private void letGo(Kind<?> kind, KubernetesObject object) {
        List<String> kept = object.metadata().finalizers().stream()
                .filter(finalizer -> List.of(Finalizers.PV_PROTECTION, Finalizers.PVC_PROTECTION)
                        .contains(finalizer))
                .toList();
        if (object.metadata().isDeleting() && !kept.equals(object.metadata().finalizers())) {
            world.patch(
                    kind,
                    ObjectKey.of(object),
                    Document.empty().with(kept.isEmpty() ? JsonNull.NULL : kept, "metadata", "finalizers"));
        }
    }
}
