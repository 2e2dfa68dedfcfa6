// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import dev.mooring.storage.store.WatchListener;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kinds that a real API server gets, and loses, while it runs. */
@Tag("cluster")
class LateDefinitionsTest {
    private static final RealCluster CLUSTER = RealCluster.shared();
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String NAME = "volumesnapshotclasses.snapshot.storage.k8s.io";
    private static final String DEFINITION = """
            {"metadata":{"name":"%s","annotations":{"api-approved.kubernetes.io":"unapproved, for a test"}},
             "spec":{"group":"snapshot.storage.k8s.io","scope":"Cluster",
              "names":{"kind":"VolumeSnapshotClass","plural":"volumesnapshotclasses"},
              "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
               {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""".formatted(NAME);

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private final class Listener implements WatchListener<VolumeSnapshotClass> {
        @Override
        public void onEvent(WatchEvent<VolumeSnapshotClass> event) {
            heard.add(event.type() + " " + event.object().metadata().name());
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            heard.add(String.valueOf(reason));
        }
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(240, TimeUnit.SECONDS));
    }

    @Test
    void oneThatIsDefinedLaterIsFollowedAndOneThatIsDeletedHasNoObjects() throws Exception {
        try (KubernetesStore store = KubernetesStore.open(
                Connection.ofKubeconfig(CLUSTER.kubeconfig()), KubernetesOptions.DEFAULT, Duration.ofMillis(500))) {
            ObjectList<VolumeSnapshotClass> none =
                    store.list(Kinds.VOLUME_SNAPSHOT_CLASS, ListOptions.ALL).orThrow();
            assertThat(none.items()).isEmpty();
            store.watch(Kinds.VOLUME_SNAPSHOT_CLASS, ListOptions.ALL, none.revision(), new Listener());
            CLUSTER.admin().ok("POST", DEFINITIONS, DEFINITION);

            assertThat(next()).isEqualTo("GONE");

            Revision begin = store.list(Kinds.VOLUME_SNAPSHOT_CLASS, ListOptions.ALL)
                    .orThrow()
                    .revision();
            store.watch(Kinds.VOLUME_SNAPSHOT_CLASS, ListOptions.ALL, begin, new Listener());
            CLUSTER.admin()
                    .ok(
                            "POST",
                            "/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses",
                            "{\"apiVersion\":\"snapshot.storage.k8s.io/v1\",\"kind\":\"VolumeSnapshotClass\","
                                    + "\"metadata\":{\"name\":\"snaps\"},\"driver\":\"d\",\"deletionPolicy\":\"Delete\"}");
            assertThat(next()).isEqualTo("ADDED snaps");

            CLUSTER.admin().ok("DELETE", DEFINITIONS + "/" + NAME, "");
            assertThat(next()).isEqualTo("DELETED snaps");
            assertThat(next()).isEqualTo("UNAVAILABLE");
            assertThat(store.list(Kinds.VOLUME_SNAPSHOT_CLASS, ListOptions.ALL)
                            .orThrow()
                            .items())
                    .isEmpty();
            assertThat(store.get(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("snaps"))
                            .failure())
                    .contains(Failure.NOT_FOUND);
        }
    }
}
