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
record QueueingHint(Source source, String name) {
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

    static final QueueingHint ANY_NODE = new QueueingHint(Source.ANY_NODE, "");
    static final QueueingHint SLOT = new QueueingHint(Source.SLOT, "");
    static final QueueingHint POD_GONE = new QueueingHint(Source.POD_GONE, "");

    static QueueingHint claim(ObjectKey key) {
        return new QueueingHint(Source.CLAIM, key.toString());
    }

    static QueueingHint of(Source source, String name) {
        return new QueueingHint(source, name);
    }
}
