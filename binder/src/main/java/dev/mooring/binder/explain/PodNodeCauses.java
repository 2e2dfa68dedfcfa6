// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a pod that has a node does not start there, or does not go: the node, its drivers, attachments and mounts. */
final class PodNodeCauses {
    private static final List<String> MOUNT_EVENTS = List.of("FailedMount", "FailedMapVolume");
    private static final List<String> ATTACH_EVENTS = List.of("FailedAttachVolume");
    private static final Pattern MISSING_CONTENT = Pattern.compile(
            "(secret|configmap)s? \"?(?:[^\"/\\s]*/)?([^\"\\s]+)\"? not found", Pattern.CASE_INSENSITIVE);

    /** What a container says while its volumes may still be missing. */
    private static final Set<String> BEFORE_CONTAINERS = Set.of("ContainerCreating", "PodInitializing");

    private final Snapshot snapshot;
    private final Pod pod;
    private final String node;
    private final ExplanationFindings findings;

    PodNodeCauses(Snapshot snapshot, Pod pod, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.pod = pod;
        this.node = pod.spec().nodeName();
        this.findings = findings;
    }

    // ---- it goes ----

    void terminating() {
        Optional<Instant> since = pod.metadata().deletionTimestamp();
        Optional<Node> found = ExplainedNodes.named(snapshot, node);
        if (!node.isEmpty() && ExplainedNodes.any(snapshot) && found.isEmpty()) {
            findings.cause(
                            CauseCode.NODE_GONE,
                            "The pod is being deleted, and its node " + node + " does not exist any more.")
                    .awaits("pod garbage collector", "the pod to be deleted", since);
        } else if (found.filter(Node::hasOutOfServiceTaint).isPresent()) {
            findings.cause(
                            CauseCode.NODE_OUT_OF_SERVICE,
                            "The pod is being deleted, and its node " + node + " is declared to be out of service.")
                    .awaits("pod garbage collector", "the pod to be deleted by force", since);
        } else if (found.filter(known -> !known.isReady()).isPresent()) {
            findings.cause(
                            CauseCode.NODE_NOT_READY,
                            "The pod is being deleted, but " + ExplainedNodes.notReady(found.get())
                                    + ", so it is unknown whether the pod still runs.")
                    .awaits("node " + node, "it to be ready, or evidence that it is off", since)
                    .remedy(
                            RemedyKind.LOOK,
                            "Bring node " + node + " back: it ends the pod.",
                            new RemedyAction.Look("kubectl describe node " + ShellWords.quoted(node)))
                    .remedy(
                            RemedyKind.OUT_OF_SERVICE,
                            "Only if the machine of node " + node
                                    + " is off and stays off: say so. The pod is then deleted and"
                                    + " its volumes are detached by force. If a process there still writes, data is lost.",
                            new RemedyAction.OutOfService(node, true));
        } else if (!pod.metadata().finalizers().isEmpty() && pod.hasEnded()) {
            String finalizers = String.join(", ", pod.metadata().finalizers());
            findings.cause(
                            CauseCode.HELD_BY_FINALIZER,
                            "The pod is being deleted, but finalizer " + finalizers + " keeps it.")
                    .awaits("owner of finalizer " + finalizers, "the finalizer to be removed", since);
        } else {
            findings.cause(
                            CauseCode.POD_TERMINATING,
                            "The pod is being deleted"
                                    + snapshot.lastEvent(Kinds.POD, pod, List.of("FailedUnMount", "FailedKillPod"))
                                            .map(event -> "; node " + node + " says: \"" + event.message() + "\"")
                                            .orElse("; node " + node + " ends its containers and unmounts its volumes")
                                    + ".")
                    .awaits(node.isEmpty() ? "API server" : "node " + node, "the pod to end", since);
        }
    }

    // ---- it starts ----

