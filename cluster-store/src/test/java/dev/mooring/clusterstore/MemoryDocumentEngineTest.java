// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The engine in memory against a plain model of itself. */
class MemoryDocumentEngineTest {
    private static final Kind<?> KIND = Kinds.CONFIG_MAP;
    private static final int LIMIT = 50;

    private final MemoryDocumentEngine engine = new MemoryDocumentEngine(LIMIT);

    private static StoredDocument object(String name, long revision) {
        Document document = Document.of(
                Map.of("metadata", Map.of("name", name, "namespace", "x", "resourceVersion", Long.toString(revision))));
        return StoredDocument.of(KIND, new Revision(revision), document);
    }

    @Test
    void randomStepsAgreeWithAModel() {
        Random random = new Random(7);
        TreeMap<ObjectKey, StoredDocument> model = new TreeMap<>();
        List<Commit> history = new ArrayList<>();
        for (int revision = 1; revision <= 500; revision++) {
            StoredDocument next = object("m" + random.nextInt(10), revision);
            Optional<StoredDocument> before = Optional.ofNullable(model.get(next.key()));
            boolean removed = before.isPresent() && random.nextInt(3) == 0;
            Commit step = new Commit(before, next, removed);
            engine.commit(step);
            history.add(step);
            if (removed) {
                model.remove(next.key());
            } else {
                model.put(next.key(), next);
            }
            assertThat(engine.scan(KIND, Optional.empty())).containsExactlyElementsOf(model.values());
            assertThat(engine.get(KIND, next.key())).isEqualTo(Optional.ofNullable(model.get(next.key())));
        }
        assertThat(engine.revision()).isEqualTo(new Revision(500));
        assertThat(engine.horizon()).isEqualTo(new Revision(500 - LIMIT));
        assertThat(engine.history(KIND, engine.horizon())).contains(history.subList(500 - LIMIT, 500));
        assertThat(engine.history(KIND, new Revision(500 - LIMIT - 1))).isEmpty();
        assertThat(engine.history(KIND, new Revision(501))).isEmpty();
    }

    @Test
    void aScanStartsAfterAKeyThatNeedNotExist() {
        engine.commit(new Commit(Optional.empty(), object("a", 1), false));
        engine.commit(new Commit(Optional.empty(), object("c", 2), false));
        assertThat(engine.scan(KIND, Optional.of(ObjectKey.of("x", "b")))).hasSize(1);
        assertThat(engine.scan(KIND, Optional.of(ObjectKey.of("x", "c")))).isEmpty();
        assertThat(engine.scan(Kinds.SECRET, Optional.empty())).isEmpty();
    }

    @Test
    void revisionsOnlyGrow() {
        engine.commit(new Commit(Optional.empty(), object("a", 5), false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.commit(new Commit(Optional.empty(), object("b", 5), false)));
        assertThatIllegalArgumentException().isThrownBy(() -> new MemoryDocumentEngine(0));
    }
}
