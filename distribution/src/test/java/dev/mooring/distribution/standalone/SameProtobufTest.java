// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.protobuf.ProtobufObjects;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects in protocol buffers mean to us what they mean to the real API server, which has written some and reads others. */
@Tag("cluster")
class SameProtobufTest {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final KubernetesJson JSON = KubernetesJson.standard();

    /** JSON of a server tells the type of a claim in a template, messages do not: its place does. */
    private static final String TYPE_OF_TEMPLATE = "[.]spec[.]volumeClaimTemplates\\[\\d+][.](apiVersion|kind)";

    private record Example(String collection, Document object) {
        String name() {
            return object.text("metadata", "name").orElseThrow();
        }

        @Override
        public String toString() {
            return object.text("kind").orElseThrow();
        }
    }

    static Stream<Example> examples() throws IOException {
        try (InputStream in = SameProtobufTest.class.getResourceAsStream("protobuf-examples.yaml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return KubernetesYaml.standard().readAll(text, "examples").stream()
                    .map(object -> new Example(collection(object), object))
                    .toList()
                    .stream();
        }
    }

    private static String collection(Document object) {
        String apiVersion = object.text("apiVersion").orElseThrow();
        String kind = object.text("kind").orElseThrow().toLowerCase(Locale.ROOT);
        String plural = kind.endsWith("y")
                ? kind.substring(0, kind.length() - 1) + "ies"
                : kind.endsWith("ss") ? kind + "es" : kind + "s";
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion
                + object.text("metadata", "namespace")
                        .map(each -> "/namespaces/" + each)
                        .orElse("")
                + "/" + plural;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void whatOneWritesTheOtherReads(Example example) {
        ApiClient real = CLUSTER.admin();
        String path = example.collection() + "/" + example.name();
        real.send("DELETE", path + "?gracePeriodSeconds=0", "");
        real.ok("POST", example.collection(), JSON.write(example.object()));

        // No other client writes it: both answers show the same version.
        Document shown = real.ok("GET", path, "");
        HttpResponse<byte[]> written = real.exchange("GET", path, ProtobufObjects.TYPE, new byte[0]);
        assertThat(written.headers().firstValue("Content-Type")).contains(ProtobufObjects.TYPE);
        Document read = ProtobufObjects.read(written.body()).orElseThrow();
        sameMeaning(read, shown);

        byte[] ours = ProtobufObjects.write(shown.without("metadata", "managedFields"))
                .orElseThrow();
        HttpResponse<byte[]> put = real.exchange("PUT", path, ProtobufObjects.TYPE, ours);
        assertThat(put.statusCode())
                .as(() -> new String(put.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        Document after = real.ok("GET", path, "");
        assertThat(leaves(bare(after))).isEqualTo(leaves(bare(shown)));
        real.send("DELETE", path + "?gracePeriodSeconds=0", "");
    }

    private static Document bare(Document object) {
        return object.without("metadata", "managedFields").without("metadata", "resourceVersion");
    }

    /** Each value of the JSON is there. What is there besides is nothing: Go writes numbers and texts of nothing that JSON leaves out. */
    private static void sameMeaning(Document read, Document shown) {
        Map<String, Object> has = leaves(read);
        Map<String, Object> wanted = leaves(shown);
        assertThat(has).containsAllEntriesOf(wanted);
        has.keySet().removeAll(wanted.keySet());
        assertThat(has.values()).allMatch(SameProtobufTest::isNothing, "is nothing");
    }

    private static boolean isNothing(Object value) {
        return List.of("", false, 0L, JsonNull.NULL, Map.of(), List.of()).contains(value);
    }

    private static Map<String, Object> leaves(Document object) {
        Map<String, Object> all = new TreeMap<>();
        leaves("", object.asMap(), all);
        all.keySet().removeIf(path -> path.matches(TYPE_OF_TEMPLATE));
        // Texts and containers of nothing are not told apart from nothing.
        all.values()
                .removeIf(each ->
                        each.equals("") || each.equals(Map.of()) || each.equals(List.of()) || each == JsonNull.NULL);
        return all;
    }

    private static void leaves(String path, Object value, Map<String, Object> all) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((key, each) -> leaves(path + "." + key, each, all));
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            for (int i = 0; i < list.size(); i++) {
                leaves(path + "[" + i + "]", list.get(i), all);
            }
        } else {
            all.put(path, value);
        }
    }
}
