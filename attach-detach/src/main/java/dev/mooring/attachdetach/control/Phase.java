// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

/** Where an attachment stands, as its VolumeAttachment tells (semantics/attach-and-mount §7.2). All but the first occupy the volume. */
enum Phase {
    /** There is no VolumeAttachment: surely not attached. */
    ABSENT,
    /** It is to be attached; it may be already. */
    ATTACHING,
    /** It is attached. */
    ATTACHED,
    /** It is being detached; it may be already. There is no way back. */
    DETACHING
}
