// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import io.kubernetes.client.proto.Meta.Status;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Policy;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers in protocol buffers, as clients in Go like them best, read by another library than ours. */
class ProtobufAnswersTest {
    private static final String TYPE = "application/vnd.kubernetes.protobuf";
    private static final String WATCH = TYPE + ";stream=watch";
    private static final String GO = TYPE + ", */*";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

    private final HttpClient http = HttpClient.newHttpClient();
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new SecureRandom())));

    private @Nullable ApiServer server;
    private String url = "";

    @BeforeEach
    void start() throws Exception {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", "default"))));
        server = ApiServer.builder(store).plain().start();
        url = server.url();
        claim("one");
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
        store.close();
    }

    private void claim(String name) throws Exception {
        String body = "{\"metadata\":{\"name\":\"" + name + "\",\"annotations\":{\"note\":\"é\"}},\"spec\":{"
                + "\"accessModes\":[\"ReadWriteOnce\"],\"storageClassName\":\"\",\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}";
        assertThat(send("POST", CLAIMS, "application/json", body).statusCode()).isEqualTo(201);
    }

    private HttpResponse<byte[]> send(String method, String path, String accept, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .header("Accept", accept)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofByteArray());
    }

    private static String type(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }

    private static Unknown envelope(byte[] bytes) throws IOException {
        assertThat(Arrays.copyOf(bytes, 4)).isEqualTo(new byte[] {'k', '8', 's', 0});
        return Unknown.parseFrom(Arrays.copyOfRange(bytes, 4, bytes.length));
    }

    private Unknown get(String path) throws Exception {
        HttpResponse<byte[]> answer = send("GET", path, GO, "");
        assertThat(type(answer)).isEqualTo(TYPE);
        return envelope(answer.body());
    }

    @Test
    void anObjectHasItsFieldsUnderTheirNumbers() throws Exception {
        Unknown answer = get(CLAIMS + "/one");
        assertThat(answer.getTypeMeta().getKind()).isEqualTo("PersistentVolumeClaim");
        V1.PersistentVolumeClaim claim = V1.PersistentVolumeClaim.parseFrom(answer.getRaw());
        assertThat(claim.getUnknownFields()).isEqualTo(UnknownFieldSet.getDefaultInstance());
        assertThat(claim.getMetadata().getName()).isEqualTo("one");
        assertThat(claim.getMetadata().getAnnotationsMap()).containsEntry("note", "é");
        assertThat(claim.getMetadata().getCreationTimestamp().getSeconds()).isPositive();
        assertThat(claim.getMetadata()
                        .getManagedFields(0)
                        .getFieldsV1()
                        .getRaw()
                        .toStringUtf8())
                .contains("\"f:spec\"");
        assertThat(claim.getSpec().hasStorageClassName()).isTrue();
        assertThat(claim.getSpec().getStorageClassName()).isEmpty();
        assertThat(claim.getSpec()
                        .getResources()
                        .getRequestsMap()
                        .get("storage")
                        .getString())
                .isEqualTo("1Gi");
        assertThat(claim.getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void aListHasItsRevisionAndObjects() throws Exception {
        claim("two");
        Unknown answer = get(CLAIMS + "?limit=1");
        assertThat(answer.getTypeMeta().getKind()).isEqualTo("PersistentVolumeClaimList");
        V1.PersistentVolumeClaimList list = V1.PersistentVolumeClaimList.parseFrom(answer.getRaw());
        assertThat(list.getMetadata().getResourceVersion()).isNotEmpty();
        assertThat(list.getMetadata().getContinue()).isNotEmpty();
        assertThat(list.getItemsList())
                .extracting(each -> each.getMetadata().getName())
                .containsExactly("one");
    }

    @Test
    void metadataAloneIsWrittenTooForAnyKind() throws Exception {
        String accept = TYPE + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
        HttpResponse<byte[]> answer = send("GET", CLAIMS, accept, "");
        Unknown list = envelope(answer.body());
        assertThat(list.getTypeMeta().getApiVersion()).isEqualTo("meta.k8s.io/v1");
        assertThat(list.getTypeMeta().getKind()).isEqualTo("PartialObjectMetadataList");
        assertThat(io.kubernetes.client.proto.Meta.PartialObjectMetadataList.parseFrom(list.getRaw())
                        .getItems(0)
                        .getMetadata()
                        .getName())
                .isEqualTo("one");
    }

    @Test
    void aRefusalIsAStatus() throws Exception {
        HttpResponse<byte[]> answer = send("GET", CLAIMS + "/none", TYPE, "");
        assertThat(answer.statusCode()).isEqualTo(404);
        Unknown envelope = envelope(answer.body());
        assertThat(envelope.getTypeMeta().getKind()).isEqualTo("Status");
        Status status = Status.parseFrom(envelope.getRaw());
        assertThat(status.getCode()).isEqualTo(404);
        assertThat(status.getReason()).isEqualTo("NotFound");
        assertThat(status.getDetails().getName()).isEqualTo("none");
        assertThat(status.getMessage()).contains("persistentvolumeclaims \"none\" not found");
    }

    @Test
    void scalesAndOlderVersionsAreMessagesToo() throws Exception {
        String set =
                "{\"metadata\":{\"name\":\"set\"},\"spec\":{\"replicas\":3,\"selector\":{\"matchLabels\":{\"a\":\"b\"}},"
                        + "\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}";
        send("POST", "/apis/apps/v1/namespaces/default/replicasets", TYPE, set);
        V1Apps.ReplicaSet sets = V1Apps.ReplicaSet.parseFrom(
                get("/apis/apps/v1/namespaces/default/replicasets/set").getRaw());
        assertThat(sets.getSpec().getReplicas()).isEqualTo(3);
        Unknown scale = get("/apis/apps/v1/namespaces/default/replicasets/set/scale");
        assertThat(scale.getTypeMeta().getApiVersion()).isEqualTo("autoscaling/v1");
        assertThat(io.kubernetes.client.proto.V1Autoscaling.Scale.parseFrom(scale.getRaw())
                        .getSpec()
                        .getReplicas())
                .isEqualTo(3);
        String budget = "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"minAvailable\":\"50%\"}}";
        send("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", TYPE, budget);
        Unknown older = get("/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets");
        assertThat(older.getTypeMeta().getApiVersion()).isEqualTo("policy/v1beta1");
        assertThat(V1Policy.PodDisruptionBudgetList.parseFrom(older.getRaw())
                        .getItems(0)
                        .getSpec()
                        .getMinAvailable()
                        .getStrVal())
                .isEqualTo("50%");
    }

    private static V1.PersistentVolumeClaim claimOf(WatchEvent event) throws IOException {
        return V1.PersistentVolumeClaim.parseFrom(
                envelope(event.getObject().getRaw().toByteArray()).getRaw());
    }

    @Test
    void eachEventOfAWatchStandsBehindItsLength() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + CLAIMS + "?watch=1"))
                .header("Accept", WATCH + ", application/json;stream=watch")
                .build();
        HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
        assertThat(type(answer)).isEqualTo(WATCH);
        try (DataInputStream stream = new DataInputStream(answer.body())) {
            claim("two");
            for (String name : List.of("one", "two")) {
                WatchEvent event = WatchEvent.parseFrom(stream.readNBytes(stream.readInt()));
                assertThat(event.getType()).isEqualTo("ADDED");
                assertThat(claimOf(event).getMetadata().getName()).isEqualTo(name);
            }
        }
    }

    @Test
    void anErrorOfAWatchIsAStatusInAnEvent() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + CLAIMS + "?watch=1&resourceVersion=1000000"))
                .header("Accept", WATCH)
                .build();
        HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
        try (DataInputStream stream = new DataInputStream(answer.body())) {
            WatchEvent event = WatchEvent.parseFrom(stream.readNBytes(stream.readInt()));
            assertThat(event.getType()).isEqualTo("ERROR");
            Unknown object = envelope(event.getObject().getRaw().toByteArray());
            assertThat(object.getTypeMeta().getKind()).isEqualTo("Status");
            assertThat(Status.parseFrom(object.getRaw()).getCode()).isGreaterThanOrEqualTo(400);
        }
    }

    @Test
    void overAWebSocketEachEventIsAFrameOfBytes() throws Exception {
        BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
        WebSocket socket = http.newWebSocketBuilder()
                .header("Accept", TYPE)
                .buildAsync(URI.create(url.replaceFirst("http", "ws") + CLAIMS + "?watch=1"), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
                        byte[] bytes = new byte[data.remaining()];
                        data.get(bytes);
                        frames.add(bytes);
                        from.request(1);
                        return null;
                    }
                })
                .join();
        byte[] frame = frames.poll(1, TimeUnit.MINUTES);
        socket.abort();
        assertThat(claimOf(WatchEvent.parseFrom(frame)).getMetadata().getName()).isEqualTo("one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    application/vnd.kubernetes.protobuf | 406 | application/vnd.kubernetes.protobuf
                    application/vnd.kubernetes.protobuf, application/json | 200 | application/json
                    application/vnd.kubernetes.protobuf, application/yaml | 200 | application/yaml
                    application/vnd.kubernetes.protobuf, */* | 200 | application/json
                    application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1, application/json | 200 | application/json
                    application/json;q=0.5, application/vnd.kubernetes.protobuf;q=0.4 | 200 | application/json
                    """)
    void kindsWithoutMessagesAreJsonIfTheClientTakesIt(String accept, int code, String type) throws Exception {
        HttpResponse<byte[]> answer =
                send("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", accept, "");
        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(code);
        assertThat(type(answer)).isEqualTo(type);
    }

    @Test
    void aKindWithoutAControllerIsToldOnceOverAConnection() throws Exception {
        String body = "{\"metadata\":{\"generateName\":\"s-\"},\"spec\":{\"ports\":[{\"port\":80}]}}";
        List<Integer> warnings = new java.util.ArrayList<>();
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> answer = send("POST", "/api/v1/namespaces/default/services", "application/json", body);
            warnings.add(answer.headers().allValues("Warning").size());
        }
        assertThat(warnings).containsExactly(1, 0, 0);
    }
}
