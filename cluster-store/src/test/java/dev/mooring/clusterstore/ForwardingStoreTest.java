// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A store that hands each call to another store, and each write through one method. */
class ForwardingStoreTest {
    private static final ObjectKey KEY = ObjectKey.cluster("v");

    private final List<WriteRequest> requests = new ArrayList<>();
    private final MemoryClusterStore store = new MemoryClusterStore(Stores.options());
    private boolean closed;
    private final ClusterStore way = new ForwardingStore(store) {
        @Override
        protected <R> StoreResult<R> write(WriteRequest request, Supplier<StoreResult<R>> call) {
            requests.add(request);
            return closed ? StoreResult.failed(Failure.UNAVAILABLE, "closed") : super.write(request, call);
        }
    };

    @Test
    void everyWriteGoesOneWay() {
        PersistentVolume volume = volume();
        PersistentVolume bound = volume.withStatus(volume.status().withPhase(PersistentVolumePhase.BOUND));
        way.updateStatus(Kinds.PERSISTENT_VOLUME, new Change<>(volume, bound)).orThrow();
        PersistentVolume now = way.get(Kinds.PERSISTENT_VOLUME, KEY).orThrow();
        assertThat(now.status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        PersistentVolume kept = now.withMetadata(now.metadata().withFinalizers(List.of("example.com/kept")));
        way.update(Kinds.PERSISTENT_VOLUME, new Change<>(now, kept)).orThrow();
        assertThat(way.delete(Kinds.PERSISTENT_VOLUME, KEY, DeleteOptions.DEFAULT)
                        .orThrow()
                        .removed())
                .isFalse();
        way.create(
                Kinds.PERSISTENT_VOLUME, volume.withMetadata(volume.metadata().withName("w")));
        assertThat(requests)
                .containsExactly(
                        request(WriteVerb.UPDATE, "v", "status"),
                        request(WriteVerb.UPDATE, "v", ""),
                        request(WriteVerb.DELETE, "v", ""),
                        request(WriteVerb.CREATE, "w", ""));
    }

    @Test
    void whatIsNotLetThroughIsNotWritten() {
        PersistentVolume volume = volume();
        closed = true;
        assertThat(way.delete(Kinds.PERSISTENT_VOLUME, KEY, DeleteOptions.DEFAULT)
                        .failure())
                .contains(Failure.UNAVAILABLE);
        assertThat(way.get(Kinds.PERSISTENT_VOLUME, KEY).orThrow()).isEqualTo(volume);
    }

    @Test
    void itsEndIsNotTheStores() {
        PersistentVolume volume = volume();
        way.close();
        assertThat(way.get(Kinds.PERSISTENT_VOLUME, KEY).orThrow()).isEqualTo(volume);
    }

    private PersistentVolume volume() {
        Document spec = Document.of(Map.of(
                "capacity", Map.of("storage", "1Gi"),
                "accessModes", List.of("ReadWriteOnce"),
                "hostPath", Map.of("path", "/x")));
        store.createDocument(
                        Kinds.PERSISTENT_VOLUME,
                        Document.of(Map.of("metadata", Map.of("name", "v"), "spec", spec.asMap())))
                .orThrow();
        return store.get(Kinds.PERSISTENT_VOLUME, KEY).orThrow();
    }

    private static WriteRequest request(WriteVerb verb, String name, String subresource) {
        return new WriteRequest(verb, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name), subresource, "");
    }
}
