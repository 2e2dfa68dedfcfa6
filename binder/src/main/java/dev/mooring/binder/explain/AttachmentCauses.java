// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Why a volume is not attached to a node yet, or is still attached (semantics/attach-and-mount §1.4 to §1.8). */
final class AttachmentCauses {
    /** The code of gRPC by which a driver says that a node has no room. */
    private static final long EXHAUSTED = 8;

    private static final String CONTROLLER = "attach-detach controller";

    private final Snapshot snapshot;
    private final VolumeAttachment attachment;
    private final ExplanationFindings findings;
    private final String volume;
    private final String node;

    AttachmentCauses(Snapshot snapshot, VolumeAttachment attachment, ExplanationFindings findings) {
        this.snapshot = snapshot;
        this.attachment = attachment;
        this.findings = findings;
        this.volume = ExplainedNodes.volumeOf(attachment).orElse("of pod");
        this.node = attachment.spec().nodeName();
    }

    /** A volume on a node. */
    record Place(String volume, String node) {}

    /** Where pods that may still run use volumes. */
    static Set<Place> used(Snapshot snapshot) {
        Set<Place> used = new HashSet<>();
        for (Pod pod : snapshot.all(Kinds.POD)) {
            if (!pod.spec().nodeName().isEmpty() && !pod.hasEnded()) {
                pod.spec().volumes().stream()
                        .flatMap(volume -> volume.claimName(pod.metadata().name()).stream())
                        .flatMap(
                                name -> snapshot
                                        .get(
                                                Kinds.PERSISTENT_VOLUME_CLAIM,
                                                ObjectKey.of(pod.metadata().namespace(), name))
                                        .stream())
                        .forEach(claim -> used.add(
                                new Place(claim.spec().volumeName(), pod.spec().nodeName())));
            }
        }
        return used;
    }

    /** Whether it is what it should be: attached, and used by a pod. */
    static boolean isWell(Set<Place> used, VolumeAttachment attachment) {
        Optional<String> volume = ExplainedNodes.volumeOf(attachment);
        return !attachment.metadata().isDeleting()
                && attachment.status().attached()
                && (volume.isEmpty()
                        || used.contains(
                                new Place(volume.get(), attachment.spec().nodeName())));
    }

    void explain() {
        if (attachment.metadata().isDeleting() || requestedAt().isPresent()) {
            stays("is to be detached from node " + node, CauseCode.DETACHING);
        } else if (!attachment.status().attached()) {
            attaching();
        } else if (!users().isEmpty() || ExplainedNodes.volumeOf(attachment).isEmpty()) {
            List<Pod> users = users();
            findings.cause(
                    CauseCode.NOTHING_WRONG,
                    "Volume " + volume + " is attached to node " + node
                            + (users.isEmpty() ? "." : " for " + ExplainedNodes.names(users) + "."));
        } else {
            stays("is attached to node " + node + ", where no pod uses it", CauseCode.UNUSED_ATTACHMENT);
        }
    }

    // ---- not attached yet ----

    /** Why it is not attached yet. */
    void attaching() {
        String attacher = attachment.spec().attacher();
        Optional<VolumeError> error = attachment.status().attachError();
        if (ExplainedNodes.volumeOf(attachment).isPresent()
                && snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                        .isEmpty()) {
            findings.cause(
                            CauseCode.NAMED_VOLUME_MISSING,
                            "Volume " + volume + " is to be attached to node " + node + ", but does not exist.")
                    .awaits(CONTROLLER, "the attachment to be deleted", created());
        } else if (nodeIsGone()) {
            findings.cause(
                            CauseCode.NODE_GONE,
                            "Volume " + volume + " is to be attached to node " + node + ", which does not exist.")
                    .awaits(CONTROLLER, "the attachment to be deleted", created());
        } else if (error.flatMap(VolumeError::errorCode)
                .filter(code -> code == EXHAUSTED)
                .isPresent()) {
            findings.cause(
                            CauseCode.ATTACH_LIMIT,
                            "Node " + node + " has no room for volume " + volume + ": driver " + attacher + " says \""
                                    + error.orElseThrow().message() + "\".")
                    .awaits("administrator", "room on node " + node, created());
            replaceUsers("Let the scheduler choose another node: create the pod again.");
        } else if (error.isPresent()) {
            findings.cause(
                            CauseCode.ATTACH_FAILED,
                            "Attaching volume " + volume + " to node " + node + " failed: \""
                                    + error.get().message() + "\".")
                    .awaits(
                            "attacher " + attacher,
                            "another try",
                            error.get().time().or(this::created))
                    .remedy(
                            RemedyKind.LOOK,
                            "The driver tries again. See its log if the message does not say what to do.",
                            new RemedyAction.Look("kubectl get csidrivers,pods -A"));
        } else {
            findings.cause(
                            CauseCode.NOT_ATTACHED,
                            "Volume " + volume + " is being attached to node " + node + " by " + attacher
                                    + ", which has said nothing yet.")
                    .awaits("attacher " + attacher, "the volume to be attached", created())
                    .remedy(
                            RemedyKind.LOOK,
                            "See whether the attacher of driver " + attacher + " runs.",
                            new RemedyAction.Look("kubectl get csidrivers,pods -A"));
        }
    }

    // ---- still attached ----

