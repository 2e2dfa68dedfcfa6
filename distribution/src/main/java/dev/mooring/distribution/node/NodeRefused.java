// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import java.util.List;

/** The Node belongs, or seems to belong, to another agent; nothing has been done. */
public final class NodeRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * With the evidence.
     *
     * @param node the Node
     * @param evidence one sentence each
     */
    NodeRefused(String node, List<String> evidence) {
        super("node " + node + " has another manager of volumes, and two undo each other's work: "
                + String.join("; ", evidence));
    }
}
