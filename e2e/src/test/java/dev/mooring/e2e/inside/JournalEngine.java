// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.clusterstore.Commit;
import dev.mooring.clusterstore.DocumentEngine;
import dev.mooring.clusterstore.MemoryDocumentEngine;
import dev.mooring.clusterstore.StoredDocument;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster's objects in a file that only ever grows: what was answered survives the process and the power. A crash may tear the last
 * line, which was not answered.
 */
final class JournalEngine implements DocumentEngine {
    private static final int HISTORY = 100_000;
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final MemoryDocumentEngine memory = new MemoryDocumentEngine(HISTORY);
    private final FileChannel file;

    JournalEngine(Path path) {
        try {
            long whole = Files.exists(path) ? replay(Files.readAllBytes(path)) : 0;
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            file.truncate(whole);
            file.position(whole);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers how much of the file consists of whole lines. */
    private long replay(byte[] content) {
        int begin = 0;
        for (int at = 0; at < content.length; at++) {
            if (content[at] == '\n') {
                memory.commit(read(new String(content, begin, at - begin, StandardCharsets.UTF_8)));
                begin = at + 1;
            }
        }
        return begin;
    }

    private Commit read(String line) {
        Document step = JSON.read(line, "journal");
        Document object = step.object("object").orElseThrow();
        Kind<?> kind =
                Kinds.standard().byKindName(step.text("kind").orElseThrow()).orElseThrow();
        Revision revision = Revision.parse(step.text("revision").orElseThrow());
        StoredDocument after = StoredDocument.of(kind, revision, object);
        return new Commit(
                memory.get(kind, after.key()), after, step.text("removed").isPresent());
    }

    @Override
    public void commit(Commit step) {
        append(step);
        memory.commit(step);
    }

    private void append(Commit step) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", step.kind().name());
        line.put("revision", step.revision().toString());
        if (step.removed()) {
            line.put("removed", "yes");
        }
        line.put("object", step.after().document().asMap());
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(JSON.write(Document.of(line)) + "\n");
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Revision revision() {
        return memory.revision();
    }

    @Override
    public Revision horizon() {
        return memory.horizon();
    }

    @Override
    public Optional<StoredDocument> get(Kind<?> kind, ObjectKey key) {
        return memory.get(kind, key);
    }

    @Override
    public Iterable<StoredDocument> scan(Kind<?> kind, Optional<ObjectKey> after) {
        return memory.scan(kind, after);
    }

    @Override
    public Optional<List<Commit>> history(Kind<?> kind, Revision after) {
        return memory.history(kind, after);
    }

    @Override
    public void close() {
        memory.close();
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
