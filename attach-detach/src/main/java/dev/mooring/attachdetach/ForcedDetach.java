// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach;

import dev.mooring.attachdetach.control.ForceDetachRequest;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A person's request to detach a volume although its node has not let go of it, judged before it is written. The request is an annotation
 * of the VolumeAttachment; the controllers decide what follows from it (semantics/attach-and-mount §1.11, S2). Immutable.
 *
 * @param objections why not, each naming the object and the rule; empty if the request may be written; never null
 * @param change the one write, to be made with the attachment's version as precondition; empty if there are objections; never null
 * @param consequences what follows from it, for people to read first; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ForcedDetach(
        List<String> objections, Optional<Change<VolumeAttachment>> change, List<String> consequences) {
    /** Copies the lists. */
    public ForcedDetach {
        objections = List.copyOf(objections);
        consequences = List.copyOf(consequences);
    }

    /**
     * Judges a request. Pure.
     *
     * @param attachment the attachment, read for this purpose, never null
     * @param node the Node that it names, read for this purpose; empty if there is none, never null
     * @param using the pods that may use the volume on that node, never null
     * @param evidence the person, and how they know that the node does not write any more; never null
     */
    public static ForcedDetach of(
            VolumeAttachment attachment, Optional<Node> node, Collection<Pod> using, String evidence) {
        String name = attachment.metadata().name();
        String where = "node " + attachment.spec().nodeName();
        List<String> objections = new ArrayList<>();
        if (evidence.isBlank()) {
            objections.add("say by what you know that " + where + " does not write to the volume any more");
        }
        if (ForceDetachRequest.isGiven(attachment)) {
            objections.add(
                    "VolumeAttachment " + name + " is told already (annotation " + Annotations.FORCE_DETACH + ")");
        } else if (!ForceDetachRequest.isHeeded(attachment)) {
            objections.add(
                    "VolumeAttachment " + name + " is not looked after by Mooring, which would not heed the word");
        }
        if (node.filter(Node::isReady).isPresent()) {
            objections.add(where + " is ready, so a process there may write: end the pods there, and the volume is"
                    + " detached without force");
        }
        if (!objections.isEmpty()) {
            return new ForcedDetach(objections, Optional.empty(), List.of());
        }
        String volume = attachment.spec().source().persistentVolumeName().orElse("of VolumeAttachment " + name);
        List<String> consequences = new ArrayList<>();
        consequences.add("volume " + volume + " is detached from " + where + " although the node has not let go of it");
        consequences.add("another node may then write to it: if a process on " + where
                + " still writes, data is lost. Nothing undoes that");
        using.stream()
                .filter(pod -> !pod.status().phase().isTerminal())
                .map(pod -> "pod " + ObjectKey.of(pod)
                        + (pod.metadata().isDeleting()
                                ? " counts as ended, although the node has not said so"
                                : " on that node keeps the volume attached until it is deleted"))
                .forEach(consequences::add);
        return new ForcedDetach(
                List.of(),
                Optional.of(new Change<>(attachment, ForceDetachRequest.given(attachment, evidence))),
                consequences);
    }
}
