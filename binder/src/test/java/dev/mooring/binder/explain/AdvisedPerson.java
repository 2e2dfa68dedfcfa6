// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.Taint;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A person who does what an explanation advises, step by step, and adds only what no explanation can know. */
final class AdvisedPerson {
    private final FollowedWorld world;

    AdvisedPerson(FollowedWorld world) {
        this.world = world;
    }

    void follow(Explanation.Remedy remedy) {
        remedy.actions().forEach(this::act);
        world.settle();
    }

    private void act(RemedyAction action) {
        if (action instanceof RemedyAction.Adopt adopt) {
            repair(
                    adopt.volume(),
                    repairs -> repairs.adopt(adopt.named() ? Optional.of(adopt.claim()) : Optional.empty()));
        } else if (action instanceof RemedyAction.Rebind rebind) {
            repair(rebind.volume(), VolumeRepairs::rebind);
        } else if (action instanceof RemedyAction.Discard discard) {
            repair(discard.volume(), VolumeRepairs::discard);
        } else if (action instanceof RemedyAction.Patch patch) {
            world.patch(patch.kind(), patch.object(), patch.merge());
        } else if (action instanceof RemedyAction.Delete delete) {
            delete.objects().forEach(key -> world.delete(delete.kind(), key));
        } else if (action instanceof RemedyAction.Edit edit) {
            correct(edit.object());
        } else if (action instanceof RemedyAction.Create create) {
            world.create(completed(create.template()));
        } else if (action instanceof RemedyAction.Replace replace) {
            replace(replace.template());
        } else if (action instanceof RemedyAction.OutOfService service) {
            taint(service);
        } else if (action instanceof RemedyAction.MakeContent content) {
            ObjectMeta named = ObjectMeta.named(
                    content.object().namespace(), content.object().name());
            world.create(
                    content.secret()
                            ? new Secret(named, "Opaque", Map.of(), Optional.empty())
                            : new ConfigMap(named, Map.of(), Map.of(), Optional.empty()));
        } else if (!(action instanceof RemedyAction.Look)) {
            throw new AssertionError("this person cannot " + action);
        }
    }

    private void taint(RemedyAction.OutOfService service) {
        Node node = world.find(Kinds.NODE, ObjectKey.cluster(service.node())).orElseThrow();
        world.put(node.withSpec(node.spec()
                .withTaints(
                        service.off()
                                ? List.of(new Taint(Node.OUT_OF_SERVICE, "nodeshutdown", "NoExecute", Optional.empty()))
                                : List.of())));
    }

    /** As the commands release and adopt do it: judged on what is there now. */
    private void repair(String name, Function<VolumeRepairs, Repair> act) {
        PersistentVolume volume =
                world.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).orElseThrow();
        Repair repair = act.apply(new VolumeRepairs(Snapshot.of(world.objects(), ExplainedObjects.START), volume));
        Change<PersistentVolume> change = repair.change()
                .orElseThrow(() -> new AssertionError("what is advised is refused: " + repair.objections()));
        world.store().update(Kinds.PERSISTENT_VOLUME, change).orThrow();
    }

    private void replace(KubernetesObject template) {
        if (template instanceof PersistentVolumeClaim claim) {
            world.all(Kinds.POD).stream()
                    .filter(pod ->
                            pod.metadata().namespace().equals(claim.metadata().namespace()))
                    .filter(pod -> pod.spec().volumes().stream()
                            .anyMatch(volume -> volume.claimName(pod.metadata().name())
                                    .equals(Optional.of(claim.metadata().name()))))
                    .forEach(pod -> world.delete(Kinds.POD, ObjectKey.of(pod)));
        }
        Kind<?> kind = template instanceof PersistentVolumeClaim
                ? Kinds.PERSISTENT_VOLUME_CLAIM
                : template instanceof Pod ? Kinds.POD : Kinds.STORAGE_CLASS;
        if (world.find(kind, ObjectKey.of(template)).isPresent()) {
            world.delete(kind, ObjectKey.of(template));
        }
        KubernetesObject made = completed(template);
        world.create(
                made instanceof StorageClass storageClass
                        ? storageClass.withMetadata(
                                storageClass.metadata().withUid("").withResourceVersion(""))
                        : made);
    }

    /** What only the person knows: a name, where the storage is, what a request should have been. */
    private static KubernetesObject completed(KubernetesObject template) {
        if (template instanceof PersistentVolume volume) {
            PersistentVolume named = volume.metadata().name().isEmpty()
                    ? volume.withMetadata(volume.metadata().withName("added"))
                    : volume;
            if (volume.spec().volumeAttributesClassName().isPresent()) {
                return ExplainedObjects.spec(
                        ExplainedObjects.csi(named, "fast.example.com"),
                        spec -> spec.withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN));
            }
            return ExplainedObjects.spec(
                    named,
                    spec -> spec.withSource(Optional.of(
                            new VolumeSource("nfs", Document.of(Map.of("server", "s", "path", "/added"))))));
        }
        if (template instanceof PersistentVolumeClaim claim
                && claim.spec().requestedStorage().signum() <= 0) {
            return ExplainedObjects.spec(claim, spec -> spec.withRequestedStorage(Quantity.parse("1Gi")));
        }
        if (template instanceof Node node) {
            return node.withMetadata(
                    node.metadata().withName("added").withLabels(node.metadata().labels()));
        }
        if (template instanceof Pod pod) {
            return pod.withMetadata(
                            pod.metadata().name().isEmpty() ? pod.metadata().withName("added") : pod.metadata())
                    .withSpec(pod.spec()
                            .withContainers(List.of(
                                    new Container("main", "registry.example.com/app:1", mounts(pod), List.of()))));
        }
        return template;
    }

    private static List<VolumeMount> mounts(Pod pod) {
        return pod.spec().volumes().stream()
                .map(volume -> new VolumeMount(volume.name(), "/" + volume.name(), false, "", "", Optional.empty()))
                .toList();
    }

    private void correct(ObjectKey key) {
        PersistentVolume volume = world.find(Kinds.PERSISTENT_VOLUME, key).orElseThrow();
        world.patch(Kinds.PERSISTENT_VOLUME, key, Document.empty().with(Map.of("storage", "1Gi"), "spec", "capacity"));
        if (volume.spec().storage().signum() > 0) {
            throw new AssertionError("only sizes are malformed here: " + List.of(volume));
        }
    }
}
