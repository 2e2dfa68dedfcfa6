// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A volume that the node has to do something about before any pod can have it: see it attached, prepare it, or both.
 *
 * @param volume the PersistentVolume's name, or {@code <pod uid>/<volume name>}
 * @param volumeId whose storage it is
 * @param spec as the plugin sees it
 * @param attachment what has to be attached; absent if nothing has to
 * @param stagingPath where it is prepared; absent if the plugin does not prepare volumes
 * @param readOnly whether it is prepared read-only
 * @param seLinuxLabel with which label of SELinux it is prepared; absent for none
 * @param group the {@code fsGroup} of the pod that needs it; absent for none. What was prepared serves pods of any group
 */
public record Device(
        String volume,
        VolumeId volumeId,
        VolumeSpec spec,
        Optional<Attachment> attachment,
        Optional<Path> stagingPath,
        boolean readOnly,
        Optional<String> seLinuxLabel,
        OptionalInt group) {
    /**
     * An attachment to this node.
     *
     * @param reportedName under which name the Node reports the volume
     * @param objectName the VolumeAttachment's name
     */
    public record Attachment(String reportedName, String objectName) {}

    public Optional<String> reportedName() {
        return attachment.map(Attachment::reportedName);
    }

    /** Whether who needs this can use what was prepared. */
    public boolean fits(Stage stage) {
        return stage.mode() == spec.mode()
                && stage.stagingPath().equals(stagingPath)
                && stage.reportedName().equals(reportedName())
                && stage.seLinuxLabel().equals(seLinuxLabel)
                && (readOnly || !stage.readOnly());
    }

    /** Why who needs this cannot use what was prepared, for people. */
    public String whyUnfit(Stage stage) {
        return stage.seLinuxLabel().equals(seLinuxLabel)
                ? "the volume is in use on this node in another way"
                : "the volume is mounted on this node " + how(stage.seLinuxLabel()) + " and the pod requests it "
                        + how(seLinuxLabel);
    }

    /** The same, prepared with a label. */
    Device labelled(Optional<String> label) {
        return new Device(volume, volumeId, spec, attachment, stagingPath, readOnly, label, group);
    }

    private static String how(Optional<String> label) {
        return label.map(known -> "with the SELinux label " + known).orElse("without an SELinux label");
    }

    /** The volume as the plugin is to prepare it: the label is the host's option (semantics/plugins §1.3). */
    public VolumeSpec preparedSpec() {
        if (seLinuxLabel.isEmpty()) {
            return spec;
        }
        List<String> options = new ArrayList<>(spec.mountOptions());
        options.add("context=\"" + seLinuxLabel.get() + "\"");
        return VolumeSpecBuilder.builder()
                .name(spec.name())
                .uid(spec.uid())
                .source(spec.source())
                .accessModes(spec.accessModes())
                .mode(spec.mode())
                .capacity(spec.capacity())
                .mountOptions(options)
                .annotations(spec.annotations())
                .build();
    }
}
