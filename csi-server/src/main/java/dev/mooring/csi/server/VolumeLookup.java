// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.model.VolumeSource;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the volume that a caller means. The record comes first. Without one a volume is as its id or its context says, but not on a node
 * whose storage can be nowhere else: there what has no record does not exist.
 */
record VolumeLookup(DriverTraits traits, VolumeRecords records) {
    /** What keeps the rpcs of one volume apart: its key, or the text of a foreign id. */
    static String lock(String id) {
        return VolumeHandle.parse(id).map(VolumeHandle::key).orElse(id);
    }

    /** The record of a volume; empty if there is none. */
    Optional<VolumeRecord> record(String id) throws RpcFailure {
        Optional<VolumeHandle> handle = VolumeHandle.parse(id);
        return handle.isEmpty() ? Optional.empty() : records.find(handle.get());
    }

    /** The record of a volume, or else what its id says; empty if there is neither. */
    Optional<VolumeRecord> find(VolumeHandle handle) throws RpcFailure {
        Optional<VolumeRecord> known = records.find(handle);
        return known.isPresent() || traits.bound() ? known : PackedVolume.unpack(handle);
    }

    /** Whether a volume that this driver has made is there. */
    boolean exists(String id) throws RpcFailure {
        Optional<VolumeHandle> handle = VolumeHandle.parse(id);
        return handle.isPresent()
                && find(handle.get()).filter(VolumeRecord::exists).isPresent();
    }

    /**
     * The volume that is to be used.
     *
     * @param context what the caller knows of it
     * @throws RpcFailure NOT_FOUND if it does not exist, INVALID_ARGUMENT if it is no volume of the plugin
     */
    VolumeRecord existing(String id, Map<String, String> context) throws RpcFailure {
        VolumeHandle handle = VolumeHandle.parse(id).orElseThrow(() -> RpcFailure.notFound("there is no volume " + id));
        Optional<VolumeRecord> known = find(handle);
        if (known.isEmpty() && handle.kind() == VolumeHandle.Kind.STATIC) {
            known = Optional.of(RecordJson.ofStatic(handle, context)
                    .orElseThrow(() -> RpcFailure.invalid("volume_context has no " + RecordJson.SOURCE_KEY
                            + " that holds one volume source, as a PersistentVolume has it, in JSON")));
        }
        if (known.isEmpty() && !(traits.bound() && traits.settings().controller())) {
            known = RecordJson.fromContext(handle, context);
        }
        VolumeRecord record =
                known.filter(VolumeRecord::exists).orElseThrow(() -> RpcFailure.notFound("there is no volume " + id));
        VolumeSource source = record.source();
        boolean served = traits.plugin().describe().sourceTypes().contains(source.type())
                || source.type().equals("csi");
        if (!served || !traits.plugin().validate(source).isEmpty()) {
            throw RpcFailure.invalid("volume " + id + " is no volume of plugin "
                    + traits.plugin().describe().name()
                    + traits.plugin().validate(source).stream()
                            .map(problem -> ": " + problem)
                            .findFirst()
                            .orElse(""));
        }
        return record;
    }
}
