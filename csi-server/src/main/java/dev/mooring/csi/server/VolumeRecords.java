// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The driver's records: a file for each volume. A change is durable when the call returns. Two rpcs for one volume never run at once, so
 * no other rpc changes a record between a read and a write. Thread-safe.
 */
final class VolumeRecords {
    private static final String SUFFIX = ".json";
    private static final int PRIVATE = 0700;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int MOST = 1_000_000;
    private static final EntryFiles.Format<VolumeRecord> FORMAT =
            new EntryFiles.Format<>(RecordJson::write, RecordJson::read, LARGEST_BYTES);

    private final HostFiles files;
    private final Path directory;

    VolumeRecords(HostFiles files, Path state) {
        this.files = files;
        this.directory = state.resolve("volumes");
    }

    /** The record of a volume; empty if there is none. */
    Optional<VolumeRecord> find(VolumeHandle handle) throws RpcFailure {
        return orThrow(with(entries -> entries.find(file(handle), "volume " + handle)));
    }

    /** The record with what the plugin has noted meanwhile. */
    VolumeRecord now(VolumeRecord before) throws RpcFailure {
        return find(before.handle()).orElse(before);
    }

    /** All records, in order of their ids. */
    List<VolumeRecord> all() throws RpcFailure {
        List<VolumeRecord> all = new ArrayList<>();
        for (String file : orThrow(with(entries -> entries.files(MOST)))) {
            if (file.endsWith(SUFFIX)) {
                // Removed since the listing: not there any more.
                orThrow(with(entries -> entries.find(file, "volume " + file))).ifPresent(all::add);
            }
        }
        return all;
    }

    /** Writes a record before the effect that it announces: if it cannot be written, nothing was done. */
    VolumeRecord announce(VolumeRecord record) throws RpcFailure {
        orThrow(write(record));
        return record;
    }

    /** Writes a record after the effect: if it cannot be written, the caller has to repeat the call. */
    void note(VolumeRecord record) throws RpcFailure {
        afterwards(write(record));
    }

    /** Forgets a volume of which nothing is left. */
    void remove(VolumeHandle handle) throws RpcFailure {
        afterwards(with(entries -> entries.remove(file(handle))));
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

    private Outcome<Nothing> write(VolumeRecord record) {
        return with(entries -> entries.put(file(record.handle()), record));
    }

    private <T> Outcome<T> with(Function<EntryFiles<VolumeRecord>, Outcome<T>> action) {
        return Directories.use(
                files.openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, PRIVATE)
                        .map(Made::path),
                opened -> action.apply(new EntryFiles<>(opened, FORMAT)));
    }

    private static String file(VolumeHandle handle) {
        return handle.key() + SUFFIX;
    }

    private <T> T orThrow(Outcome<T> outcome) throws RpcFailure {
        return outcome.result()
                .orElseThrow(() -> new RpcFailure(
                        Status.Code.UNAVAILABLE, "the records in " + directory + ": " + outcome.message()));
    }

    private void afterwards(Outcome<Nothing> outcome) throws RpcFailure {
        if (!outcome.isDone()) {
            throw new RpcFailure(Status.Code.ABORTED, "the records in " + directory + ": " + outcome.message());
        }
    }
}
