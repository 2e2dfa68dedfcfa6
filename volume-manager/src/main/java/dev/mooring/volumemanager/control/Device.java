// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A volume that the node has to do something about before any pod can have it: see it attached, prepare it, or both.
 *
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param volumeId whose storage it is
 * @param spec as the plugin sees it
 * @param attachment what has to be attached; absent if nothing has to
 * @param stagingPath where it is prepared; absent if the plugin does not prepare volumes
 * @param readOnly whether it is prepared so that nobody can write
 */
record Device(
        String volume,
        VolumeId volumeId,
        VolumeSpec spec,
        Optional<Attachment> attachment,
        Optional<Path> stagingPath,
        boolean readOnly) {
    /**
     * An attachment to this node.
     *
     * @param reportedName under which name the Node reports the volume
     * @param objectName the VolumeAttachment's name
     */
    record Attachment(String reportedName, String objectName) {}

    Optional<String> reportedName() {
        return attachment.map(Attachment::reportedName);
    }

    /** Whether who needs this can use what was prepared. */
    boolean fits(Stage stage) {
        return stage.mode() == spec.mode()
                && stage.stagingPath().equals(stagingPath)
                && stage.reportedName().equals(reportedName())
                && (readOnly || !stage.readOnly());
    }
}
