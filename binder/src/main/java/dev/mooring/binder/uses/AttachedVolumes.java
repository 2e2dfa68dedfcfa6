// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** To which nodes volumes are, or may be, attached: those of their VolumeAttachments. Confined to the decider. */
public final class AttachedVolumes {
    private final Map<String, Map<ObjectKey, String>> nodesByVolume = new HashMap<>();

    /** Learns of a change; answers with the volume that is attached to one node less. */
    public Optional<String> update(
            ObjectKey attachment, Optional<VolumeAttachment> before, Optional<VolumeAttachment> after) {
        Optional<String> left = before.flatMap(AttachedVolumes::volume);
        left.ifPresent(name -> nodesByVolume.computeIfPresent(name, (same, nodes) -> {
            nodes.remove(attachment);
            return nodes.isEmpty() ? null : nodes;
        }));
        after.ifPresent(now -> volume(now)
                .ifPresent(name -> nodesByVolume
                        .computeIfAbsent(name, n -> new TreeMap<>())
                        .put(attachment, now.spec().nodeName())));
        return after.isPresent() ? Optional.empty() : left;
    }

    private static Optional<String> volume(VolumeAttachment attachment) {
        return attachment.spec().source().persistentVolumeName();
    }

    /** The nodes of a volume's attachments, in the order of the attachments' names. */
    public List<String> nodesOf(String volume) {
        return List.copyOf(nodesByVolume.getOrDefault(volume, Map.of()).values());
    }
}