    /**
     * Why it is still attached.
     *
     * @param what what is the matter, to stand behind the volume's name
     * @param otherwise the code if nothing else keeps it
     */
    void stays(String what, CauseCode otherwise) {
        Optional<VolumeError> error = attachment.status().detachError();
        Optional<Node> found = ExplainedNodes.named(snapshot, node);
        List<Pod> users = users();
        if (nodeIsGone()) {
            findings.anotherCause(
                            CauseCode.NODE_GONE,
                            "Volume " + volume + " " + what + ". Node " + node + " does not exist any more.")
                    .awaits(CONTROLLER, "volume " + volume + " to be detached from a node that has gone", since());
        } else if (found.filter(Node::hasOutOfServiceTaint).isPresent()) {
            findings.anotherCause(
                            CauseCode.NODE_OUT_OF_SERVICE,
                            "Volume " + volume + " " + what + ". Node " + node
                                    + " is declared to be out of service, so its volumes are detached by force.")
                    .awaits(CONTROLLER, "volume " + volume + " to be detached by force", since());
        } else if (found.filter(known -> !known.isReady()).isPresent()) {
            lost(what, found.get(), users);
        } else if (!users.isEmpty()) {
            used(what, users);
        } else if (error.isPresent()) {
            findings.anotherCause(
                            CauseCode.DETACH_FAILED,
                            "Volume " + volume + " " + what + ", and detaching it failed: \""
                                    + error.get().message() + "\".")
                    .awaits(
                            "attacher " + attachment.spec().attacher(),
                            "another try",
                            error.get().time().or(this::since));
        } else if (found.filter(this::isInUse).isPresent()) {
            findings.anotherCause(
                            CauseCode.DETACHING,
                            "Volume " + volume + " " + what + ". The agent of node " + node
                                    + " says that it still uses the volume: it is not unmounted yet.")
                    .awaits("node " + node, "volume " + volume + " to be unmounted", since());
        } else {
            findings.anotherCause(otherwise, "Volume " + volume + " " + what + ". Nothing keeps it there.")
                    .awaits(
                            attachment.metadata().isDeleting()
                                    ? "attacher " + attachment.spec().attacher()
                                    : CONTROLLER,
                            "volume " + volume + " to be detached",
                            since());
        }
    }

    private void lost(String what, Node found, List<Pod> users) {
        findings.anotherCause(
                        CauseCode.NODE_NOT_READY,
                        "Volume " + volume + " " + what + ". It is not detached while "
                                + ExplainedNodes.notReady(found)
                                + (users.isEmpty() ? "" : " and " + ExplainedNodes.names(users) + " may run there")
                                + ".")
                .awaits("node " + node, "it to be ready, or evidence that it is off", ExplainedNodes.since(found))
                .remedy(
                        RemedyKind.LOOK,
                        "Bring node " + node + " back: it unmounts what is to go.",
                        new RemedyAction.Look("kubectl describe node " + ShellWords.quoted(node)))
                .remedy(
                        RemedyKind.OUT_OF_SERVICE,
                        "Only if the machine of node " + node
                                + " is off and stays off: say so. Its volumes are then detached by"
                                + " force. If a process there still writes, data is lost.",
                        new RemedyAction.OutOfService(node, true));
    }

    private void used(String what, List<Pod> users) {
        boolean leaving = users.stream().allMatch(user -> user.metadata().isDeleting());
        findings.anotherCause(
                        CauseCode.USED_BY_PODS,
                        "Volume " + volume + " " + what + ", where " + ExplainedNodes.use(users)
                                + (leaving ? ExplainedNodes.leaving(users) : "."))
                .awaits(
                        leaving ? "node " + node : "user",
                        ExplainedNodes.names(users) + " to end",
                        users.get(0).metadata().deletionTimestamp().or(this::since));
        if (!leaving) {
            snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                    .flatMap(found -> found.spec().claimRef())
                    .map(ref -> ObjectKey.of(ref.namespace(), ref.name()))
                    .ifPresent(claim -> PodRemedies.delete(findings, snapshot, claim, users));
        }
    }

    private void replaceUsers(String text) {
        List<Pod> users = users();
        if (!users.isEmpty()) {
            findings.remedy(
                    RemedyKind.REPLACE_POD,
                    text + PodRemedies.lost(users),
                    users.stream()
                            .map(user -> new RemedyAction.Replace(PodCauses.again(user)))
                            .toArray(RemedyAction[]::new));
        }
    }

    private boolean nodeIsGone() {
        return ExplainedNodes.any(snapshot)
                && ExplainedNodes.named(snapshot, node).isEmpty();
    }

    private boolean isInUse(Node found) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                .flatMap(pv -> pv.spec().source())
                .flatMap(CsiSource::of)
                .map(CsiSource::nameOnNodes)
                .filter(found.status().volumesInUse()::contains)
                .isPresent();
    }

    private List<Pod> users() {
        return ExplainedNodes.volumeOf(attachment).isEmpty() ? List.of() : ExplainedNodes.users(snapshot, volume, node);
    }

    private Optional<Instant> requestedAt() {
        return attachment.metadata().annotation(Annotations.DETACH_REQUESTED_AT).flatMap(AttachmentCauses::time);
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private Optional<Instant> since() {
        return attachment.metadata().deletionTimestamp().or(this::requestedAt).or(this::created);
    }

    private Optional<Instant> created() {
        return attachment.metadata().creationTimestamp();
    }
}
