// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.control.FollowedWorld;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the programs around pods do when an explanation names them: each does its own part alone. */
final class PodPrograms {
    private final FollowedWorld world;

    PodPrograms(FollowedWorld world) {
        this.world = world;
    }

    void act(String actor) {
        String name = actor.substring(actor.lastIndexOf(' ') + 1);
        if (actor.equals("scheduler")) {
            world.all(Kinds.POD).stream()
                    .filter(pod -> pod.spec().nodeName().isEmpty())
                    .forEach(this::place);
        } else if (actor.equals("attach-detach controller")) {
            detach();
            attach();
        } else if (actor.startsWith("attacher ")) {
            attachers(name);
        } else if (actor.startsWith("node ")) {
            node(name);
        } else if (actor.startsWith("driver ")) {
            world.all(Kinds.CSI_NODE).forEach(known -> register(known, name));
        } else if (actor.startsWith("provisioner ")) {
            provision(name);
        } else if (actor.equals("pod garbage collector")) {
            world.all(Kinds.POD).stream()
                    .filter(pod -> pod.metadata().isDeleting())
                    .forEach(pod -> world.delete(Kinds.POD, ObjectKey.of(pod)));
        } else if (actor.equals("ephemeral-volume-controller")) {
            world.all(Kinds.POD).forEach(this::ephemeral);
        } else if (actor.startsWith("owner of scheduling gate ")) {
            world.all(Kinds.POD)
                    .forEach(pod -> world.put(pod.withSpec(pod.spec().withSchedulingGates(List.of()))));
        } else if (actor.startsWith("owner of finalizer ")) {
            world.all(Kinds.POD).stream()
                    .filter(pod -> pod.metadata().isDeleting())
                    .forEach(pod -> world.patch(
                            Kinds.POD,
                            ObjectKey.of(pod),
                            Document.empty().with(JsonNull.NULL, "metadata", "finalizers")));
        } else if (!actor.endsWith("-controller")) {
            throw new AssertionError("this test does not play " + actor);
        }
        world.settle();
    }

    /** A person has looked, and does what no explanation can know: starts the containers, renames the pod. */
    void know() {
        for (Pod pod : world.all(Kinds.POD)) {
            CauseCode code = explained(pod).codes().get(0);
            if (code == CauseCode.NO_VOLUME_WAITS || code == CauseCode.POD_UNSCHEDULED) {
                run(pod);
            } else if (code == CauseCode.CLAIM_OF_ANOTHER || code == CauseCode.CLAIM_MISSING) {
                world.delete(Kinds.POD, ObjectKey.of(pod)); // it comes back under another name, or with another claim
            }
        }
    }

