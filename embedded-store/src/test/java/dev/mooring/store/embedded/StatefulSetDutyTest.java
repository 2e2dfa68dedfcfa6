// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.statefulset.StatefulSetDuty;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller of StatefulSets at a store in a file goes on where the one before has ended, and leaves no thread. */
class StatefulSetDutyTest {
    private static final String THREAD = "statefulset-controller";

    @TempDir
    private Path directory = Path.of("");

    private EmbeddedClusterStore open() {
        return EmbeddedClusterStore.open(
                directory.resolve("cluster.db"),
                StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));
    }

    private static StatefulSetDuty start(EmbeddedClusterStore store) {
        return StatefulSetDuty.start(store, EventSink.NONE, TimeSource.system());
    }

    private static Document json(String text) {
        return KubernetesJson.standard().read(text.replace('\'', '"'), "test");
    }

    private static CountDownLatch made(EmbeddedClusterStore store, String pod) {
        CountDownLatch made = new CountDownLatch(1);
        Revision now = store.listDocuments(Kinds.POD).orThrow().revision();
        Watch unused = store.watchDocuments(Kinds.POD, ListOptions.ALL, now, new DocumentListener() {
            @Override
            public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
                if (object.text("metadata", "name").filter(pod::equals).isPresent()) {
                    made.countDown();
                }
            }

            @Override
            public void onBookmark(Revision revision) {}

            @Override
            public void onEnd(Failure reason, String message) {}
        });
        return made;
    }

    @Test
    void itGoesOnWhereTheOneBeforeHasEnded() throws Exception {
        try (EmbeddedClusterStore store = open()) {
            store.createDocument(Kinds.NAMESPACE, json("{'metadata':{'name':'ns'}}"))
                    .orThrow();
            CountDownLatch first = made(store, "web-0");
            try (StatefulSetDuty duty = start(store)) {
                store.createDocument(StoredKinds.STATEFUL_SET, json("""
                                {'metadata':{'name':'web','namespace':'ns'},'spec':{'replicas':2,'serviceName':'s',
                                 'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},
                                 'spec':{'containers':[{'name':'c','image':'i'}]}}}}""")).orThrow();
                assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(duty.failure()).isEmpty();
            }
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain(THREAD);
        }
        try (EmbeddedClusterStore store = open();
                StatefulSetDuty duty = start(store)) {
            CountDownLatch second = made(store, "web-1");
            Document pod =
                    store.getDocument(Kinds.POD, ObjectKey.of("ns", "web-0")).orThrow();
            store.replaceDocument(
                            Kinds.POD,
                            "status",
                            pod.with("Running", "status", "phase")
                                    .with(
                                            List.of(Map.of(
                                                    "type",
                                                    "Ready",
                                                    "status",
                                                    "True",
                                                    "lastTransitionTime",
                                                    Instant.EPOCH.toString())),
                                            "status",
                                            "conditions"))
                    .orThrow();
            assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(duty.failure()).isEmpty();
        }
    }
}
