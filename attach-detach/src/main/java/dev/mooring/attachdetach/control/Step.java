// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.attachdetach.control.Facts.NodeIs;

/**
 * The next thing to do about an attachment: the state machine of semantics/attach-and-mount §7.2, with the controller's half of the
 * handshake (§1.10) and what may stand in its place (§1.11).
 *
 * <p>A volume that no pod wants goes this way, and a crash anywhere on it loses nothing:
 *
 * <pre>
 *   REQUEST_DETACH → AWAIT_DELISTED → AWAIT_UNUSED → PROVE → BEGIN_DETACH → DETACH → FORGET
 * </pre>
 *
 * Until BEGIN_DETACH it may be wanted again. The proof is a live read that shows the volume neither attached nor in use: the node lists
 * a volume as in use before it looks whether it is attached, and only this controller lists volumes as attached, so a node that begins
 * after the read finds that it must not.
 */
enum Step {
    /** Nothing. */
    NOTHING,
    /** Write down that it is to be attached. */
    CREATE,
    /** Wait until other nodes have let go of the volume. */
    AWAIT_SLOT,
    /** Read its VolumeAttachment live before a plugin acts on it: what was heard may be older than what has happened since. */
    CONFIRM,
    /** Have the plugin attach it. */
    ATTACH,
    /** Write down that it is attached. */
    SHOW_ATTACHED,
    /** Wait for the external attacher. */
    AWAIT_ATTACHER,
    /** It is attached and wanted. */
    KEEP,
    /** Write down that it is not to be detached after all. */
    WITHDRAW,
    /** Write down that it now belongs to the Node that took the other one's name, and is not known to be attached to that one. */
    MOVE_TO_NEW_NODE,
    /** Write down that it is to be detached. */
    REQUEST_DETACH,
    /** Wait until the Node's status no longer lists it as attached. */
    AWAIT_DELISTED,
    /** Wait until the Node's status no longer lists it as in use, or there is evidence. */
    AWAIT_UNUSED,
    /** Its Node has gone, which is no evidence here, or not yet: wait for pods to go, the Node to come back, or a person. */
    STAY,
    /** Read the Node live: whether it uses the volume, and whether it is lost, is no matter of what was last heard. */
    PROVE,
    /** Write down that it is being detached; for an external attacher: delete the VolumeAttachment. */
    BEGIN_DETACH,
    /** Have the plugin detach it. */
    DETACH,
    /** Wait until the external attacher has let the VolumeAttachment go. */
    AWAIT_DETACHER,
    /** It is detached: let the VolumeAttachment go. */
    FORGET;

    /** Chooses. */
    static Step of(Facts facts) {
        if (facts.phase() == Phase.ABSENT) {
            return absent(facts);
        } else if (facts.phase() == Phase.DETACHING) {
            return detaching(facts);
        }
        // A deletion is a request: the finalizer keeps the object until no pod wants the volume there any
        // more.
        return facts.wanted() && !facts.yields() ? wanted(facts) : unwanted(facts);
    }

    private static Step absent(Facts facts) {
        if (!facts.wanted() || facts.node() == NodeIs.GONE) {
            return NOTHING;
        }
        return facts.slotFree() ? CREATE : AWAIT_SLOT;
    }

    private static Step wanted(Facts facts) {
        if (facts.node() == NodeIs.GONE) {
            return STAY; // its pods are still there: their removal will say that they do not run
        } else if (facts.node() == NodeIs.ANOTHER) {
            // Which Node it is, is read live: a list may be so old that it shows the one that was there before.
            return facts.evidence() == ForceDetachEvidence.NONE ? STAY : facts.proven() ? MOVE_TO_NEW_NODE : PROVE;
        } else if (facts.detachRequested()) {
            return WITHDRAW;
        } else if (facts.phase() == Phase.ATTACHED) {
            return KEEP;
        } else if (!facts.slotFree()) {
            return AWAIT_SLOT;
        } else if (!facts.inProcess()) {
            return AWAIT_ATTACHER;
        }
        return facts.answered() ? SHOW_ATTACHED : surely(facts, ATTACH);
    }

    private static Step surely(Facts facts, Step call) {
        return facts.certain() ? call : CONFIRM;
    }

    private static Step unwanted(Facts facts) {
        if (!facts.detachRequested()) {
            return REQUEST_DETACH;
        } else if (facts.node() != NodeIs.THERE && facts.evidence() == ForceDetachEvidence.NONE) {
            return STAY;
        } else if (facts.listed()) {
            return AWAIT_DELISTED;
        }
        boolean handshake =
                facts.evidence() == ForceDetachEvidence.NONE || facts.evidence() == ForceDetachEvidence.NODE_GONE;
        if (handshake && facts.inUse()) {
            return AWAIT_UNUSED;
        }
        return facts.proven() || facts.evidence().isWrittenDown() ? BEGIN_DETACH : PROVE;
    }

    private static Step detaching(Facts facts) {
        if (facts.inProcess()) {
            return facts.undone() ? FORGET : surely(facts, DETACH);
        }
        return facts.deleting() ? AWAIT_DETACHER : BEGIN_DETACH;
    }
}
