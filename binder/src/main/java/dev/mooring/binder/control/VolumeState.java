// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.KeyState;
import dev.mooring.storage.model.ObjectKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the binder remembers about a volume.
 *
 * @param offeredTo the waiting claim that was woken for the volume and has not decided yet (D18)
 * @param declined the waiting claims that did not take it; asked for each claim that is looked at
 * @param told the last event about the volume
 * @param stage how far reclaiming has come
 * @param retry when a node's agent may be asked again
 * @param uid of which volume all this is, since another may be made under its name; empty if that was not noted
 */
record VolumeState(
        Optional<ObjectKey> offeredTo, Set<ObjectKey> declined, String told, Stage stage, Retry retry, String uid)
        implements KeyState {
    static final VolumeState NONE = new VolumeState(Optional.empty(), Set.of(), "", Stage.NONE, Retry.NONE, "");

    VolumeState offering(ObjectKey claim) {
        return new VolumeState(Optional.of(claim), declined, told, stage, retry, uid);
    }

    /** The claim that it was offered to has decided and did not take it. */
    VolumeState afterDecline() {
        Set<ObjectKey> all = new HashSet<>(declined);
        offeredTo.ifPresent(all::add);
        return new VolumeState(Optional.empty(), Set.copyOf(all), told, stage, retry, uid);
    }

    VolumeState withoutOffers() {
        return new VolumeState(Optional.empty(), Set.of(), told, stage, retry, uid);
    }

    VolumeState telling(String news) {
        return new VolumeState(offeredTo, declined, news, stage, retry, uid);
    }

    VolumeState at(Stage next) {
        return new VolumeState(offeredTo, declined, told, next, retry, uid);
    }

    VolumeState withRetry(Retry next) {
        return new VolumeState(offeredTo, declined, told, stage, next, uid);
    }

    /** What is known of a volume: nothing, if it was noted of another one. While it is decided upon, it has no uid. */
    VolumeState of(String volumeUid) {
        return uid.isEmpty() || uid.equals(volumeUid) ? withUid("") : NONE;
    }

    VolumeState withUid(String volumeUid) {
        return new VolumeState(offeredTo, declined, told, stage, retry, volumeUid);
    }

    Optional<KeyState> kept() {
        return equals(NONE) ? Optional.empty() : Optional.of(this);
    }

    /** How far the reclaiming of a released volume has come in this process. */
    enum Stage {
        /** Nothing has been done, or it is not known. */
        NONE,
        /** The live checks were made and the mark is being written (D6). */
        MARKED,
        /** The plugin has done it; the objects do not show it yet. */
        DONE,
        /** The plugin certainly has not done it; the mark is being removed. */
        NOT_DONE,
        /** A node's agent is asked, or the node that holds the data is unknown: changes of nodes matter. */
        AWAITS_NODE,
        /** The volume is still attached, and no event has said so yet. */
        AWAITS_DETACH,
        /** A node's agent did not know; it is asked again, under the same mark. */
        ASK_AGAIN
    }
}
