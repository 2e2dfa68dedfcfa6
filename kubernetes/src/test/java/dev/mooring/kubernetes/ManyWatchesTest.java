// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.kubernetes.cluster.Relay;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watch for each of many objects, as an agent has them, on a real API server over HTTP/2. */
@Tag("cluster")
class ManyWatchesTest {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final int WATCHES = 240;
    /** 80 watches of single objects share one connection; one more is for all else. */
    private static final int CONNECTIONS = 4;

    @TempDir
    private Path directory;

    private final CountDownLatch shown = new CountDownLatch(WATCHES);
    private final CountDownLatch shownAgain = new CountDownLatch(WATCHES + 1);
    private final Queue<String> ends = new ConcurrentLinkedQueue<>();

    @Test
    void shareFewConnectionsAndShowTheirObjects() throws IOException, InterruptedException {
        URI server = URI.create(Connection.ofKubeconfig(CLUSTER.kubeconfig()).server());
        try (Relay relay = new Relay(server.getPort());
                KubernetesStore store = KubernetesStore.open(
                        Connection.ofKubeconfig(relay.copyOf(CLUSTER.kubeconfig(), directory)),
                        KubernetesOptions.DEFAULT)) {
            Revision revision =
                    store.list(Kinds.STORAGE_CLASS, ListOptions.ALL).orThrow().revision();
            List<Watch> watches = new ArrayList<>();
            for (int i = 0; i < WATCHES; i++) {
                watches.add(store.watch(
                        Kinds.STORAGE_CLASS,
                        ListOptions.ALL.withFields("metadata.name=many-" + i),
                        revision,
                        new Listener()));
            }
            for (int i = 0; i < WATCHES; i++) {
                CLUSTER.admin().ok("POST", "/apis/storage.k8s.io/v1/storageclasses", """
                        {"metadata":{"name":"many-%d"},"provisioner":"example.com/none"}""".formatted(i));
            }
            assertThat(shown.await(240, TimeUnit.SECONDS))
                    .as("each shows its object; %d are missing, ended: %s", shown.getCount(), ends)
                    .isTrue();
            assertThat(relay.connections()).isLessThanOrEqualTo(CONNECTIONS);

            watches.forEach(Watch::close);
            store.watch(
                    Kinds.STORAGE_CLASS, ListOptions.ALL.withFields("metadata.name=many-0"), revision, new Listener());
            assertThat(shownAgain.await(240, TimeUnit.SECONDS))
                    .as("a later watch shows its object; ended: %s", ends)
                    .isTrue();
            assertThat(relay.connections())
                    .as("what ended has given its place back")
                    .isLessThanOrEqualTo(CONNECTIONS);
        } finally {
            CLUSTER.admin().removeAll("/apis/storage.k8s.io/v1/storageclasses");
        }
    }

    private final class Listener implements WatchListener<StorageClass> {
        @Override
        public void onEvent(WatchEvent<StorageClass> event) {
            if (event.type() == WatchEvent.Type.ADDED) {
                shown.countDown();
                shownAgain.countDown();
            }
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            ends.add(message);
        }
    }
}
