// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.spi.host.HostFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The driver's records of volumes. Thread-safe. */
final class VolumeRecords {
    private final RecordDirectory<VolumeRecord> records;

    VolumeRecords(HostFiles files, Path state) {
        this.records =
                new RecordDirectory<>(files, state.resolve("volumes"), "volume", RecordJson::write, RecordJson::read);
    }

    /** The record of a volume; empty if there is none. */
    Optional<VolumeRecord> find(VolumeHandle handle) throws RpcFailure {
        return records.find(handle.key());
    }

    /** The record with what the plugin has noted meanwhile. */
    VolumeRecord now(VolumeRecord before) throws RpcFailure {
        return find(before.handle()).orElse(before);
    }

    /** All records, in order of their ids. */
    List<VolumeRecord> all() throws RpcFailure {
        return records.all();
    }

    /** Writes a record before something new begins: if it cannot be written, nothing was done. */
    VolumeRecord announce(VolumeRecord record) throws RpcFailure {
        records.announce(record.handle().key(), record);
        return record;
    }

    /** Writes a record before the next effect of something that has begun, or before its end. */
    VolumeRecord announceNext(VolumeRecord record) throws RpcFailure {
        records.announceNext(record.handle().key(), record);
        return record;
    }

    /** Writes a record after the effect: if it cannot be written, the caller has to repeat the call. */
    void note(VolumeRecord record) throws RpcFailure {
        records.note(record.handle().key(), record);
    }

    /** Forgets a volume of which nothing is left. */
    void remove(VolumeHandle handle) throws RpcFailure {
        records.remove(handle.key());
    }

    /** Writes a record, or forgets a volume that was made elsewhere, is not used here any more, and of which nothing was noted. */
    void noteOrForget(VolumeRecord record) throws RpcFailure {
        boolean unused = record.uses().isEmpty()
                && record.nodes().isEmpty()
                && record.notes().isEmpty();
        if (unused && record.phase() == VolumeRecord.Phase.FOREIGN) {
            remove(record.handle());
        } else {
            note(record);
        }
    }
}
