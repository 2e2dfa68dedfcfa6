// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.kubernetes.cluster.Relay;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection to a real API server, over HTTP/2, that dies without a sign. */
@Tag("cluster")
class SilentConnectionTest {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final int TRIES = 20;

    @TempDir
    private Path directory;

    private final CountDownLatch ended = new CountDownLatch(1);

    @Test
    void isReplacedAndItsWatchesEnd() throws IOException, InterruptedException {
        Connection direct = Connection.ofKubeconfig(CLUSTER.kubeconfig());
        URI server = URI.create(direct.server());
        try (Relay relay = new Relay(server.getPort());
                KubernetesStore store = KubernetesStore.open(
                        Connection.ofKubeconfig(relay.copyOf(CLUSTER.kubeconfig(), directory)),
                        KubernetesOptions.DEFAULT.withRequestTimeout(Duration.ofSeconds(5)))) {
            Revision revision = list(store).orThrow().revision();
            store.watch(Kinds.STORAGE_CLASS, ListOptions.ALL, revision, new Listener());
            for (int i = 0; i < TRIES; i++) {
                list(store).orThrow();
            }
            int before = relay.connections();

            relay.silence();

            boolean answered = false;
            for (int i = 0; i < TRIES && !answered; i++) {
                answered = list(store).value().isPresent();
            }
            assertThat(answered).isTrue();
            assertThat(relay.connections()).isGreaterThan(before);
            assertThat(ended.await(240, TimeUnit.SECONDS)).as("the watch ends").isTrue();
        }
    }

    private static StoreResult<ObjectList<StorageClass>> list(KubernetesStore store) {
        return store.list(Kinds.STORAGE_CLASS, ListOptions.ALL);
    }

    private final class Listener implements WatchListener<StorageClass> {
        @Override
        public void onEvent(WatchEvent<StorageClass> event) {}

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            ended.countDown();
        }
    }
}