    void explain() {
        Optional<Node> found = ExplainedNodes.named(snapshot, node);
        if (ExplainedNodes.any(snapshot) && found.isEmpty()) {
            findings.cause(
                            CauseCode.NODE_GONE,
                            "The pod was placed on node " + node + ", which does not exist"
                                    + LikelyNames.clause(
                                            node,
                                            ExplainedNodes.all(snapshot).stream()
                                                    .map(known ->
                                                            known.metadata().name())
                                                    .toList())
                                    + ".")
                    .awaits("user", "a pod on another node", since());
            again("Delete the pod, and create it again without spec.nodeName; what made it may do so by itself.");
            return;
        }
        if (found.filter(known -> !known.isReady()).isPresent()) {
            findings.cause(
                            CauseCode.NODE_NOT_READY,
                            "The pod was placed on a node that does nothing now: "
                                    + ExplainedNodes.notReady(found.get()) + ".")
                    .awaits("node " + node, "it to be ready", ExplainedNodes.since(found.get()))
                    .remedy(
                            RemedyKind.LOOK,
                            "Bring node " + node + " back: it starts the pod.",
                            new RemedyAction.Look("kubectl describe node " + ShellWords.quoted(node)));
            if (!found.get().hasOutOfServiceTaint()) {
                findings.remedy(
                        RemedyKind.OUT_OF_SERVICE,
                        "Only if the machine of node " + node
                                + " is off and stays off: say so. Its pods are then deleted and their volumes are detached"
                                + " by force; what made the pod may make it on another node. If a process there still"
                                + " writes, data is lost.",
                        new RemedyAction.OutOfService(node, true));
            }
            return;
        }
        pod.spec().volumes().stream().filter(this::isMounted).forEach(volume -> volume(volume, found));
        if (findings.causes.isEmpty()) {
            rest();
        }
    }

    /** A node waits only for volumes that a container names. */
    private boolean isMounted(PodVolume volume) {
        List<Container> containers = pod.spec().allContainers();
        return containers.isEmpty()
                || containers.stream()
                        .anyMatch(container -> container.volumeMounts().stream()
                                        .anyMatch(mount -> mount.name().equals(volume.name()))
                                || container.volumeDevices().stream()
                                        .anyMatch(device -> device.name().equals(volume.name())));
    }

    private void volume(PodVolume volume, Optional<Node> found) {
        Optional<PersistentVolume> persistent = volume.claimName(pod.metadata().name())
                .flatMap(name -> snapshot.get(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        ObjectKey.of(pod.metadata().namespace(), name)))
                .flatMap(claim -> snapshot.get(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(claim.spec().volumeName())));
        Optional<VolumeSource> source = persistent.isPresent()
                ? persistent.flatMap(known -> known.spec().source())
                : volume.source();
        Optional<String> driver = source.filter(known -> known.type().equals(CsiSource.TYPE))
                .flatMap(known -> known.attributes().text("driver"));
        if (driver.isPresent() && !isRegistered(driver.get())) {
            unregistered(volume, driver.get());
        } else {
            persistent.ifPresent(known -> attachment(volume, known, driver, found));
        }
    }

    /** A snapshot without the node's CSINode says nothing about its drivers. */
    private boolean isRegistered(String driver) {
        return ExplainedNodes.drivers(snapshot, node)
                .map(drivers -> drivers.contains(driver))
                .orElse(true);
    }

    private void unregistered(PodVolume volume, String driver) {
        findings.anotherCause(
                        CauseCode.DRIVER_NOT_REGISTERED,
                        "Volume " + volume.name() + " needs driver " + driver + ", which is not registered on node "
                                + node
                                + LikelyNames.clause(
                                        driver,
                                        ExplainedNodes.drivers(snapshot, node).orElse(List.of()))
                                + ".")
                .awaits("driver " + driver, "it to register on node " + node, since())
                .remedy(
                        RemedyKind.LOOK,
                        "See whether the driver's pod runs on the node.",
                        new RemedyAction.Look(
                                "kubectl get pods -A --field-selector spec.nodeName=" + ShellWords.quoted(node)));
    }

