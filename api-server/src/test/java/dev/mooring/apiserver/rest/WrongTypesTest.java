// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.event.EventView;
import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.object.ServedStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.contract.TypeSweep;
import dev.mooring.clusterstore.contract.TypeSweep.Wrong;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonType;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A value of a wrong type in what clients send: 400 as the API server has it, and 422 for patches. */
class WrongTypesTest {
    private static final Resources RESOURCES = Resources.of(Kinds.standard());
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), CLOCK, IdSource.random(new Random(1))));

    @BeforeEach
    void hasANamespace() {
        store.createDocument(
                        Kinds.NAMESPACE,
                        Document.empty()
                                .with("v1", "apiVersion")
                                .with("Namespace", "kind")
                                .with("ns", "metadata", "name"))
                .orThrow();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Kind<?>> kinds() {
        List<Kind<?>> all = new ArrayList<>(Kinds.standard().all());
        all.add(EventView.KIND);
        return all;
    }

    private static List<String> collection(Kind<?> kind) {
        List<String> path = new ArrayList<>(
                kind.group().isEmpty()
                        ? List.of("api", kind.version())
                        : List.of("apis", kind.group(), kind.version()));
        if (kind.namespaced()) {
            path.addAll(List.of("namespaces", "ns"));
        }
        path.add(kind.plural());
        return path;
    }

    private static List<String> object(Kind<?> kind) {
        List<String> path = new ArrayList<>(collection(kind));
        path.add("swept");
        return path;
    }

    /** The answer of a request that is refused; empty if it is not. */
    private Optional<RestFailure> refused(String method, List<String> path, String type, String body) {
        ApiRequest request = new ApiRequest(method, path, Map.of("fieldValidation", List.of("Ignore")), "", type, body);
        try {
            Answer unused = new Verbs(new ServedStore(store), CLOCK)
                    .perform(request, RequestTarget.of(RESOURCES, path).orElseThrow());
            return Optional.empty();
        } catch (RestFailure e) {
            return Optional.of(e);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noFieldTakesOneWhenAnObjectIsMadeOrReplaced(Kind<?> kind) {
        List<String> others = new ArrayList<>();
        for (Wrong each : TypeSweep.of(kind)) {
            for (String method : List.of("POST", "PUT")) {
                List<String> path = method.equals("POST") ? collection(kind) : object(kind);
                int code = refused(method, path, Answer.JSON_TYPE, JSON.write(each.object()))
                        .map(RestFailure::code)
                        .orElse(200);
                if (code != 400) {
                    others.add(method + " " + each + ": " + code);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void allFieldsOfAnObjectAreNamedBehindTheServersSentenceAboutTheFirst() {
        String body = """
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"swept"},"spec":{"accessModes":"x",
                "nfs":{"server":5,"path":"/p"},"capacity":{"storage":true}}}""";
        assertThat(refused("POST", collection(Kinds.PERSISTENT_VOLUME), Answer.JSON_TYPE, body)
                        .orElseThrow()
                        .getMessage())
                .startsWith(
                        "PersistentVolume in version \"v1\" cannot be handled as a PersistentVolume: quantities must match")
                .endsWith(
                        "(spec.capacity.storage: must be a quantity such as 5Gi, not the boolean true; spec.accessModes: must"
                                + " be an array, not the string \"x\"; spec.nfs.server: must be a string, not the number 5)");
    }

    @ParameterizedTest
    @CsvSource({"merge-patch", "strategic-merge-patch"})
    void noFieldOfAVolumeTakesOneByAPatch(String type) {
        store.createDocument(Kinds.PERSISTENT_VOLUME, Bodies.json("""
                        {"metadata":{"name":"swept"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                        "nfs":{"server":"s","path":"/p"}}}""")).orThrow();
        List<String> taken = new ArrayList<>();
        for (Wrong each : TypeSweep.of(Kinds.PERSISTENT_VOLUME)) {
            String body = JSON.write(each.object());
            Optional<RestFailure> failure =
                    refused("PATCH", object(Kinds.PERSISTENT_VOLUME), "application/" + type + "+json", body);
            // An empty object changes nothing where there is none, and what holds others is merged.
            boolean nothing = JsonType.of(each.value()) == JsonType.OBJECT && ((Map<?, ?>) each.value()).isEmpty();
            if (failure.isEmpty() && !nothing) {
                taken.add(each.toString());
            }
        }
        assertThat(taken).isEmpty();
    }

    @Test
    void theWordsAreTheServers() {
        String volume =
                "{'kind':'PersistentVolume','metadata':{'name':'a'},'spec':{'csi':{'volumeAttributes':{'share':true}}}}";
        RestFailure made = refused(
                        "POST", collection(Kinds.PERSISTENT_VOLUME), Answer.JSON_TYPE, volume.replace('\'', '"'))
                .orElseThrow();

        assertThat(made.status().text("reason")).contains("BadRequest");
        assertThat(made)
                .hasMessage("PersistentVolume in version \"v1\" cannot be handled as a PersistentVolume: json: cannot"
                        + " unmarshal bool into Go struct field CSIPersistentVolumeSource.spec.csi.volumeAttributes of"
                        + " type string (spec.csi.volumeAttributes.share: must be a string, not the boolean true)");
        RestFailure unnamed = refused("POST", collection(Kinds.PERSISTENT_VOLUME), Answer.JSON_TYPE, "{\"kind\":5}")
                .orElseThrow();
        assertThat(unnamed.code()).isEqualTo(400);
        assertThat(unnamed)
                .hasMessage("the object provided is unrecognized (must be of type PersistentVolume): couldn't get"
                        + " version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of"
                        + " type string");
    }

    @Test
    void aPatchIsRefusedInTheServersWords() {
        store.createDocument(Kinds.CONFIG_MAP, Bodies.json("{\"metadata\":{\"name\":\"swept\",\"namespace\":\"ns\"}}"))
                .orThrow();
        String body = "{\"data\":{\"k\":5}}";
        RestFailure strategic = refused(
                        "PATCH", object(Kinds.CONFIG_MAP), "application/strategic-merge-patch+json", body)
                .orElseThrow();
        RestFailure merge = refused("PATCH", object(Kinds.CONFIG_MAP), "application/merge-patch+json", body)
                .orElseThrow();

        assertThat(strategic.code()).isEqualTo(422);
        assertThat(strategic)
                .hasMessage(
                        " \"\" is invalid: patch: Invalid value: \"map[data:map[k:5]]\": cannot convert int64 to string"
                                + " (data.k: must be a string, not the number 5)");
        assertThat(merge.code()).isEqualTo(422);
        assertThat(merge.getMessage())
                .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"apiVersion\\\":\\\"v1\\\"")
                .endsWith("json: cannot unmarshal number into Go struct field ConfigMap.data of type string"
                        + " (data.k: must be a string, not the number 5)");
        assertThat(merge.status().at("details", "causes").orElseThrow().toString())
                .contains("field=patch");
    }

    /** Neither the value that is wrong nor those beside it. */
    @Test
    void aSecretIsNotShown() {
        store.createDocument(
                        Kinds.SECRET,
                        Bodies.json(
                                "{\"metadata\":{\"name\":\"swept\",\"namespace\":\"ns\"},\"data\":{\"other\":\"aGlkZGVu\"}}"))
                .orThrow();
        for (String type : List.of("strategic-merge-patch", "merge-patch")) {
            RestFailure failure = refused(
                            "PATCH",
                            object(Kinds.SECRET),
                            "application/" + type + "+json",
                            "{\"data\":{\"pin\":4711,\"more\":\"c2VjcmV0\"}}")
                    .orElseThrow();
            assertThat(failure.getMessage()).doesNotContain("4711", "c2VjcmV0", "aGlkZGVu");
        }
        RestFailure made = refused(
                        "POST",
                        collection(Kinds.SECRET),
                        Answer.JSON_TYPE,
                        "{\"metadata\":{\"name\":\"b\"},\"stringData\":{\"pin\":4711},\"data\":\"c2VjcmV0\"}")
                .orElseThrow();
        assertThat(made.getMessage()).doesNotContain("4711", "c2VjcmV0");
    }
}
