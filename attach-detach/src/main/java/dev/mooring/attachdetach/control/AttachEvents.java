// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.AttachConflicts.Holder;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What people are told (semantics/attach-and-mount §1.8, §1.14). A pod is never told the names of another namespace's pods (S15). */
final class AttachEvents {
    static final String FAILED = "FailedAttachVolume";
    static final String SUCCESSFUL = "SuccessfulAttachVolume";
    static final String FAILED_DETACH = "FailedDetachVolume";
    static final String FORCE_IGNORED = "ForceDetachIgnored";

    private static final String COMPONENT = "attachdetach-controller";

    private AttachEvents() {}

    /** Something about a volume, for one of the pods that want it. */
    static Effect toPod(DesiredAttachment want, boolean warning, String reason, String message) {
        return new Effect.Announce(
                new Announcement(Kinds.POD, want.pod(), want.podUid(), warning, reason, message, COMPONENT));
    }

    /** A pod that wants a volume, as one that waits for it. */
    static Concern concern(DesiredAttachment want) {
        return new Concern(Kinds.POD, want.pod(), want.podUid(), true, FAILED, COMPONENT);
    }

    /** An attachment that no pod waits for, as one that waits to be detached. */
    static Concern concern(VolumeAttachment attachment) {
        return Concern.of(Kinds.VOLUME_ATTACHMENT, attachment, FAILED_DETACH, COMPONENT);
    }

    /** A pod on a node whose volumes no controller here attaches. */
    static Concern concern(Pod pod) {
        return Concern.of(Kinds.POD, pod, FAILED, COMPONENT);
    }

    /** Something about an attachment that no pod waits for. */
    static Effect aboutAttachment(VolumeAttachment attachment, String reason, String message) {
        return Announcement.warning(Kinds.VOLUME_ATTACHMENT, attachment, reason, message, COMPONENT);
    }

    /** As Kubernetes names volumes in what it tells: the PersistentVolume, or the volume's name in the pod. */
    static String attached(DesiredAttachment want) {
        return "AttachVolume.Attach succeeded for volume \""
                + want.volume().spec().name() + "\"";
    }

    static String failed(DesiredAttachment want, String why) {
        return "AttachVolume.Attach failed for volume \"" + want.volume().spec().name() + "\": " + why;
    }

    static String detachFailed(String volume, String node, String why) {
        return "DetachVolume.Detach failed for volume \"" + volume + "\" on node \"" + node + "\": " + why;
    }

    /**
     * Why a pod has to wait for a volume that another node holds.
     *
     * @param want the pod that waits
     * @param holders the nodes that hold the volume
     * @param users who uses it there; may be empty
     */
    static String multiAttach(DesiredAttachment want, List<Holder> holders, Collection<DesiredAttachment> users) {
        String who = users.isEmpty()
                ? "Volume is already exclusively attached to another node and can't be attached to this one"
                : "Volume is already used by " + named(want, users);
        return "Multi-Attach error for volume \"" + want.volume().spec().name() + "\": " + who + where(holders);
    }

    /**
     * Why a pod has to wait for a volume that its node has under another name.
     *
     * @param want the pod that waits
     * @param users who uses it under that name; may be empty
     */
    static String underAnotherName(DesiredAttachment want, Collection<DesiredAttachment> users) {
        String until =
                users.isEmpty() ? "until the node no longer uses it" : "as long as it is used by " + named(want, users);
        return failed(want, "its storage is attached to the node under the name of another volume, " + until);
    }

    /** What of such a message has to change for it to be told again: since when is no news. */
    static String situation(DesiredAttachment want, List<Holder> holders, Collection<DesiredAttachment> users) {
        List<Holder> timeless = holders.stream()
                .map(holder -> new Holder(holder.node(), Optional.empty(), holder.goesFirst()))
                .toList();
        return multiAttach(want, timeless, users);
    }

    /** Pods by name if they are of the same namespace; else only how many there are (S15). */
    private static String named(DesiredAttachment want, Collection<DesiredAttachment> users) {
        TreeSet<String> named = new TreeSet<>();
        TreeSet<ObjectKey> counted = new TreeSet<>();
        for (DesiredAttachment user : users) {
            if (user.pod().namespace().equals(want.pod().namespace())) {
                named.add(user.pod().name());
            } else {
                counted.add(user.pod());
            }
        }
        List<String> parts = new ArrayList<>();
        if (!named.isEmpty()) {
            parts.add("pod(s) " + String.join(", ", named));
        }
        if (!counted.isEmpty()) {
            parts.add(counted.size() + " pod(s) in different namespaces");
        }
        return String.join(" and ", parts);
    }

    private static String where(List<Holder> holders) {
        return holders.stream()
                .map(holder -> "node " + holder.node()
                        + holder.since().map(since -> " since " + since).orElse(""))
                .collect(Collectors.joining(", ", " (", ")"));
    }
}
