// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

/** Why a volume may be detached from a node that does not say that it has let go of it (semantics/attach-and-mount §1.11, S2). */
enum ForceDetachEvidence {
    /** None: the handshake decides. */
    NONE("", false),
    /** A person has tainted the node, which is not ready, as out of service. */
    OUT_OF_SERVICE("out-of-service", true),
    /** The storage no longer lets the node write. */
    FENCED("fenced", true),
    /** A person has said so on the attachment itself. */
    OPERATOR("operator", true),
    /** The Node object to which it was attached has gone. */
    NODE_GONE("node-gone", false),
    /** The node has not been ready for long; compatibility with Kubernetes only. */
    TIME_OUT("timeout", false);

    private final String word;
    private final boolean releasesPods;

    ForceDetachEvidence(String word, boolean releasesPods) {
        this.word = word;
        this.releasesPods = releasesPods;
    }

    /** How it stands in an annotation and in metrics. */
    String word() {
        return word;
    }

    /** Whether pods of that node that are being deleted count as ended although their node does not say so (#65392). */
    boolean releasesPods() {
        return releasesPods;
    }

    /** Whether it is written down on the attachment; anything else is read from the Node, which may say otherwise by now. */
    boolean isWrittenDown() {
        return this == FENCED || this == OPERATOR;
    }

    /** Reads {@link #word}. */
    static ForceDetachEvidence parse(String word) {
        for (ForceDetachEvidence evidence : values()) {
            if (evidence.word.equals(word)) {
                return evidence;
            }
        }
        return NONE;
    }
}
