// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.spi.host.HostFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The driver's records of snapshots. Thread-safe. */
final class SnapshotRecords {
    private final RecordDirectory<SnapshotRecord> records;
    private final boolean bound;
    /** The volume of each snapshot that was begun, by the snapshot's key; read once, as volumes are deleted far more often. */
    private final Map<String, String> begun = new HashMap<>();

    private boolean areBegunRead;

    /**
     * The records in the driver's directory.
     *
     * @param bound whether storage is where it was made and nowhere else, so that what has no record here does not exist here
     */
    SnapshotRecords(HostFiles files, Path state, boolean bound) {
        this.records = new RecordDirectory<>(
                files, state.resolve("snapshots"), "snapshot", SnapshotJson::write, SnapshotJson::read);
        this.bound = bound;
    }

    /** The record of a snapshot; empty if there is none. */
    Optional<SnapshotRecord> find(SnapshotHandle id) throws RpcFailure {
        return records.find(id.key());
    }

    /** The record of a snapshot, or else what its id says; empty if there is neither. */
    Optional<SnapshotRecord> known(SnapshotHandle id) throws RpcFailure {
        Optional<SnapshotRecord> found = find(id);
        return found.isPresent() || bound ? found : SnapshotJson.unpack(id);
    }

    /** All that exist, in order of their keys. */
    List<SnapshotRecord> taken() throws RpcFailure {
        return records.all().stream()
                .filter(record -> record.phase() == SnapshotRecord.Phase.TAKEN)
                .toList();
    }

    /** Whether a snapshot of a volume was begun, so that the volume has to stay until it is known what became of it. */
    synchronized boolean isBeingTaken(VolumeHandle volume) throws RpcFailure {
        readBegun();
        return begun.containsValue(volume.key());
    }

    private synchronized void readBegun() throws RpcFailure {
        if (!areBegunRead) {
            begun.clear();
            records.all().forEach(this::seen);
            areBegunRead = true;
        }
    }

    private synchronized void seen(SnapshotRecord record) {
        if (record.phase() == SnapshotRecord.Phase.TAKING) {
            begun.put(record.handle().key(), record.sourceKey());
        } else {
            begun.remove(record.handle().key());
        }
    }

    /** What is written is not known: it is read when it is needed. */
    private synchronized void readAgain() {
        areBegunRead = false;
    }

    private interface Change {
        void make() throws RpcFailure;
    }

    private SnapshotRecord written(SnapshotRecord record, Change change) throws RpcFailure {
        readBegun();
        boolean written = false;
        try {
            change.make();
            written = true;
        } finally {
            if (!written) {
                readAgain();
            }
        }
        seen(record);
        return record;
    }

    /** Writes a record before something new begins: if it cannot be written, nothing was done. */
    SnapshotRecord announce(SnapshotRecord record) throws RpcFailure {
        return written(record, () -> records.announce(record.handle().key(), record));
    }

    /** Writes a record before the end of what it is of. */
    SnapshotRecord announceNext(SnapshotRecord record) throws RpcFailure {
        return written(record, () -> records.announceNext(record.handle().key(), record));
    }

    /** Writes a record after the effect: if it cannot be written, the caller has to repeat the call. */
    SnapshotRecord note(SnapshotRecord record) throws RpcFailure {
        return written(record, () -> records.note(record.handle().key(), record));
    }

    /** Forgets a snapshot of which nothing is left. */
    void remove(SnapshotHandle id) throws RpcFailure {
        records.remove(id.key());
        forgotten(id);
    }

    private synchronized void forgotten(SnapshotHandle id) {
        begun.remove(id.key());
    }
}
