// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** A store in this process that holds a cluster of objects as they were recorded, for the runs of processes against it. */
final class RecordedCluster implements AutoCloseable {
    private static final int HISTORY = 50_000;
    private static final int FEW = 1_000;
    private static final int MANY = 10_000;
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final RecordedObjects objects;
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))), HISTORY);

    /** Is filled at once. */
    RecordedCluster(int claims) {
        objects = new RecordedObjects(claims);
        for (int i = 0; i < objects.namespaces(); i++) {
            namespace(RecordedObjects.namespace(i));
        }
        for (Kind<?> kind : List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD)) {
            for (int i = 0; i < objects.count(kind); i++) {
                load(kind, document(kind, i).without("metadata", "resourceVersion"));
            }
        }
    }

    /**
     * The sizes to run, in claims.
     *
     * @param args sizes, 1,000 and 10,000 unless given; {@code --quick} or {@code --once} for 1,000 alone
     */
    static List<Integer> sizes(String... args) {
        List<String> given = Arrays.asList(args);
        if (given.contains("--quick") || given.contains("--once")) {
            return List.of(FEW);
        }
        return given.isEmpty()
                ? List.of(FEW, MANY)
                : Stream.of(args).map(Integer::valueOf).toList();
    }

    MemoryClusterStore store() {
        return store;
    }

    /** How many objects of a kind there were at the beginning. */
    int count(Kind<?> kind) {
        return objects.count(kind);
    }

    /** A recorded object, by its number from 0. */
    Document document(Kind<?> kind, int number) {
        return JSON.read(objects.json(kind, number, 1), "a benchmark");
    }

    void namespace(String name) {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", name))))
                .orThrow();
    }

    void load(Kind<?> kind, String json) {
        load(kind, JSON.read(json, "a benchmark"));
    }

    void load(Kind<?> kind, Document document) {
        store.loadDocument(kind, document).orThrow();
    }

    /** Serves the store; credentials are made below the directory. */
    ApiServer serve(Path work) throws IOException {
        return ApiServer.builder(store).credentialsIn(work.resolve("keys")).start();
    }

    /** Writes a kubeconfig by which clients reach the server through a proxy. */
    static Path kubeconfig(ApiServer server, CountingProxy proxy, Path work) throws IOException {
        return Files.writeString(
                work.resolve("kubeconfig"), server.kubeconfig().replace(":" + server.port(), ":" + proxy.port()));
    }

    @Override
    public void close() {
        store.close();
    }
}
