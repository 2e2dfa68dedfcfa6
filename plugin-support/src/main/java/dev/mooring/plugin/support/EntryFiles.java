// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A ledger: one file for each entry, in a directory that the caller holds open. A change is durable when the call returns, so write an entry
 * before the effect that it announces. An entry that cannot be read is {@link Refusal#CORRUPT} and never taken for a missing one.
 *
 * <p>Thread-safe if the entries are immutable. Two threads that change one entry have to agree among themselves, for example by {@link
 * CallLocks}.
 *
 * @param <E> what a file holds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EntryFiles<E> {
    /** How the name begins under which {@link PinnedPath#writeFile} writes a file first. A process that dies meanwhile leaves it. */
    public static final String TEMPORARY = ".mooring-new-";

    private static final int MODE = 0600;

    private final PinnedPath directory;
    private final Format<E> format;

    /**
     * The entries in a directory.
     *
     * @param directory where the files are; stays the caller's to close
     * @param format how an entry is written
     */
    public EntryFiles(PinnedPath directory, Format<E> format) {
        this.directory = directory;
        this.format = format;
    }

    /**
     * How an entry is written.
     *
     * @param write makes the content of a file
     * @param read reads what {@code write} made; empty for anything else
     * @param largestBytes no file is larger; what is larger cannot be read
     * @param <E> what a file holds
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Format<E>(Function<E, String> write, Function<String, Optional<E>> read, int largestBytes) {}

    /**
     * Reads an entry.
     *
     * @param file the file's name
     * @param what what the entry is of, for the message if it cannot be read
     * @return the entry; empty if there is no such file; CORRUPT if it cannot be read
     */
    public Outcome<Optional<E>> find(String file, String what) {
        return directory.readFile(file, format.largestBytes()).then(content -> {
            if (content.isEmpty()) {
                return Outcome.done(Optional.empty());
            }
            Optional<E> entry = format.read().apply(new String(content.get(), StandardCharsets.UTF_8));
            return entry.isPresent()
                    ? Outcome.done(entry)
                    : Outcome.refused(Refusal.CORRUPT, "the ledger entry of " + what + " cannot be read");
        });
    }

    /** Writes an entry in the place of the one that is there. Only the file's owner may read it. */
    public Outcome<Nothing> put(String file, E entry) {
        return directory.writeFile(file, format.write().apply(entry).getBytes(StandardCharsets.UTF_8), MODE);
    }

    /** Removes an entry, and what a write of it that was cut off has left; done if there is none. */
    public Outcome<Nothing> remove(String file) {
        return directory.removeFile(file).then(nothing -> directory.removeFile(TEMPORARY + file));
    }

    /**
     * The names of all files in the directory but those that a write that was cut off has left, sorted.
     *
     * @param most how many there may be; EXHAUSTED if there are more
     */
    public Outcome<List<String>> files(int most) {
        return directory
                .list(most)
                .map(names -> names.stream()
                        .filter(name -> !name.startsWith(TEMPORARY))
                        .toList());
    }
}
