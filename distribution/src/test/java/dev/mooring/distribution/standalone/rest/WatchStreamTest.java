// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.resource.Resources;
import dev.mooring.runtime.store.IdSource;
import dev.mooring.runtime.store.MemoryClusterStore;
import dev.mooring.runtime.store.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lines of a watch. */
class WatchStreamTest {
    private static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), CLOCK, IdSource.random(new Random(1))));

    @AfterEach
    void close() {
        store.close();
    }

    private static final class Lines implements LineSink {
        private final List<String> all = new ArrayList<>();

        @Override
        public boolean send(byte[] line) {
            return all.add(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
            all.add("end");
        }

        @Override
        public void whenOver(Runnable listener) {
            // it is never over
        }
    }

    private List<String> watch(String accept) {
        ApiRequest request = new ApiRequest("GET", List.of("api"), Map.of(), accept, "", "");
        Lines lines = new Lines();
        new WatchStream(
                        Resources.of(Kinds.standard())
                                .find("", "v1", "configmaps")
                                .orElseThrow(),
                        ListOptions.ALL,
                        new Presenter(Kinds.CONFIG_MAP, request, CLOCK),
                        new EventLines(),
                        true)
                .start(new ServedStore(store), lines, Optional.empty(), true);
        store.createDocument(Kinds.NAMESPACE, Bodies.json("{\"metadata\":{\"name\":\"made\"}}"))
                .orThrow();
        store.sendBookmarks();
        return lines.all;
    }

    @Test
    void aBookmarkIsOfTheKindThatIsWatched() {
        assertThat(watch("application/json")).hasSize(2).allSatisfy(line -> assertThat(line)
                .contains("BOOKMARK", "\"kind\":\"ConfigMap\"", "\"apiVersion\":\"v1\""));
    }

    /** A client of metadata only reads no other kind: it would take the watch for broken with each bookmark. */
    @Test
    void aBookmarkForWhoWatchesMetadataIsMetadata() {
        List<String> lines = watch(METADATA);
        assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line)
                .contains("BOOKMARK", "\"kind\":\"PartialObjectMetadata\"", "\"apiVersion\":\"meta.k8s.io/v1\""));
        assertThat(lines.get(0)).contains("\"k8s.io/initial-events-end\":\"true\"", "\"resourceVersion\":\"0\"");
        assertThat(lines.get(1)).contains("\"resourceVersion\":\"1\"");
    }
}
