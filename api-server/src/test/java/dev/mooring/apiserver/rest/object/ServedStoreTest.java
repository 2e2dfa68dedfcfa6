// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServedStoreTest {
    private static final int LONGEST_MESSAGE = 50_000;

    @Test
    void aRefusalIsNotAsLongAsWhatItRefuses() {
        ServedStore store = new ServedStore(new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1)))));
        Document event = Document.of(Map.of("metadata", Map.of("namespace", "default", "name", "n".repeat(900_000))));

        StoreResult<Document> refused = store.createDocument(EventView.KIND, event);
        String message = refused.match(done -> "", StoreResult.Failed::message);

        assertThat(refused.failure()).contains(StoreResult.Failure.INVALID);
        assertThat(message)
                .startsWith("Event.events.k8s.io \"nnn")
                .contains(" is invalid: [")
                .hasSizeLessThan(LONGEST_MESSAGE);
    }
}
