// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the driver remembers of a volume. Immutable; holds no secret and no mount flag.
 *
 * @param handle its id
 * @param phase how far it is
 * @param request what was asked for; empty texts if the volume was made elsewhere
 * @param volumeName its name for the plugin
 * @param source where the storage is; while it is being made, where it is planned
 * @param capacity its size
 * @param annotations what the plugin wants to find again
 * @param notes what the plugin has noted while the volume was used; they stay when it is not
 * @param uses where it is staged and published on this node, by path
 * @param nodes to which nodes it is attached, by node id
 */
record VolumeRecord(
        VolumeHandle handle,
        Phase phase,
        Request request,
        String volumeName,
        VolumeSource source,
        Quantity capacity,
        Map<String, String> annotations,
        Map<String, String> notes,
        SortedMap<String, VolumeUse> uses,
        SortedMap<String, NodeAttachment> nodes) {
    /** How far a volume is. */
    enum Phase {
        /** The storage may exist, in whole or in part. */
        MAKING,
        /** The storage was made here. */
        READY,
        /** The storage may be gone, in whole or in part. */
        DELETING,
        /** Another controller made it; it is only used here. */
        FOREIGN
    }

    /**
     * What CreateVolume was asked for, so that a repetition is recognised.
     *
     * @param name the name
     * @param accessModes the modes, in order
     * @param mode file system or block device
     * @param parameters the parameters, sorted
     * @param attributes the mutable parameters, sorted
     * @param content what it is filled from, as {@link VolumeContents#asked} says it; empty for nothing
     */
    record Request(
            String name,
            List<AccessMode> accessModes,
            VolumeMode mode,
            SortedMap<String, String> parameters,
            SortedMap<String, String> attributes,
            String content) {
        Request {
            accessModes = List.copyOf(accessModes);
            parameters = new TreeMap<>(parameters);
            attributes = new TreeMap<>(attributes);
        }

        /** For a volume that begins empty. */
        Request(
                String name,
                List<AccessMode> accessModes,
                VolumeMode mode,
                SortedMap<String, String> parameters,
                SortedMap<String, String> attributes) {
            this(name, accessModes, mode, parameters, attributes, "");
        }
    }

    VolumeRecord {
        annotations = Map.copyOf(annotations);
        notes = Map.copyOf(notes);
        uses = new TreeMap<>(uses);
        nodes = new TreeMap<>(nodes);
    }

    /** Whether it was asked for here, so that what was asked for is known. */
    boolean askedFor() {
        return !request.name().isEmpty();
    }

    boolean exists() {
        return phase == Phase.READY || phase == Phase.FOREIGN;
    }

    /** The volume for the plugin. */
    VolumeSpec spec(List<AccessMode> accessModes, VolumeMode mode, List<String> mountFlags) {
        Map<String, String> all = new TreeMap<>(annotations);
        all.putAll(notes);
        return VolumeSpecBuilder.builder()
                .name(volumeName)
                .uid(handle.key())
                .source(source)
                .accessModes(accessModes)
                .mode(mode)
                .capacity(capacity)
                .mountOptions(mountFlags)
                .annotations(all)
                .build();
    }

    VolumeSpec spec() {
        return spec(request.accessModes(), request.mode(), List.of());
    }

    Collection<VolumeUse> usesAs(VolumeUse.Kind kind) {
        return uses.values().stream().filter(use -> use.kind() == kind).toList();
    }

    VolumeRecord in(Phase other) {
        return new VolumeRecord(handle, other, request, volumeName, source, capacity, annotations, notes, uses, nodes);
    }

    VolumeRecord made(VolumeSource at, Quantity size, Map<String, String> found) {
        return new VolumeRecord(handle, Phase.READY, request, volumeName, at, size, found, notes, uses, nodes);
    }

    VolumeRecord named(VolumeHandle other) {
        return new VolumeRecord(other, phase, request, volumeName, source, capacity, annotations, notes, uses, nodes);
    }

    VolumeRecord sized(Quantity size) {
        return new VolumeRecord(handle, phase, request, volumeName, source, size, annotations, notes, uses, nodes);
    }

    VolumeRecord withAttributes(Map<String, String> changed) {
        SortedMap<String, String> all = new TreeMap<>(request.attributes());
        all.putAll(changed);
        Request other = new Request(
                request.name(), request.accessModes(), request.mode(), request.parameters(), all, request.content());
        return new VolumeRecord(handle, phase, other, volumeName, source, capacity, annotations, notes, uses, nodes);
    }

    VolumeRecord noted(String key, String value) {
        Map<String, String> all = new TreeMap<>(notes);
        all.put(key, value);
        return new VolumeRecord(handle, phase, request, volumeName, source, capacity, annotations, all, uses, nodes);
    }

    VolumeRecord with(VolumeUse use) {
        SortedMap<String, VolumeUse> all = new TreeMap<>(uses);
        all.put(use.path(), use);
        return new VolumeRecord(handle, phase, request, volumeName, source, capacity, annotations, notes, all, nodes);
    }

    VolumeRecord without(VolumeUse use) {
        SortedMap<String, VolumeUse> all = new TreeMap<>(uses);
        all.remove(use.path());
        return new VolumeRecord(handle, phase, request, volumeName, source, capacity, annotations, notes, all, nodes);
    }

    VolumeRecord with(NodeAttachment attachment) {
        SortedMap<String, NodeAttachment> all = new TreeMap<>(nodes);
        all.put(attachment.node(), attachment);
        return new VolumeRecord(handle, phase, request, volumeName, source, capacity, annotations, notes, uses, all);
    }

    VolumeRecord detachedFrom(String node) {
        SortedMap<String, NodeAttachment> all = new TreeMap<>(nodes);
        all.remove(node);
        return new VolumeRecord(handle, phase, request, volumeName, source, capacity, annotations, notes, uses, all);
    }
}
