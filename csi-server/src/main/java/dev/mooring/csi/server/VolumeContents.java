// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.VolumeContentSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Snapshotting;
import java.util.Map;
import java.util.Optional;

/**
 * What new volumes hold from the start.
 *
 * @param traits what the plugin can do
 * @param volumes where volumes are found
 * @param snapshots where snapshots are found
 */
record VolumeContents(DriverTraits traits, VolumeLookup volumes, SnapshotRecords snapshots) {
    private static final String SNAPSHOT = "snapshot ";
    private static final String VOLUME = "volume ";

    /**
     * What a volume is filled from.
     *
     * @param source for the plugin
     * @param bytes how large the volume has to be at least; 0 for any size
     * @param mode as what the source is used; empty if that is not known
     */
    record Found(ContentSource source, long bytes, Optional<VolumeMode> mode) {}

    /** What is asked for, as a text for the records; empty for nothing. INVALID_ARGUMENT if the plugin cannot do it. */
    String asked(CreateVolumeRequest request) throws RpcFailure {
        if (!request.hasVolumeContentSource()) {
            return "";
        }
        VolumeContentSource source = request.getVolumeContentSource();
        boolean snapshot = source.hasSnapshot();
        if (!snapshot && !source.hasVolume()) {
            throw RpcFailure.invalid("volume_content_source is neither a snapshot nor a volume");
        }
        if (!traits.can(snapshot ? Snapshotting.class : Cloning.class)) {
            throw RpcFailure.invalid(
                    "volume_content_source: this driver makes no " + (snapshot ? "volumes from snapshots" : "clones"));
        }
        String id = snapshot
                ? source.getSnapshot().getSnapshotId()
                : source.getVolume().getVolumeId();
        if (id.isEmpty()) {
            throw RpcFailure.invalid("volume_content_source has no id");
        }
        return (snapshot ? SNAPSHOT : VOLUME) + id;
    }

    /** The key of the snapshot or volume that an {@linkplain #asked asked} text names. */
    static String key(String asked) {
        return asked.startsWith(SNAPSHOT)
                ? SnapshotHandle.parse(id(asked)).map(SnapshotHandle::key).orElse(asked)
                : VolumeLookup.lock(id(asked));
    }

    private static String id(String asked) {
        return asked.substring(asked.indexOf(' ') + 1);
    }

    /** The content in answers; empty for nothing. */
    static Optional<VolumeContentSource> told(String asked) {
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        VolumeContentSource.Builder source = VolumeContentSource.newBuilder();
        return Optional.of(
                asked.startsWith(SNAPSHOT)
                        ? source.setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                                        .setSnapshotId(id(asked)))
                                .build()
                        : source.setVolume(VolumeContentSource.VolumeSource.newBuilder()
                                        .setVolumeId(id(asked)))
                                .build());
    }

    /** Looks it up; NOT_FOUND if it does not exist, UNAVAILABLE if it cannot be read yet. */
    Found find(String asked) throws RpcFailure {
        return asked.startsWith(SNAPSHOT) ? snapshot(id(asked)) : volume(id(asked));
    }

    private Found snapshot(String id) throws RpcFailure {
        Optional<SnapshotHandle> handle = SnapshotHandle.parse(id);
        Optional<SnapshotRecord> found = handle.isEmpty() ? Optional.empty() : snapshots.known(handle.get());
        SnapshotRecord record = found.filter(known -> known.phase() == SnapshotRecord.Phase.TAKEN)
                .orElseThrow(() -> RpcFailure.notFound("there is no snapshot " + id));
        if (!record.ready()) {
            throw RpcFailure.unavailable("snapshot " + id + " is not ready to use");
        }
        return new Found(new ContentSource.OfSnapshot(record.ref()), record.bytes(), Optional.empty());
    }

    private Found volume(String id) throws RpcFailure {
        VolumeRecord record = volumes.existing(id, Map.of());
        return new Found(
                new ContentSource.OfVolume(record.spec()),
                record.capacity().longValue(),
                record.askedFor() ? Optional.of(record.request().mode()) : Optional.empty());
    }
}
