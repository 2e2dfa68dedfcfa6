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
 * Records in a directory, a file for each. A change is durable when the call returns. Two rpcs for one thing never run at once, so that no
 * other rpc changes a record between a read and a write. Thread-safe.
 *
 * @param <R> a record
 */
final class RecordDirectory<R> {
    private static final String SUFFIX = ".json";
    private static final int PRIVATE = 0700;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int MOST = 1_000_000;

    private final HostFiles files;
    private final Path directory;
    private final String what;
    private final EntryFiles.Format<R> format;

    /**
     * The records in a directory, which is made with the first one.
     *
     * @param what what a record is of, for messages
     * @param write makes the text of a record
     * @param read reads it; empty for anything else
     */
    RecordDirectory(
            HostFiles files,
            Path directory,
            String what,
            Function<R, String> write,
            Function<String, Optional<R>> read) {
        this.files = files;
        this.directory = directory;
        this.what = what;
        this.format = new EntryFiles.Format<>(write, read, LARGEST_BYTES);
    }

    /** The record of a key; empty if there is none. */
    Optional<R> find(String key) throws RpcFailure {
        return orThrow(with(entries -> entries.find(key + SUFFIX, what + " " + key)));
    }

    /** All records, in order of their keys. */
    List<R> all() throws RpcFailure {
        List<R> all = new ArrayList<>();
        for (String file : orThrow(with(entries -> entries.files(MOST)))) {
            if (file.endsWith(SUFFIX)) {
                // Removed since the listing: not there any more.
                orThrow(with(entries -> entries.find(file, what + " " + file))).ifPresent(all::add);
            }
        }
        return all;
    }

    /** Writes a record before the effect that it announces: if it cannot be written, nothing was done. */
    void announce(String key, R record) throws RpcFailure {
        orThrow(write(key, record));
    }

    /** Writes a record after the effect: if it cannot be written, the caller has to repeat the call. */
    void note(String key, R record) throws RpcFailure {
        afterwards(write(key, record));
    }

    /** Forgets something of which nothing is left. */
    void remove(String key) throws RpcFailure {
        afterwards(with(entries -> entries.remove(key + SUFFIX)));
    }

    private Outcome<Nothing> write(String key, R record) {
        return with(entries -> entries.put(key + SUFFIX, record));
    }

    private <T> Outcome<T> with(Function<EntryFiles<R>, Outcome<T>> action) {
        return Directories.use(
                files.openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, PRIVATE)
                        .map(Made::path),
                opened -> action.apply(new EntryFiles<>(opened, format)));
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
