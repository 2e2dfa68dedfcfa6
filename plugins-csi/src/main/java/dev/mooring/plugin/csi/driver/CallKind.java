// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

/** What a call to a driver does. It decides what the driver's codes mean (semantics/csi §14). */
public enum CallKind {
    /** Asks, and changes nothing. */
    LOOK(false),
    /** Makes a volume. */
    CREATE(true),
    /** Destroys a volume. */
    DELETE(true),
    /** Connects a volume to a node. */
    ATTACH(true),
    /** Disconnects a volume from a node. */
    DETACH(true),
    /** Makes a volume larger, from outside the node. */
    EXPAND(true),
    /** Lets a node see that a volume became larger. */
    EXPAND_ON_NODE(true),
    /** Gives a volume other attributes. */
    MODIFY(true),
    /** Stages or publishes a volume. */
    SHOW(true),
    /** Unpublishes or unstages a volume. */
    HIDE(true);

    private final boolean changing;

    CallKind(boolean changing) {
        this.changing = changing;
    }

    /** Whether the call may have had an effect although it has failed. */
    public boolean isChanging() {
        return changing;
    }
}
