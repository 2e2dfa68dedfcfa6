// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import java.time.Instant;
import java.util.Map;

/**
 * What the driver remembers of a snapshot. Immutable; holds no secret.
 *
 * @param handle its id
 * @param phase how far it is
 * @param name the name under which it was asked for
 * @param source the id of the volume that it is of; empty if that is not known any more
 * @param sourceKey the key of that volume
 * @param parameters with which it was asked for, with which it is asked for again
 * @param contentName the name of its VolumeSnapshotContent, if the request named it
 * @param annotations what the plugin wants to find again
 * @param backend the plugin's name of it; empty as long as that is not known
 * @param createdAt of which moment it is
 * @param bytes the least size of a volume made from it; 0 if that is not known
 * @param ready whether volumes can be made from it
 */
record SnapshotRecord(
        SnapshotHandle handle,
        Phase phase,
        String name,
        String source,
        String sourceKey,
        Map<String, String> parameters,
        String contentName,
        Map<String, String> annotations,
        String backend,
        Instant createdAt,
        long bytes,
        boolean ready) {
    /** How far a snapshot is. */
    enum Phase {
        /** It may exist, in whole or in part. */
        TAKING,
        /** It exists. */
        TAKEN,
        /** It may be gone, in whole or in part. */
        DELETING
    }

    SnapshotRecord {
        parameters = Map.copyOf(parameters);
        annotations = Map.copyOf(annotations);
    }

    /** The snapshot for the plugin. */
    SnapshotRef ref() {
        return new SnapshotRef(contentName, backend, annotations);
    }

    SnapshotRecord in(Phase other) {
        return new SnapshotRecord(
                handle,
                other,
                name,
                source,
                sourceKey,
                parameters,
                contentName,
                annotations,
                backend,
                createdAt,
                bytes,
                ready);
    }

    /** With what the plugin knows of it. */
    SnapshotRecord with(SnapshotFacts facts) {
        return new SnapshotRecord(
                handle,
                Phase.TAKEN,
                name,
                source,
                sourceKey,
                parameters,
                contentName,
                annotations,
                facts.handle(),
                facts.createdAt().orElse(createdAt),
                facts.bytes() > 0 ? facts.bytes() : bytes,
                facts.ready());
    }

    SnapshotRecord named(SnapshotHandle other) {
        return new SnapshotRecord(
                other,
                phase,
                name,
                source,
                sourceKey,
                parameters,
                contentName,
                annotations,
                backend,
                createdAt,
                bytes,
                ready);
    }
}