    private void attachment(
            PodVolume volume, PersistentVolume persistent, Optional<String> driver, Optional<Node> found) {
        String name = persistent.metadata().name();
        List<VolumeAttachment> all = ExplainedNodes.attachments(snapshot, name);
        Optional<VolumeAttachment> here = all.stream()
                .filter(attachment -> attachment.spec().nodeName().equals(node))
                .findFirst();
        List<VolumeAttachment> elsewhere = all.stream()
                .filter(attachment -> !attachment.spec().nodeName().equals(node))
                .toList();
        if (here.isPresent()) {
            if (here.get().metadata().isDeleting()) {
                new AttachmentCauses(snapshot, here.get(), findings)
                        .stays(
                                "was detached from node " + node + " and is attached again after that",
                                CauseCode.DETACHING);
            } else if (!here.get().status().attached()) {
                new AttachmentCauses(snapshot, here.get(), findings).attaching();
            } else {
                reported(volume, persistent, found);
            }
        } else if (!elsewhere.isEmpty() && isExclusive(persistent)) {
            multiAttach(elsewhere);
        } else if (driver.filter(this::attaches).isPresent()) {
            Optional<Event> told = snapshot.lastEvent(Kinds.POD, pod, ATTACH_EVENTS);
            findings.anotherCause(
                            CauseCode.NOT_ATTACHED,
                            "Volume " + name + " is not attached to node " + node
                                    + told.map(event -> ": \"" + event.message() + "\"")
                                            .orElse("")
                                    + ".")
                    .awaits("attach-detach controller", "volume " + name + " to be attached to node " + node, since());
        }
    }

    private static boolean isExclusive(PersistentVolume volume) {
        return !volume.spec().accessModes().isEmpty()
                && volume.spec().accessModes().stream()
                        .allMatch(mode -> mode == AccessMode.READ_WRITE_ONCE || mode == AccessMode.READ_WRITE_ONCE_POD);
    }

    /** A driver without a CSIDriver object is attached. */
    private boolean attaches(String driver) {
        return snapshot.get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
                .map(CSIDriver::spec)
                .flatMap(spec -> spec.attachRequired())
                .orElse(true);
    }

    private void multiAttach(List<VolumeAttachment> elsewhere) {
        String holders = String.join(
                ", ", elsewhere.stream().map(other -> other.spec().nodeName()).toList());
        new AttachmentCauses(snapshot, elsewhere.get(0), findings)
                .stays(
                        "is wanted on node " + node + " and may be attached to one node only, but is attached to node "
                                + holders,
                        CauseCode.MULTI_ATTACH);
    }

    private void reported(PodVolume volume, PersistentVolume persistent, Optional<Node> found) {
        Optional<String> device =
                persistent.spec().source().flatMap(CsiSource::of).map(CsiSource::nameOnNodes);
        if (device.isEmpty() || found.isEmpty()) {
            return;
        }
        if (!found.get().status().volumesInUse().contains(device.get())) {
            findings.anotherCause(
                            CauseCode.NOT_IN_USE,
                            "Volume " + persistent.metadata().name() + " is attached, but the agent of node " + node
                                    + " has not said that it uses it (status.volumesInUse); it mounts volume "
                                    + volume.name() + " after that.")
                    .awaits("node " + node, "volume " + persistent.metadata().name() + " to be reported", since());
        } else if (found.get().status().volumesAttached().stream()
                .noneMatch(attached -> attached.name().equals(device.get()))) {
            findings.anotherCause(
                            CauseCode.NOT_ATTACHED,
                            "Volume " + persistent.metadata().name()
                                    + " is attached, but the Node does not say so yet (status.volumesAttached).")
                    .awaits("attach-detach controller", "node " + node + " to be told", since());
        }
    }

    // ---- what is left ----