    private Explanation explained(Pod pod) {
        return new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY)
                .explain(Snapshot.of(world.objects(), ExplainedObjects.START), Kinds.POD, ObjectKey.of(pod))
                .orElseThrow();
    }

    private void run(Pod pod) {
        world.put(pod.withStatus(pod.status().withPhase(PodPhase.RUNNING)));
    }

    private List<PersistentVolume> volumes(Pod pod) {
        List<PersistentVolume> volumes = new ArrayList<>();
        pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimName(pod.metadata().name()).stream())
                .flatMap(name ->
                        world
                                .find(
                                        Kinds.PERSISTENT_VOLUME_CLAIM,
                                        ObjectKey.of(pod.metadata().namespace(), name))
                                .stream())
                .flatMap(claim ->
                        world
                                .find(
                                        Kinds.PERSISTENT_VOLUME,
                                        ObjectKey.cluster(claim.spec().volumeName()))
                                .stream())
                .forEach(volumes::add);
        return volumes;
    }

    private void place(Pod pod) {
        boolean gated = !pod.spec().schedulingGates().isEmpty();
        world.all(Kinds.NODE).stream()
                .filter(node -> !gated && node.isReady() && !node.spec().unschedulable())
                .filter(node -> volumes(pod).stream().allMatch(volume -> ExplainedNodes.reaches(node, volume)))
                .findFirst()
                .ifPresent(node -> {
                    OtherPrograms others = new OtherPrograms(world);
                    world.all(Kinds.PERSISTENT_VOLUME_CLAIM).stream()
                            .filter(claim -> claim.spec().volumeName().isEmpty())
                            .forEach(claim -> others.act("scheduler", claim));
                    world.put(
                            pod.withSpec(pod.spec().withNodeName(node.metadata().name())));
                });
    }

    private void detach() {
        Snapshot snapshot = Snapshot.of(world.objects(), ExplainedObjects.START);
        for (VolumeAttachment attachment : world.all(Kinds.VOLUME_ATTACHMENT)) {
            Optional<Node> node =
                    ExplainedNodes.named(snapshot, attachment.spec().nodeName());
            boolean ready = node.filter(Node::isReady).isPresent();
            boolean forced = node.isEmpty() || node.get().hasOutOfServiceTaint();
            boolean used = !ExplainedNodes.users(
                            snapshot,
                            ExplainedNodes.volumeOf(attachment).orElse(""),
                            attachment.spec().nodeName())
                    .isEmpty();
            if (forced || (ready && !used)) {
                world.delete(Kinds.VOLUME_ATTACHMENT, ObjectKey.of(attachment));
            }
        }
    }

    private void attach() {
        for (Pod pod : world.all(Kinds.POD)) {
            boolean ready = world.find(Kinds.NODE, ObjectKey.cluster(pod.spec().nodeName()))
                    .filter(node -> node.isReady() && !node.hasOutOfServiceTaint())
                    .isPresent();
            if (!ready || pod.metadata().isDeleting()) {
                continue;
            }
            for (PersistentVolume volume : volumes(pod)) {
                Optional<CsiSource> source = volume.spec().source().flatMap(CsiSource::of);
                boolean attached = world.all(Kinds.VOLUME_ATTACHMENT).stream()
                        .anyMatch(known -> ExplainedNodes.volumeOf(known)
                                .equals(Optional.of(volume.metadata().name())));
                if (source.isPresent() && !attached) {
                    world.create(ExplainerWorld.attachment(
                            volume.metadata().name(),
                            source.get().driver(),
                            pod.spec().nodeName()));
                }
                source.ifPresent(known -> report(pod.spec().nodeName(), known.nameOnNodes()));
            }
        }
    }

    private void report(String name, String device) {
        Node node = world.find(Kinds.NODE, ObjectKey.cluster(name)).orElseThrow();
        world.put(node.withStatus(node.status().withVolumesAttached(List.of(new AttachedVolume(device, "")))));
    }

    private void attachers(String driver) {
        for (VolumeAttachment attachment : world.all(Kinds.VOLUME_ATTACHMENT)) {
            if (!attachment.spec().attacher().equals(driver)) {
                continue;
            }
            if (attachment.metadata().isDeleting()) {
                world.patch(
                        Kinds.VOLUME_ATTACHMENT,
                        ObjectKey.of(attachment),
                        Document.empty().with(JsonNull.NULL, "metadata", "finalizers"));
            } else {
                world.put(attachment.withStatus(
                        attachment.status().withAttached(true).withAttachError(Optional.empty())));
            }
        }
    }

    /** The node is ready, ends pods that are being deleted, says what it uses, and mounts what is attached. */
    private void node(String name) {
        Node node = world.find(Kinds.NODE, ObjectKey.cluster(name)).orElseThrow();
        List<String> used = new ArrayList<>();
        for (Pod pod : world.all(Kinds.POD)) {
            if (!pod.spec().nodeName().equals(name)) {
                continue;
            }
            if (pod.metadata().isDeleting()) {
                world.delete(Kinds.POD, ObjectKey.of(pod));
                continue;
            }
            volumes(pod).stream()
                    .flatMap(volume -> volume.spec().source().flatMap(CsiSource::of).stream())
                    .forEach(source -> used.add(source.nameOnNodes()));
            CauseCode code = explained(pod).codes().get(0);
            if (code == CauseCode.MOUNTING || code == CauseCode.MOUNT_FAILED || code == CauseCode.NO_VOLUME_WAITS) {
                run(pod);
            }
        }
        world.put(node.withStatus(node.status().withConditions(List.of()).withVolumesInUse(used)));
    }

    private void register(CSINode known, String driver) {
        world.put(StuckSituation.csiNode(known.metadata().name(), Optional.empty(), driver));
    }

    private void provision(String provisioner) {
        if (world.find(Kinds.CSI_DRIVER, ObjectKey.cluster(provisioner)).isEmpty()) {
            world.put(new CSIDriver(ObjectMeta.named(provisioner), CSIDriverSpec.EMPTY));
        }
        OtherPrograms others = new OtherPrograms(world);
        for (PersistentVolumeClaim claim : world.all(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            if (claim.spec().volumeName().isEmpty()) {
                others.act("provisioner " + provisioner, claim);
            }
        }
    }

    private void ephemeral(Pod pod) {
        pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimName(pod.metadata().name()).stream())
                .map(name -> ObjectKey.of(pod.metadata().namespace(), name))
                .filter(key -> world.find(Kinds.PERSISTENT_VOLUME_CLAIM, key).isEmpty())
                .forEach(key -> {
                    PersistentVolumeClaim claim = ExplainedObjects.claim("1Gi");
                    world.put(claim.withMetadata(claim.metadata()
                            .withName(key.name())
                            .withOwnerReferences(List.of(new OwnerReference(
                                    "v1",
                                    "Pod",
                                    pod.metadata().name(),
                                    pod.metadata().uid(),
                                    true,
                                    true)))));
                });
    }
}
