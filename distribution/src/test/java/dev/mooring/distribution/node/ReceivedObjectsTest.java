// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneServers;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server sends to a node's agent, over its API. */
class ReceivedObjectsTest {
    private static final long PATIENCE_MINUTES = 4;
    private static final int CHANGES = 50;

    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final CountDownLatch podHere = new CountDownLatch(1);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void whatChangesOnOtherNodesIsNotSent() throws Exception {
        try (Standalone server = Standalone.start(StandaloneServers.options(directory.resolve("server")), List.of());
                ClusterStore store = open()) {
            assertThat(server.sickness()).isEmpty();
            NodeProcess agent = new NodeProcess(
                    NodeProcesses.settings(() -> new Noting(open()), "n1", directory.resolve("data")),
                    FakeProc.in(directory.resolve("proc")).machine(),
                    TimeSource.system());
            CompletableFuture<Boolean> run = NodeProcesses.run(agent);
            try {
                agent.awaitStart();
                makeOthers(store);
                for (int i = 0; i < CHANGES; i++) {
                    change(store, Kinds.POD, ObjectKey.of("default", "on-n2"), i);
                    change(store, Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "of-n2"), i);
                    change(store, Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv-of-n2"), i);
                }
                store.create(Kinds.POD, pod("n1")).orThrow();
                assertThat(podHere.await(PATIENCE_MINUTES, TimeUnit.MINUTES))
                        .as("its own pod arrives")
                        .isTrue();
            } finally {
                agent.stop();
            }
            assertThat(run.join()).isTrue();
        }
        assertThat(received).contains("Node n1").noneMatch(each -> each.contains("n2"));
    }

    /** Controllers of the server write too, so once more after a conflict. */
    private static <T extends KubernetesObject> void change(ClusterStore store, Kind<T> kind, ObjectKey key, int turn) {
        StoreResult<T> answer;
        do {
            T known = store.get(kind, key).orThrow();
            Document changed = kind.write(known).with(Integer.toString(turn), "metadata", "annotations", "turn");
            answer = store.update(kind, new Change<>(known, kind.read(changed)));
        } while (answer.failure().filter(Failure.CONFLICT::equals).isPresent());
        answer.orThrow();
    }

    private static Document document(String yaml) {
        return KubernetesYaml.standard().read(yaml, "an object");
    }

    private static Pod pod(String node) {
        return Kinds.POD.read(document("""
                apiVersion: v1
                kind: Pod
                metadata: {name: on-%1$s, namespace: default}
                spec: {nodeName: %1$s, automountServiceAccountToken: false, containers: [{name: main, image: none}]}
                """.formatted(node)));
    }

    private static void makeOthers(ClusterStore store) {
        store.create(Kinds.NODE, Kinds.NODE.read(document("""
                apiVersion: v1
                kind: Node
                metadata: {name: n2}
                """))).orThrow();
        store.create(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME.read(document("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv-of-n2}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: none
                  nfs: {server: files, path: /a}
                """)))
                .orThrow();
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM.read(document("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: of-n2, namespace: default}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: absent
                  resources: {requests: {storage: 1Gi}}
                """)))
                .orThrow();
        store.create(Kinds.POD, pod("n2")).orThrow();
    }

    private ClusterStore open() {
        return KubernetesStore.open(
                Connection.ofKubeconfig(directory.resolve("server/kubeconfig")), KubernetesOptions.DEFAULT);
    }

    /** Notes each object that arrives. */
    private final class Noting extends ForwardingStore {
        private final ClusterStore store;

        Noting(ClusterStore store) {
            super(store);
            this.store = store;
        }

        @Override
        public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
            StoreResult<ObjectList<T>> answer = super.list(kind, options);
            answer.value().ifPresent(list -> list.items().forEach(each -> note(kind, each)));
            return answer;
        }

        @Override
        public <T extends KubernetesObject> Watch watch(
                Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
            return super.watch(kind, options, after, new WatchListener<T>() {
                @Override
                public void onEvent(WatchEvent<T> event) {
                    note(kind, event.object());
                    listener.onEvent(event);
                }

                @Override
                public void onBookmark(Revision revision) {
                    listener.onBookmark(revision);
                }

                @Override
                public void onEnd(Failure reason, String message) {
                    listener.onEnd(reason, message);
                }
            });
        }

        private void note(Kind<?> kind, KubernetesObject object) {
            String name = object.metadata().name();
            received.add(kind.name() + " " + name);
            if (name.equals("on-n1")) {
                podHere.countDown();
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
