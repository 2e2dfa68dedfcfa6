// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.EntryFiles;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a directory, a file for each. A change is durable when the call returns. Two rpcs for one thing never run at once, so that no
 * other rpc changes a record between a read and a write. Thread-safe.
 *
 * <p>A file beside them holds some space. On a full disk, such as one that a volume on it has filled, it makes room for the record of what
 * ends: space is free again only when that has been written. Nothing new begins without it.
 *
 * @param <R> a record
 */
final class RecordDirectory<R> {
    private static final Logger LOG = LoggerFactory.getLogger(RecordDirectory.class);
    private static final String SUFFIX = ".json";
    private static final int PRIVATE = 0700;
    private static final int PRIVATE_FILE = 0600;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final String RESERVE = "reserve";
    /** A record of a hundred uses takes less. */
    private static final int RESERVED_BYTES = 64 << 10;

    private static final int MOST = 1_000_000;

    private final HostFiles files;
    private final Path directory;
    private final String what;
    private final EntryFiles.Format<R> format;
    private volatile boolean reserved;

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
        return orThrow(read(Optional.empty(), entries -> entries.find(key + SUFFIX, what + " " + key)));
    }

    /** All records, in order of their keys. */
    List<R> all() throws RpcFailure {
        List<R> all = new ArrayList<>();
        for (String file : orThrow(read(List.<String>of(), entries -> entries.files(MOST)))) {
            if (file.endsWith(SUFFIX)) {
                // Removed since the listing: not there any more.
                orThrow(read(Optional.<R>empty(), entries -> entries.find(file, what + " " + file)))
                        .ifPresent(all::add);
            }
        }
        return all;
    }

    /** Writes a record before something new begins: if it cannot be written, nothing was done. */
    void announce(String key, R record) throws RpcFailure {
        orThrow(change(opened -> reserve(opened).then(nothing -> put(opened, key, record))));
    }

    /** Writes a record before the next effect of something that has begun, or before its end: if it cannot be written, that was not done. */
    void announceNext(String key, R record) throws RpcFailure {
        orThrow(change(opened -> putInReserve(opened, key, record)));
    }

    /** Writes a record after the effect: if it cannot be written, the caller has to repeat the call. */
    void note(String key, R record) throws RpcFailure {
        afterwards(change(opened -> putInReserve(opened, key, record)));
    }

    /** Forgets something of which nothing is left. */
    void remove(String key) throws RpcFailure {
        afterwards(read(Nothing.NOTHING, entries -> entries.remove(key + SUFFIX)));
    }

    private Outcome<Nothing> put(PinnedPath opened, String key, R record) {
        return new EntryFiles<>(opened, format).put(key + SUFFIX, record);
    }

    private Outcome<Nothing> putInReserve(PinnedPath opened, String key, R record) {
        Outcome<Nothing> written = put(opened, key, record);
        if (!written.isRefused(Refusal.EXHAUSTED)) {
            return written;
        }
        Outcome<Nothing> again = giveReserve(opened).then(nothing -> put(opened, key, record));
        if (!reserve(opened).isDone()) {
            LOG.warn("{}: the disk is full; nothing new begins until there is space", directory);
        }
        return again;
    }

    private synchronized Outcome<Nothing> giveReserve(PinnedPath opened) {
        reserved = false;
        return opened.removeFile(RESERVE);
    }

    /** Makes the reserve, unless it is known to be there. */
    private Outcome<Nothing> reserve(PinnedPath opened) {
        return reserved ? Outcome.done() : makeReserve(opened);
    }

    /** One thread at a time writes a file of a name. */
    private synchronized Outcome<Nothing> makeReserve(PinnedPath opened) {
        Outcome<Nothing> made = opened.readFile(RESERVE, RESERVED_BYTES)
                .then(there ->
                        there.filter(bytes -> bytes.length == RESERVED_BYTES).isPresent()
                                ? Outcome.done()
                                : opened.writeFile(RESERVE, incompressible(), PRIVATE_FILE));
        reserved = made.isDone();
        return made;
    }

    /** File systems that compress give zeros no space. */
    private static byte[] incompressible() {
        byte[] bytes = new byte[RESERVED_BYTES];
        long state = RESERVED_BYTES; // of a congruential generator, with Knuth's constants
        for (int i = 0; i < bytes.length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            bytes[i] = (byte) (state >>> 56);
        }
        return bytes;
    }

    /** Reads, and makes no directory for it: on a full disk there is no space for one. */
    private <T> Outcome<T> read(T ifMissing, Function<EntryFiles<R>, Outcome<T>> action) {
        return files.open(directory, LinkRule.FOLLOW)
                .ifFound()
                .then(found -> found.isEmpty()
                        ? Outcome.done(ifMissing)
                        : Directories.use(
                                Outcome.done(found.get()), opened -> action.apply(new EntryFiles<>(opened, format))));
    }

    private Outcome<Nothing> change(Function<PinnedPath, Outcome<Nothing>> action) {
        return Directories.use(
                files.openOrMake(directory, LinkRule.FOLLOW, FileKind.DIRECTORY, PRIVATE)
                        .map(Made::path),
                action);
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