    private void rest() {
        Optional<Event> told = snapshot.lastEvent(Kinds.POD, pod, MOUNT_EVENTS);
        Optional<String> container = containers();
        if (container.isPresent()) {
            findings.cause(CauseCode.NO_VOLUME_WAITS, "No volume keeps the pod: " + container.get() + ".")
                    .awaits("user", "its containers to start", since())
                    .remedy(
                            RemedyKind.LOOK,
                            "See what the container needs.",
                            new RemedyAction.Look("kubectl describe pod -n "
                                    + ShellWords.quoted(pod.metadata().namespace()) + " "
                                    + ShellWords.quoted(pod.metadata().name())));
        } else if (told.isPresent()) {
            mountFailed(told.get());
        } else if (pod.spec().volumes().isEmpty()) {
            findings.cause(CauseCode.NO_VOLUME_WAITS, "The pod has no volumes; node " + node + " has not started it.")
                    .awaits("node " + node, "the pod to be started", since());
        } else {
            findings.cause(
                            CauseCode.MOUNTING,
                            "Nothing keeps the volumes from being mounted; the agent of node " + node
                                    + " has said nothing yet.")
                    .awaits("node " + node, "the volumes to be mounted", since());
        }
    }

    private Optional<String> containers() {
        return pod.status().initContainerStatuses().stream()
                .map(PodNodeCauses::waiting)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> pod.status().containerStatuses().stream()
                        .map(PodNodeCauses::waiting)
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    private static Optional<String> waiting(ContainerStatus container) {
        return container
                .state()
                .waiting()
                .filter(state -> state.text("reason")
                        .filter(reason -> !BEFORE_CONTAINERS.contains(reason))
                        .isPresent())
                .map(state -> "container " + container.name() + " waits, "
                        + state.text("reason").orElse("")
                        + state.text("message")
                                .map(message -> " (\"" + message + "\")")
                                .orElse(""));
    }

    /** Whether the snapshot has what was missing; most snapshots have neither secrets nor configMaps. */
    private boolean exists(Matcher content) {
        ObjectKey key = ObjectKey.of(pod.metadata().namespace(), content.group(2));
        return content.group(1).equalsIgnoreCase("secret")
                ? snapshot.get(Kinds.SECRET, key).isPresent()
                : snapshot.get(Kinds.CONFIG_MAP, key).isPresent();
    }

    private void mountFailed(Event told) {
        Matcher content = MISSING_CONTENT.matcher(told.message());
        if (content.find() && !exists(content)) {
            String kind = content.group(1).equalsIgnoreCase("secret") ? "secret" : "configMap";
            String key = pod.metadata().namespace() + "/" + content.group(2);
            findings.cause(
                            CauseCode.CONTENT_MISSING,
                            "The pod needs " + kind + " " + key + ", which does not exist. Node " + node + " says: \""
                                    + told.message() + "\"")
                    .awaits("user", kind + " " + key, since())
                    .remedy(
                            RemedyKind.MAKE_CONTENT,
                            "Create " + kind + " " + key + ", with the keys that the pod names.",
                            new RemedyAction.MakeContent(
                                    kind.equals("secret"),
                                    ObjectKey.of(pod.metadata().namespace(), content.group(2))));
            return;
        }
        findings.cause(
                        CauseCode.MOUNT_FAILED,
                        "Mounting a volume failed. Node " + node + " says: \"" + told.message() + "\"")
                .awaits("node " + node, "another try", told.firstTimestamp().or(this::since))
                .remedy(
                        RemedyKind.LOOK,
                        "The node tries again. See whether it reaches the storage, and what its log says.",
                        new RemedyAction.Look("kubectl describe pod -n "
                                + ShellWords.quoted(pod.metadata().namespace()) + " "
                                + ShellWords.quoted(pod.metadata().name())));
    }

    private void again(String text) {
        findings.remedy(
                RemedyKind.REPLACE_POD,
                text + PodRemedies.lost(List.of(pod)),
                new RemedyAction.Replace(PodCauses.again(pod)));
    }

    private Optional<Instant> since() {
        return pod.status().startTime().or(() -> pod.metadata().creationTimestamp());
    }
}
