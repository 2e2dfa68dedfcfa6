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
import dev.mooring.storage.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** A store in this process that holds a cluster of objects as they were recorded, for the runs of processes against it. */
final class RecordedCluster implements AutoCloseable {
    private static final int HISTORY = 50_000;
    private static final int FEW = 1_000;
    private static final int MANY = 10_000;
    /** The kinds of which there are many. */
    static final List<Kind<?>> RECORDED =
            List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);

    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final RecordedObjects objects;
    private final Map<Kind<?>, List<ObjectKey>> keys = new HashMap<>();
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))), HISTORY);

    /** Is filled at once. */
    RecordedCluster(int claims) {
        objects = new RecordedObjects(claims);
        for (int i = 0; i < objects.namespaces(); i++) {
            namespace(RecordedObjects.namespace(i));
        }
        for (Kind<?> kind : RECORDED) {
            List<ObjectKey> names = new ArrayList<>();
            for (int i = 0; i < objects.count(kind); i++) {
                Document document = document(kind, i).without("metadata", "resourceVersion");
                load(kind, document);
                names.add(key(document));
            }
            keys.put(kind, names);
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

    private static ObjectKey key(Document document) {
        return ObjectKey.of(
                document.text("metadata", "namespace").orElse(""),
                document.text("metadata", "name").orElse(""));
    }

    /** Writes an annotation to a recorded object that is still there, as most writes of a busy cluster concern no controller of storage. */
    void touch(Kind<?> kind, int number, String value) {
        ObjectKey key = Objects.requireNonNull(keys.get(kind), kind.name()).get(number);
        Document patch = Document.of(Map.of("metadata", Map.of("annotations", Map.of("benchmark", value))));
        store.patchDocument(kind, key, "", patch).orThrow();
    }

    private Document document(Kind<?> kind, int number) {
        return JSON.read(objects.json(kind, number, 1), "a benchmark");
    }

    void namespace(String name) {
        create(Kinds.NAMESPACE, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    /** Makes a new object, as a user does. */
    void create(Kind<?> kind, String json) {
        store.createDocument(kind, JSON.read(json, "a benchmark")).orThrow();
    }

    /** Makes an object with the state that it has. */
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
