// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.kubernetes.cluster.ApiClient;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.MergePatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same definitions and objects, right and wrong ones, to the real API server and to ours: what is answered, and what is stored. The files
 * beside {@code widgets.yaml} have them.
 */
@Tag("cluster")
class SameCustomResourcesTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String OBJECTS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final Set<String> OF_THE_SERVER =
            Set.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "finalizers");
    private static final int SHOWN = 10;

    /** 1.20 shows values as Go writes them, and no index of a list in the paths of a schema's rules; later versions do as we do. */
    private static final Pattern GO_VALUE = Pattern.compile(
            "(Invalid|Duplicate) value: (?:\\[]|map|apiextensions|\\[|\\{).*?(?=$|: (?:must|only|should|entries))");

    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    /** What is sent, found in its text, and why the answers to it differ. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("\"strategy\":\"Webhook\"", "we call no webhooks"),
            Map.entry(
                    "\"preserveUnknownFields\":true",
                    "1.20 says x-preserve-unknown-fields, later versions x-kubernetes-...; and one rule twice"),
            Map.entry("{\"version\":{\"name\":\"V1\"}}", "1.20 tells of the old field spec.version, too"),
            Map.entry("{\"version\":{\"name\":\"\"}}", "1.20 tells of the old field spec.version, too"),
            Map.entry(".spec.n[0]", "we scale by fields only"),
            Map.entry("\"pattern\":\"[\"", "the reason is that of Java's regular expressions"),
            Map.entry("\"maximum\":\"many\"", "a number is asked for by our rules, and by the reader of JSON there"),
            Map.entry(
                    "{\"type\":\"object\",\"default\":{\"a\":1}}",
                    "of a default at the root 1.20 wants that it says its kind"),
            Map.entry("{\"spec\":{\"template\":{\"apiVersion\":1,", "by the reader of JSON there"),
            Map.entry("\"type\":5", "both refuse it with 400; the reader of JSON there has other words"),
            Map.entry("\"labels\":{\"a\":1}}}", "both refuse it with 400; the reader of JSON there has other words"),
            Map.entry(
                    "{\"name\":\"v2\",\"storage\":true}",
                    "1.20 tells of the stored versions, which the client did not send"),
            Map.entry("\"replicas\":2.0", "our JSON has no difference between 2 and 2.0"));

    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final MemoryClusterStore STORE = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));
    private static ApiServer server;
    private static ApiClient ours;

    @BeforeAll
    static void start() throws IOException {
        server = ApiServer.builder(STORE).plain().start();
        ours = ApiClient.plain(server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
        STORE.close();
    }

    private static Document read(String name) {
        try (InputStream in = SameCustomResourcesTest.class.getResourceAsStream("/customresources/" + name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            boolean list = name.equals("widgets.yaml");
            return KubernetesYaml.standard().read(list ? text : "all:\n" + text, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Document definition(Document change) {
        Document definition = read("widgets.yaml");
        List<Object> versions = new ArrayList<>();
        Document version = definition.objects("spec", "versions").get(0);
        version = change.object("version").isPresent()
                ? MergePatch.apply(version, change.object("version").orElseThrow())
                : version;
        version = change.at("schema").isPresent()
                ? version.with(change.at("schema").orElseThrow(), "schema", "openAPIV3Schema")
                : version;
        versions.add(version.asMap());
        Document first = version;
        change.object("second")
                .ifPresent(second -> versions.add(
                        MergePatch.apply(first.with(false, "storage"), second).asMap()));
        Document patch =
                change.without("version").without("schema").without("second").without("why");
        return MergePatch.apply(definition.with(versions, "spec", "versions"), patch);
    }

    @Test
    void definitionsAreJudgedAlike() {
        List<String> differences = new ArrayList<>();
        List<Document> changes = read("definitions.yaml").objects("all");
        for (Document change : changes) {
            Document wanted = definition(change);
            Map<String, String> there = outcome(CLUSTER.admin(), DEFINITIONS, wanted);
            Map<String, String> here = outcome(ours, DEFINITIONS, wanted);
            compare(change, there, here, differences);
            String path = DEFINITIONS + "/" + wanted.text("metadata", "name").orElse("");
            remove(CLUSTER.admin(), path);
            remove(ours, path);
        }
        assertThat(differences.stream().limit(SHOWN))
                .as("%s of %s definitions differ", differences.size(), changes.size())
                .isEmpty();
    }

    @Test
    void objectsAreJudgedAndStoredAlike() {
        for (ApiClient each : List.of(CLUSTER.admin(), ours)) {
            assertThat(each.send("POST", DEFINITIONS, read("widgets.yaml").toString())
                            .statusCode())
                    .isEqualTo(201);
            await(() -> each.send("GET", OBJECTS, "").statusCode() == 200);
        }
        List<String> differences = new ArrayList<>();
        List<Document> objects = read("objects.yaml").objects("all");
        for (int i = 0; i < objects.size(); i++) {
            Document object = objects.get(i);
            Document named =
                    object.text("metadata", "name").isPresent() ? object : object.with("w" + i, "metadata", "name");
            Document wanted = named.with("example.com/v1", "apiVersion").with("Widget", "kind");
            compare(object, outcome(CLUSTER.admin(), OBJECTS, wanted), outcome(ours, OBJECTS, wanted), differences);
        }
        for (ApiClient each : List.of(CLUSTER.admin(), ours)) {
            KubernetesJson.standard()
                    .read(each.send("GET", OBJECTS, "").body(), OBJECTS)
                    .objects("items")
                    .forEach(object -> each.send(
                            "PATCH",
                            OBJECTS + "/" + object.text("metadata", "name").orElse(""),
                            "{\"metadata\":{\"finalizers\":null}}"));
            remove(each, DEFINITIONS + "/widgets.example.com");
        }
        assertThat(differences.stream().limit(SHOWN))
                .as("%s of %s objects differ", differences.size(), objects.size())
                .isEmpty();
    }

    private static void remove(ApiClient client, String path) {
        client.send("DELETE", path, "");
        await(() -> client.send("GET", path, "").statusCode() == 404);
    }

    /** The real server takes its time to serve a kind, and to let it go. */
    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 2_400 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static void compare(
            Document sent, Map<String, String> there, Map<String, String> here, List<String> differences) {
        boolean known = KNOWN.keySet().stream().anyMatch(sent.toString()::contains);
        if (known) {
            return;
        }
        if (!there.equals(here)) {
            differences.add(sent + "\n  real: " + there + "\n  ours: " + here);
        }
    }

    private static Map<String, String> outcome(ApiClient client, String path, Document wanted) {
        HttpResponse<String> answer = client.send("POST", path, wanted.toString());
        Map<String, String> outcome = new TreeMap<>();
        outcome.put("status", String.valueOf(answer.statusCode()));
        Document body = KubernetesJson.standard().read(answer.body(), path);
        if (answer.statusCode() >= 300) {
            List<String> problems = body.objects("details", "causes").stream()
                    .map(each -> normal(each.text("field").orElse("") + ": "
                            + each.text("message").orElse("")))
                    .sorted()
                    .toList();
            outcome.put("problems", problems.isEmpty() ? body.text("message").orElse("") : problems.toString());
        } else {
            boolean definition = path.equals(DEFINITIONS); // whose status comes a little later there
            outcome.put(
                    "object",
                    sorted((definition ? body.without("status") : body).asMap()).toString());
        }
        return outcome;
    }

    private static String normal(String problem) {
        return INDEX.matcher(GO_VALUE.matcher(problem).replaceAll("$1 value: ..."))
                .replaceAll("");
    }

    private static Object sorted(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(SameCustomResourcesTest::sorted).toList();
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, Object> sorted = new TreeMap<>();
        Map<String, Object> all = new LinkedHashMap<>();
        map.forEach((key, each) -> all.put((String) key, each));
        all.keySet().removeAll(OF_THE_SERVER);
        all.forEach((key, each) -> sorted.put(key, sorted(each)));
        return sorted;
    }
}
