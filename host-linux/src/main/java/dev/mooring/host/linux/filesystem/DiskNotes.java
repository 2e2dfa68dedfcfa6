// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.host.FileSystems;

/**
 * Where the note of a disk's file system is kept. A note on the volume is seen by every node, each of which changes it before it mounts:
 * while it says pending, no node has used the disk. A note on this node says nothing about other nodes.
 *
 * @param kept the notes
 * @param ofNode whether only this node sees them
 */
record DiskNotes(VolumeNotes kept, boolean ofNode) {
    /** Where the note is, for people. */
    String where() {
        return ofNode
                ? "file " + kept + "/" + LocalNotes.name(FileSystems.NOTE)
                : "annotation " + FileSystems.NOTE + " of the PersistentVolume";
    }
}
