// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.ApiStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.customresources.CustomKinds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A cluster in one SQLite file, with the API server's rules.
 *
 * <p>A write is answered after the file system was told to make it durable; those that arrive meanwhile go to the disk together. Objects,
 * revisions and the recent past outlive the process, however it ends: a watch of an earlier life is resumed, or told GONE, and no
 * revision is ever given twice. All objects and the recent past are held in memory too, where reads find them.
 *
 * <p>When the disk is full or fails, writes are answered with UNAVAILABLE (surely not applied) or UNKNOWN, reads go on, and writes
 * succeed again when the disk takes them. One process at a time; thread-safe within it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class EmbeddedClusterStore extends ApiStore {
    private final EmbeddedDocumentEngine engine;

    private EmbeddedClusterStore(EmbeddedDocumentEngine engine, StoreOptions options, CustomKinds customs) {
        super(engine, options, customs);
        this.engine = engine;
    }

    /**
     * Opens a store, or begins one if there is no file. A file of an older version is brought to the present one.
     *
     * @param file the file; its directory exists
     * @param options its kinds must hold every kind that is in the file, beside those that definitions in the file define
     * @return the store, to be closed by the caller
     * @throws UncheckedIOException if the file is damaged, is something else, comes from a newer version, or another process has it; the
     *     message names it. It is left as it is
     */
    public static EmbeddedClusterStore open(Path file, StoreOptions options) {
        return open(file, options, EmbeddedStoreLimits.STANDARD);
    }

    /** The same with other limits. */
    public static EmbeddedClusterStore open(Path file, StoreOptions options, EmbeddedStoreLimits limits) {
        CustomKinds customs = new CustomKinds();
        return new EmbeddedClusterStore(
                EmbeddedDocumentEngine.open(file, options.kinds(), customs, limits), options, customs);
    }

    /**
     * Copies the store as it is now to a new file, which is there whole or not at all. Reads go on until a write comes: that waits for the
     * copy, and the reads that come after it wait with it. The copy can be opened as a store.
     *
     * @param target does not exist
     * @throws IOException if it exists or cannot be written; the message says why
     */
    public void backup(Path target) throws IOException {
        engine.copyTo(target);
    }
}
