// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Revision;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The attachment that steps are decided for, with what is known of it, and the effects that the steps are made of. Made for one decision.
 *
 * @param name its name
 * @param known its object, if there is one
 * @param wants the pods that want it
 * @param node its node's object, if there is one
 * @param evidence that the node does not use the volume, or will not
 * @param state what is remembered of it
 * @param situation what else is known in this moment
 * @param obstacles what stands in its way
 * @param fences whether the plugin can cut a node off
 */
record AttachmentSituation(
        String name,
        Optional<ActualAttachment> known,
        List<DesiredAttachment> wants,
        Optional<Node> node,
        ForceDetachEvidence evidence,
        AttachmentState state,
        Situation situation,
        AttachConflicts obstacles,
        boolean fences) {
    /** Which volume. */
    String slot() {
        return known.map(k -> k.marks().slot())
                .orElseGet(() -> wants.isEmpty() ? "" : wants.get(0).volume().slot());
    }

    Decision idle() {
        return remember(quiet());
    }

    /** What is remembered, without what people were told: it is another situation now. */
    AttachmentState quiet() {
        return state.told().isEmpty() ? state : state.telling(Map.of());
    }

    static Decision remember(AttachmentState remembered) {
        return Decision.nothing().withState(remembered.orForget());
    }

    /** Its object, where there must be one. */
    ActualAttachment existing() {
        return known.orElseThrow();
    }

    VolumeAttachment object() {
        return existing().object();
    }

    String uid() {
        return object().metadata().uid();
    }

    VolumeId id() {
        return existing().marks().id().orElseThrow();
    }

    /** The node as it was when the intent was written down. */
    NodeRef nodeRef() {
        return new NodeRef(existing().node(), existing().marks().nodeUid());
    }

    FenceOrders fenceOrders() {
        Optional<PersistentVolume> volume = object().spec()
                .source()
                .persistentVolumeName()
                .flatMap(named -> situation.caches().get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(named)));
        return new FenceOrders(volume, existing().marks().nodeUid());
    }

    Decision perform(String operation, Call call, AttachmentState then) {
        // One call at a time for a volume that only one node may have, whichever node it is about (S1, S10, S11).
        boolean single = existing().marks().use().sharing() != Sharing.ANY;
        String volume = single ? slot() : slot() + " " + existing().node();
        Target target = new Target(id().plugin().value(), volume);
        return Decision.act(new Effect.Perform(operation, call, Optional.of(target), Defaults.MOUNT_TIME_LIMIT))
                .withState(then.orForget());
    }

    Decision update(String operation, VolumeAttachment edited, AttachmentState then) {
        return Decision.act(new Effect.Update<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(object(), edited)))
                .withState(then.orForget());
    }

    Decision status(String operation, VolumeAttachment edited, AttachmentState then) {
        return Decision.act(
                        new Effect.UpdateStatus<>(operation, Kinds.VOLUME_ATTACHMENT, new Change<>(object(), edited)))
                .withState(then.orForget());
    }

    /**
     * Deletes the object as it is known. A deletion whose answer is lost may arrive when the volume is wanted again, and no longer: before
     * anything is listed or mounted again, another write takes the request to detach back.
     */
    Decision delete(String operation) {
        DeleteOptions exactly = DeleteOptions.exactly(
                object().metadata().uid(), Revision.parse(object().metadata().resourceVersion()));
        return Decision.act(new Effect.Delete<>(operation, Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name), exactly))
                .withState(quiet().orForget());
    }

    /** Decides again after a failure: a change that came before the last decision has ended the back-off already, and wakes no key again. */
    Decision again(String operation, Decision decision) {
        return decision.wakeAfter(situation.backoff(operation).orElse(Defaults.BACKOFF_FIRST));
    }

    /** Decides again when the operation may be repeated, if it waits for that. */
    Decision after(String operation, Decision decision) {
        return situation.backoff(operation).map(decision::wakeAfter).orElse(decision);
    }

    Effect detachNews(String why) {
        return AttachEvents.aboutAttachment(
                object(),
                AttachEvents.FAILED_DETACH,
                AttachEvents.detachFailed(
                        existing().marks().volume(), existing().node(), why));
    }
}
