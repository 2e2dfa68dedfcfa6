// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.StuckPlugin;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How the controllers and the agent of one process end together. */
class LocalClusterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final CountDownLatch begun = new CountDownLatch(2);
    private final CountDownLatch calledOff = new CountDownLatch(1);

    /** So that closing takes no longer than one of them may take: a call of the agent ends here only when the controllers' was called off. */
    @Test
    void bothAreClosedAtOnce() throws Exception {
        StuckPlugin plugin = new StuckPlugin(
                context -> {
                    context.onCancel(calledOff::countDown);
                    begun.countDown();
                    await();
                },
                context -> {
                    begun.countDown();
                    await();
                });
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        LocalCluster cluster = LocalCluster.start(
                LocalParts.of(store, HostServices.none(), List.of(plugin), "here", Path.of("/var/lib/mooring")));
        List<Document> objects = KubernetesYaml.standard().readAll("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: stuck}
                provisioner: stuck.example.org
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec: {storageClassName: stuck, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """, "objects");
        store.create(Kinds.STORAGE_CLASS, Kinds.STORAGE_CLASS.read(objects.get(0)))
                .orThrow();
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM.read(objects.get(1)))
                .orThrow();
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(cluster.close(PATIENCE.dividedBy(2)))
                .as("everything answered")
                .isTrue();
    }

    /** Waits on through interrupts. */
    private void await() {
        boolean done = false;
        while (!done) {
            try {
                done = calledOff.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // It goes on.
            }
        }
    }
}
