// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.EventList;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamespaceList;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimList;
import io.fabric8.kubernetes.api.model.PersistentVolumeList;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.SecretList;
import io.fabric8.kubernetes.api.model.ServiceAccountList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever the API server has taken, one odd object does not keep a typed client from reading the list of its kind. */
class AcceptedObjectsTest {
    private static final int OBJECTS = Integer.getInteger("mooring.accepted.objects", 4000);
    private static final long SEED = Long.getLong("mooring.accepted.seed", 26);

    private static final Map<String, Class<? extends KubernetesResourceList<?>>> TYPED = Map.of(
            "PersistentVolume", PersistentVolumeList.class,
            "PersistentVolumeClaim", PersistentVolumeClaimList.class,
            "Pod", PodList.class,
            "Node", NodeList.class,
            "Secret", SecretList.class,
            "ConfigMap", ConfigMapList.class,
            "Namespace", NamespaceList.class,
            "Event", EventList.class,
            "ServiceAccount", ServiceAccountList.class);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(SEED))));

    private record Reply(int status, String body) {}

    @Test
    void eachListIsReadByTypedClients() throws IOException {
        MutatedObjects objects = new MutatedObjects(SEED);
        List<Kind<?>> kinds = List.copyOf(Kinds.standard().all());
        Map<String, Integer> taken = new TreeMap<>();
        try (ApiServer server = ApiServer.builder(store).plain().start()) {
            for (int i = 0; i < OBJECTS; i++) {
                Kind<?> kind = kinds.get(i % kinds.size());
                String body = objects.next(kind, i);
                Reply reply = ask(server, "POST", collection(kind) + "?fieldValidation=Ignore", body);
                assertThat(reply.status()).as("%s: %s", body, reply.body()).isIn(201, 400, 409, 422);
                if (reply.status() == 201) {
                    taken.merge(kind.name(), 1, Integer::sum);
                }
            }
            for (Kind<?> kind : kinds) {
                read(server, kind);
            }
        } finally {
            store.close();
        }
        System.out.println(OBJECTS + " objects sent, taken: " + taken);
        assertThat(taken).hasSize(kinds.size());
    }

    @SuppressWarnings("unchecked") // an object in JSON has strings for keys
    private void read(ApiServer server, Kind<?> kind) throws IOException {
        Reply all = ask(server, "GET", everywhere(kind), "");
        assertThat(all.status()).as(kind.name()).isEqualTo(200);
        Document list = KubernetesJson.standard().read(all.body(), kind + " list");
        for (Object item : (List<?>) list.at("items").orElseThrow()) {
            Document object = Document.of((Map<String, ?>) item)
                    .with(kind.apiVersion(), "apiVersion")
                    .with(kind.name(), "kind");
            assertThatCode(() -> kind.read(object)).as("%s", object).doesNotThrowAnyException();
        }
        assertThat(store.list(kind, ListOptions.ALL).orThrow().items()).isNotEmpty();
        Class<? extends KubernetesResourceList<?>> typed = TYPED.get(kind.name());
        if (typed != null) {
            KubernetesResourceList<?> read = new KubernetesSerialization().unmarshal(all.body(), typed);
            assertThat(read.getItems())
                    .as(kind.name())
                    .hasSize(((List<?>) list.at("items").orElseThrow()).size());
        }
    }

    private static String group(Kind<?> kind) {
        return kind.group().isEmpty() ? "/api/" + kind.version() : "/apis/" + kind.group() + "/" + kind.version();
    }

    private static String everywhere(Kind<?> kind) {
        return group(kind) + "/" + kind.plural();
    }

    private static String collection(Kind<?> kind) {
        return group(kind) + (kind.namespaced() ? "/namespaces/default/" : "/") + kind.plural();
    }

    private static Reply ask(ApiServer server, String method, String path, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(server.url() + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setRequestProperty("Content-Type", "application/json");
        if (method.equals("POST")) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Reply(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
