// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** No client is told that a write stands before the medium has it. */
class WriteGroupsTest {
    private static final WriteGroups.Attempt ATTEMPT = new WriteGroups.Attempt() {
        @Override
        public <R> StoreResult<R> run(Kind<?> kind, Supplier<R> work) {
            return StoreResult.ok(work.get());
        }
    };

    private final List<Commit> published = new ArrayList<>();

    private List<WaitingWrite> carriedOut(RuntimeException failure) {
        WriteGroups groups =
                new WriteGroups(new FailingEngine(failure), Stores.options(), new CustomKinds(), published::add);
        List<WaitingWrite> writes = List.of(creation("a"), creation("b"));
        writes.forEach(groups::add);
        groups.carryOut(writes.get(0), ATTEMPT, write -> {});
        return writes;
    }

    private static WaitingWrite creation(String name) {
        ObjectKey key = ObjectKey.of("x", name);
        WriteRequest request = new WriteRequest(WriteVerb.CREATE, Kinds.CONFIG_MAP, key, "", "user");
        Document document = Document.of(Map.of("metadata", Map.of("name", name, "namespace", "x")));
        Author author = new Author("user", Authorship.UNNAMED);
        return new WaitingWrite(request, writes -> writes.create(Kinds.CONFIG_MAP, document, author), Optional.empty());
    }

    @Test
    void aMediumThatRefusesFailsAllOfTheGroup() {
        assertThat(carriedOut(new EngineException("full", new IOException("full"), false)))
                .allSatisfy(write -> assertThat(write.told().failure()).contains(Failure.UNAVAILABLE));
        assertThat(published).isEmpty();
    }

    @Test
    void aDefectOfTheMediumIsToldToAllOfTheGroup() {
        assertThat(carriedOut(new IllegalStateException("defect")))
                .allSatisfy(write -> assertThatThrownBy(write::told).hasMessage("defect"));
        assertThat(published).isEmpty();
    }

    /** Keeps everything in memory and makes nothing last. */
    private static final class FailingEngine implements DocumentEngine {
        private final MemoryDocumentEngine memory = new MemoryDocumentEngine(10);
        private final RuntimeException failure;

        FailingEngine(RuntimeException failure) {
            this.failure = failure;
        }

        @Override
        public void flush() {
            throw failure;
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
        public void commit(Commit step) {
            memory.commit(step);
        }

        @Override
        public Optional<List<Commit>> history(Kind<?> kind, Revision after) {
            return memory.history(kind, after);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
