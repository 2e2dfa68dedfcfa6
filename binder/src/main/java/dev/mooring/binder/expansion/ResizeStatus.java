// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import java.util.Arrays;

/** How far an expansion is, as {@code status.allocatedResourceStatuses} of a claim tells (semantics/binder §3.5). */
enum ResizeStatus {
    /** No expansion is under way. */
    NONE(""),
    /** The back-end has been, or is about to be, asked; whether it has grown is not known. */
    CONTROLLER_RESIZE_IN_PROGRESS("ControllerResizeInProgress"),
    /** The back-end refused and is unchanged. */
    CONTROLLER_RESIZE_INFEASIBLE("ControllerResizeInfeasible"),
    /** The back-end has grown; a node has still to make the file system larger. */
    NODE_RESIZE_PENDING("NodeResizePending"),
    /** A node is at it. */
    NODE_RESIZE_IN_PROGRESS("NodeResizeInProgress"),
    /** The node cannot do it. */
    NODE_RESIZE_INFEASIBLE("NodeResizeInfeasible"),
    /** A word of a later version; treated like none, as upstream does. */
    UNKNOWN("?");

    private final String word;

    ResizeStatus(String word) {
        this.word = word;
    }

    /** The word in the API. */
    String word() {
        return word;
    }

    static ResizeStatus parse(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word.equals(word))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
