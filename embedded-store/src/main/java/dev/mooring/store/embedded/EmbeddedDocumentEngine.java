// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.Commit;
import dev.mooring.clusterstore.DocumentEngine;
import dev.mooring.clusterstore.StoredDocument;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An engine that reads in memory and writes to a file; a flush is one transaction and costs one flush of the disk. */
final class EmbeddedDocumentEngine implements DocumentEngine {
    private final Versions versions = new Versions();
    private final VersionFile file;
    private final EmbeddedStoreLimits limits;

    /** A copy of the file is made beside reads, never beside a flush. */
    private final Object disk = new Object();

    private EmbeddedDocumentEngine(VersionFile file, EmbeddedStoreLimits limits) {
        this.file = file;
        this.limits = limits;
    }

    static EmbeddedDocumentEngine open(Path path, Kinds kinds, CustomKinds customs, EmbeddedStoreLimits limits) {
        return open(path, kinds, customs, limits, VersionFile.LAYOUTS);
    }

    static EmbeddedDocumentEngine open(
            Path path, Kinds kinds, CustomKinds customs, EmbeddedStoreLimits limits, List<String> layouts) {
        VersionFile file = VersionFile.open(path, kinds, customs, layouts);
        EmbeddedDocumentEngine engine = new EmbeddedDocumentEngine(file, limits);
        try {
            file.readInto(engine.versions);
            return engine;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public Revision revision() {
        return versions.revision();
    }

    @Override
    public Revision horizon() {
        return versions.horizon();
    }

    @Override
    public Optional<StoredDocument> get(Kind<?> kind, ObjectKey key) {
        return versions.get(kind, key);
    }

    @Override
    public Iterable<StoredDocument> scan(Kind<?> kind, Optional<ObjectKey> after) {
        return versions.scan(kind, after);
    }

    @Override
    public Optional<List<Commit>> history(Kind<?> kind, Revision after) {
        return versions.historyAfter(kind, after);
    }

    @Override
    public void commit(Commit step) {
        versions.stage(step);
    }

    @Override
    public void flush() {
        if (versions.staged().isEmpty()) {
            return;
        }
        List<Versions.Sized> steps;
        List<Commit> forgotten;
        try {
            List<VersionFile.Row> rows =
                    versions.staged().stream().map(VersionFile.Row::of).toList();
            steps = rows.stream().map(VersionFile.Row::sized).toList();
            forgotten = versions.surplus(steps, limits.historySteps(), limits.historyBytes());
            Revision horizon = forgotten.isEmpty()
                    ? versions.horizon()
                    : forgotten.get(forgotten.size() - 1).revision();
            synchronized (disk) {
                file.write(rows, forgotten, horizon, versions.revision());
            }
        } catch (RuntimeException e) {
            versions.takeBack();
            throw e;
        }
        versions.settle(steps);
        versions.forget(forgotten);
    }

    void copyTo(Path target) throws IOException {
        synchronized (disk) {
            file.copyTo(target);
        }
    }

    @Override
    public void close() {
        synchronized (disk) {
            versions.clear();
            file.close();
        }
    }
}
