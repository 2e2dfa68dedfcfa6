// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Outcome;
import java.util.List;

/** A kind of work on a volume's storage that the binder asks a node to do. Pure. */
interface NodeWork {
    /** The annotation with the uid of the claim that it is about. */
    String intentKey();

    /** The annotation with the node that shall do it. */
    String nodeKey();

    /** The annotation with what became of it. */
    String resultKey();

    /** What has to be read live before. */
    List<Effect> proofs(PersistentVolume volume);

    /**
     * Checks everything that must hold, on objects just read live.
     *
     * @return the call to be made, or why it is not made: that is the result of the work
     */
    Outcome<Effect.Perform> check(PersistentVolume volume, String claimUid, Caches caches);

    /** What the outcome of the call means for the volume as it stands. */
    default Outcome<?> judge(PersistentVolume volume, Outcome<?> outcome) {
        return outcome;
    }
}
