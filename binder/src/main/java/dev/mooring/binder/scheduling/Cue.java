// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.ObjectKey;

/**
 * Something whose change can help a pod: Kubernetes' queueing hints as data (semantics/binder §3.6, §3.9). A pod that waits names its
 * cues; a change gives cues; who named one of them is decided again.
 *
 * @param source what
 * @param name which; empty if any
 */
record Cue(Source source, String name) {
    enum Source {
        /** A claim was added or has changed, or a volume for it. */
        CLAIM,
        /** A volume has changed. */
        VOLUME,
        /** A class was added, or allows other nodes. */
        CLASS,
        /** A volume of a class can be taken. */
        FREE_VOLUME,
        /** There may be more space for a class. */
        SPACE,
        /** A driver ceased to tell of its space. */
        DRIVER,
        /** A node that was chosen has changed. */
        NODE,
        /** Some node takes pods that it did not take. */
        ANY_NODE,
        /** A node takes more volumes. */
        SLOT,
        /** A pod has gone from a node. */
        POD_GONE
    }

    static final Cue ANY_NODE = new Cue(Source.ANY_NODE, "");
    static final Cue SLOT = new Cue(Source.SLOT, "");
    static final Cue POD_GONE = new Cue(Source.POD_GONE, "");

    static Cue claim(ObjectKey key) {
        return new Cue(Source.CLAIM, key.toString());
    }

    static Cue of(Source source, String name) {
        return new Cue(source, name);
    }
}
