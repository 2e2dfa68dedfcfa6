// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.LineSink;
import dev.mooring.apiserver.rest.exchange.Presenter;
import dev.mooring.apiserver.rest.exchange.Representation;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
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

    /** A client whose connection takes one line at a time, and the next when it is told. */
    private static final class SlowClient {
        private final Deque<Callback> taken = new ArrayDeque<>();
        private final List<String> heard = new ArrayList<>();
        private final ResponseLines lines;

        SlowClient(Backlog backlog) {
            Content.Sink connection = (last, bytes, callback) -> {
                heard.add(String.valueOf(bytes == null ? "" : StandardCharsets.UTF_8.decode(bytes)));
                taken.add(callback);
            };
            byte[] tooSlow = "too slow".getBytes(StandardCharsets.UTF_8);
            lines = new ResponseLines(connection, Callback.NOOP, backlog, tooSlow, () -> {});
            lines.open();
        }

        List<String> all() {
            while (!taken.isEmpty()) {
                taken.remove().succeeded();
            }
            return heard;
        }
    }

    private static final class Lines implements LineSink {
        private final List<String> all = new ArrayList<>();

        @Override
        public boolean send(byte[] line) {
            return all.add(new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void whenRoom(Runnable listener) {
            listener.run();
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

    private void begin(String accept, LineSink client) {
        ApiRequest request = new ApiRequest("GET", List.of("api"), Map.of(), accept, "", "");
        new WatchStream(
                        Resources.of(Kinds.standard())
                                .find("", "v1", "configmaps")
                                .orElseThrow(),
                        ListOptions.ALL,
                        new Presenter(
                                Resources.of(Kinds.standard())
                                        .find("", "v1", "configmaps")
                                        .orElseThrow(),
                                request,
                                CLOCK),
                        new EventLines(Representation.Encoding.JSON),
                        true)
                .start(new ServedStore(store), client, Optional.empty(), true);
    }

    private List<String> watch(String accept) {
        Lines lines = new Lines();
        begin(accept, lines);
        store.createDocument(Kinds.NAMESPACE, Bodies.json("{\"metadata\":{\"name\":\"made\"}}"))
                .orThrow();
        store.sendBookmarks();
        return lines.all;
    }

    @Test
    void aBookmarkIsOfTheKindThatIsWatched() {
        assertThat(watch("application/json"))
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains("BOOKMARK", "\"kind\":\"ConfigMap\"", "\"apiVersion\":\"v1\""));
    }

    /** A client of metadata only reads no other kind: it would take the watch for broken with each bookmark. */
    @Test
    void aBookmarkForWhoWatchesMetadataIsMetadata() {
        List<String> lines = watch(METADATA);
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains(
                                "BOOKMARK", "\"kind\":\"PartialObjectMetadata\"", "\"apiVersion\":\"meta.k8s.io/v1\""));
        assertThat(lines.get(0)).contains("\"k8s.io/initial-events-end\":\"true\"", "\"resourceVersion\":\"0\"");
        assertThat(lines.get(1)).contains("\"resourceVersion\":\"1\"");
    }

    /** It would be told to come again, be shown the same, and so on for ever. */
    @Test
    void whoIsShownMoreThanMayWaitIsShownItPieceByPiece() {
        Backlog backlog = new Backlog(2L << 20);
        for (int i = 0; i < 40; i++) {
            create("large" + i, "x".repeat(100_000));
        }
        SlowClient client = new SlowClient(backlog);
        begin("application/json", client.lines);
        assertThat(backlog.waiting()).isLessThan(1L << 20);
        create("late", "news");
        List<String> heard = client.all();
        assertThat(heard).noneMatch("too slow"::equals).hasSize(1 + 40 + 1 + 1);
        assertThat(heard.subList(1, 41)).allSatisfy(line -> assertThat(line).contains("ADDED", "\"large"));
        assertThat(heard.get(41)).contains("k8s.io/initial-events-end", "\"resourceVersion\":\"40\"");
        assertThat(heard.get(42)).contains("ADDED", "\"late\"");
    }

    @Test
    void aSlowClientThatGoesAwayIsShownNothingMore() {
        for (int i = 0; i < 40; i++) {
            create("large" + i, "x".repeat(100_000));
        }
        SlowClient client = new SlowClient(new Backlog(2L << 20));
        begin("application/json", client.lines);
        client.lines.abort();
        assertThat(client.all()).hasSizeLessThan(12);
    }

    private void create(String name, String text) {
        store.createDocument(
                        Kinds.CONFIG_MAP,
                        Document.of(Map.of(
                                "metadata",
                                Map.of("name", name, "namespace", "default"),
                                "data",
                                Map.of("text", text))))
                .orThrow();
    }
}
