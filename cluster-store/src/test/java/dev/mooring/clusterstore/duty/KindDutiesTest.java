// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Owners of kinds that were defined later take their dependents with them, and namespaces are emptied of such kinds. */
class KindDutiesTest {
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));

    private static Document json(String text) {
        return KubernetesJson.standard().read(text, "test");
    }

    private Kind<?> define() {
        store.createDocument(CustomResourceDefinition.KIND, json("""
                                {"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
                                 "names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,
                                 "schema":{"openAPIV3Schema":{"type":"object"}}}]}}""")).orThrow();
        return store.customResources().served().get(0).kind();
    }

    private void namespace(String name) {
        store.createDocument(Kinds.NAMESPACE, json("{\"metadata\":{\"name\":\"" + name + "\"}}"))
                .orThrow();
    }

    private CountDownLatch gone(Kind<?> kind) {
        CountDownLatch gone = new CountDownLatch(1);
        Revision now = store.listDocuments(kind).orThrow().revision();
        Watch unused = store.watchDocuments(kind, ListOptions.ALL, now, new DocumentListener() {
            @Override
            public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
                if (type == WatchEvent.Type.DELETED) {
                    gone.countDown();
                }
            }

            @Override
            public void onBookmark(Revision revision) {
                // nothing has gone
            }

            @Override
            public void onEnd(Failure reason, String message) {
                // with the store
            }
        });
        return gone;
    }

    @Test
    void dependentsGoWithAnOwnerOfADefinedKind() throws Exception {
        namespace("ns");
        try (store;
                KindDuties duties = KindDuties.start(store, RuntimeOptions.defaults())) {
            Kind<?> things = define();
            Document owner = store.createDocument(things, json("{\"metadata\":{\"name\":\"a\",\"namespace\":\"ns\"}}"))
                    .orThrow();
            store.createDocument(
                            Kinds.CONFIG_MAP,
                            json(
                                    "{\"metadata\":{\"name\":\"own\",\"namespace\":\"ns\",\"ownerReferences\":[{\"apiVersion\":"
                                            + "\"example.com/v1\",\"kind\":\"Thing\",\"name\":\"a\",\"uid\":\""
                                            + owner.text("metadata", "uid").orElse("") + "\"}]}}"))
                    .orThrow();
            CountDownLatch gone = gone(Kinds.CONFIG_MAP);
            store.deleteObject(things, ObjectKey.of("ns", "a"), DeleteOptions.DEFAULT)
                    .orThrow();
            assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(duties.failure()).isEmpty();
        }
    }

    @Test
    void aNamespaceIsEmptiedOfADefinedKind() throws Exception {
        namespace("ns");
        try (store;
                KindDuties duties = KindDuties.start(store, RuntimeOptions.defaults())) {
            Kind<?> things = define();
            store.createDocument(things, json("{\"metadata\":{\"name\":\"a\",\"namespace\":\"ns\"}}"))
                    .orThrow();
            CountDownLatch thingGone = gone(things);
            CountDownLatch namespaceGone = gone(Kinds.NAMESPACE);
            store.deleteObject(Kinds.NAMESPACE, ObjectKey.cluster("ns"), DeleteOptions.DEFAULT)
                    .orThrow();
            assertThat(thingGone.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(namespaceGone.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(duties.failure()).isEmpty();
        }
    }
}
