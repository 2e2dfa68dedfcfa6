// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.Set;

/** Which nodes may have a volume at the same time (semantics/attach-and-mount §1.8). */
enum Sharing {
    /** One node only, whatever it does with it. */
    SINGLE_NODE("single-node"),
    /** Many nodes, as long as none of them writes: the storage itself refuses no node. */
    READERS("readers"),
    /** Many nodes. */
    ANY("any");

    /** Inline sources that only one node can have. */
    private static final Set<String> SINGLE_NODE_SOURCES = Set.of("azureDisk", "cinder");

    private final String word;

    Sharing(String word) {
        this.word = word;
    }

    /** How it stands in an annotation. */
    String word() {
        return word;
    }

    /** Reads {@link #word}; an unknown word is taken for the strictest. */
    static Sharing parse(String word) {
        for (Sharing sharing : values()) {
            if (sharing.word.equals(word)) {
                return sharing;
            }
        }
        return SINGLE_NODE;
    }

    /**
     * The rule of a volume.
     *
     * @param exclusive whether its plugin says that the storage does not refuse a second node by itself
     */
    static Sharing of(VolumeSpec spec, boolean exclusive) {
        boolean many = spec.accessModes().isEmpty()
                || spec.accessModes().contains(AccessMode.READ_WRITE_MANY)
                || spec.accessModes().contains(AccessMode.READ_ONLY_MANY);
        boolean inlineSingle = spec.uid().isEmpty()
                && SINGLE_NODE_SOURCES.contains(spec.source().type());
        if (!many || inlineSingle) {
            return SINGLE_NODE;
        }
        return exclusive ? READERS : ANY;
    }

    /** The stricter of two. */
    Sharing strictest(Sharing other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /**
     * What one node does with a volume.
     *
     * @param sharing the volume's rule as this node's users state it
     * @param readOnly whether none of them writes
     */
    record Use(Sharing sharing, boolean readOnly) {
        /** Whether another node may not have it beside this one. */
        boolean conflictsWith(Use other) {
            Sharing rule = sharing.strictest(other.sharing);
            return rule == SINGLE_NODE || (rule == READERS && !(readOnly && other.readOnly));
        }
    }
}
