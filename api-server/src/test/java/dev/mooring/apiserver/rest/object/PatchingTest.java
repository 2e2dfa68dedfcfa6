// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.apiserver.resource.Resources;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.FieldValidation;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patches that others come between, and those that are refused. */
class PatchingTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "m");
    private static final Resources RESOURCES = Resources.of(Kinds.standard());

    /** The store, and another client that writes just after the first read. */
    private static DocumentStore racing(DocumentStore store) {
        AtomicBoolean first = new AtomicBoolean(true);
        return (DocumentStore) Proxy.newProxyInstance(
                PatchingTest.class.getClassLoader(), new Class<?>[] {DocumentStore.class}, (proxy, method, given) -> {
                    try {
                        Object answer = method.invoke(store, given);
                        if (method.getName().equals("getDocument") && first.getAndSet(false)) {
                            store.patchDocument(
                                            Kinds.CONFIG_MAP, KEY, "", Bodies.json("{\"data\":{\"theirs\":\"kept\"}}"))
                                    .orThrow();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "application/merge-patch+json | {'data':{'ours':'new'}}",
                "application/merge-patch+json | {'metadata':{'resourceVersion':null},'data':{'ours':'new'}}",
                "application/merge-patch+json | {'metadata':{'resourceVersion':''},'data':{'ours':'new'}}",
                "application/strategic-merge-patch+json | {'metadata':{'resourceVersion':null},'data':{'ours':'new'}}",
                "application/json-patch+json | [{'op':'remove','path':'/metadata/resourceVersion'},{'op':'add','path':'/data/ours','value':'new'}]",
            })
    void aPatchOverwritesNothingThatItDoesNotName(String type, String body) {
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                Kinds.standard(), InstantSource.fixed(Instant.EPOCH), IdSource.random(new Random(1))))) {
            store.createDocument(
                            Kinds.CONFIG_MAP,
                            Bodies.json(
                                    "{\"metadata\":{\"name\":\"m\",\"namespace\":\"default\"},\"data\":{\"a\":\"b\"}}"))
                    .orThrow();
            Document patched = patch(racing(store), type, body.replace('\'', '"'));
            assertThat(patched.at("data")).contains(Map.of("a", "b", "theirs", "kept", "ours", "new"));
        }
    }

    private static Document patch(DocumentStore store, String type, String body) {
        List<String> path = List.of("api", "v1", "namespaces", "default", "configmaps", "m");
        ApiRequest request = new ApiRequest("PATCH", path, Map.of(), "", type, body);
        return Patching.patch(
                        new ServedStore(store),
                        request,
                        RequestTarget.of(RESOURCES, path).orElseThrow(),
                        FieldValidation.of(request))
                .orThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "json-patch | [{'op':'test','path':'/data/a','value':'c'}] | 422 | testing value /data/a failed",
                "json-patch | [{'op':'replace','path':'/no/such','value':'c'}] | 422 | the path /no does not exist",
                "json-patch | [{'op':'move','from':'/data/no','path':'/data/a'}] | 422 | the path /data/no does not exist",
                "json-patch | [{'op':'fly','path':'/data/a'}] | 422 | Unexpected kind: fly",
                "json-patch | [{'op':'fly'}] | 422 | Unexpected kind: fly",
                "json-patch | [7] | 400 | an operation of a JSON patch is an object",
                "json-patch | {'op':'remove','path':'/data/a'} | 400 | a JSON patch is a list of operations",
                "json-patch | [{'op':'remove' | 400 | ",
            })
    void aPatchThatDoesNotFitIsToldFromOneThatIsNone(String type, String body, int code, @Nullable String message) {
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                Kinds.standard(), InstantSource.fixed(Instant.EPOCH), IdSource.random(new Random(1))))) {
            store.createDocument(
                            Kinds.CONFIG_MAP,
                            Bodies.json(
                                    "{\"metadata\":{\"name\":\"m\",\"namespace\":\"default\"},\"data\":{\"a\":\"b\"}}"))
                    .orThrow();
            assertThatExceptionOfType(RestFailure.class)
                    .isThrownBy(() -> patch(store, "application/" + type + "+json", body.replace('\'', '"')))
                    .satisfies(refused -> {
                        assertThat(refused.code()).isEqualTo(code);
                        assertThat(refused).hasMessageContaining(message == null ? "" : message);
                        if (code == 422) {
                            assertThat(refused)
                                    .hasMessageStartingWith("the server rejected our request due to an error");
                        }
                    });
        }
    }

    @Test
    void aPatchThatNamesAVersionIsAConflictIfItIsAnother() {
        try (MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
                Kinds.standard(), InstantSource.fixed(Instant.EPOCH), IdSource.random(new Random(1))))) {
            store.createDocument(
                            Kinds.CONFIG_MAP, Bodies.json("{\"metadata\":{\"name\":\"m\",\"namespace\":\"default\"}}"))
                    .orThrow();
            List<String> path = List.of("api", "v1", "namespaces", "default", "configmaps", "m");
            ApiRequest request = new ApiRequest(
                    "PATCH",
                    path,
                    Map.of(),
                    "",
                    "application/merge-patch+json",
                    "{\"metadata\":{\"resourceVersion\":\"1\"},\"data\":{\"ours\":\"new\"}}");
            assertThat(Patching.patch(
                                    new ServedStore(racing(store)),
                                    request,
                                    RequestTarget.of(RESOURCES, path).orElseThrow(),
                                    FieldValidation.of(request))
                            .failure())
                    .contains(dev.mooring.storage.store.StoreResult.Failure.CONFLICT);
        }
    }
}
