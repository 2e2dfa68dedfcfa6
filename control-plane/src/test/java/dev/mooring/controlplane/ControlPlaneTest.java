// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ListOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlPlaneTest {
    private static final List<AccessMode> ONCE = List.of(AccessMode.READ_WRITE_ONCE);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));

    @AfterEach
    void close() {
        store.close();
    }

    private static PersistentVolume volume() {
        return PersistentVolume.of(
                "disk",
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse("1Gi"))
                        .withAccessModes(ONCE)
                        .withSource(Optional.of(new NfsSource("nfs.example.com", "/disk", false).toSource())));
    }

    private static PersistentVolumeClaim claim(String storage) {
        return PersistentVolumeClaim.of(
                "default",
                "data",
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse(storage))
                        .withAccessModes(ONCE));
    }

    @Test
    void aClaimIsPreviewedAndBound() {
        try (ControlPlane plane = ControlPlane.builder(store).start()) {
            store.create(Kinds.PERSISTENT_VOLUME, volume()).orThrow();
            plane.whenQuiescent().join();
            assertThat(plane.preview(claim("1Gi")).join()).contains("disk");
            assertThat(plane.preview(claim("2Gi")).join()).isEmpty();

            store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("1Gi")).orThrow();
            plane.whenQuiescent().join();

            assertThat(plane.ask(caches -> caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data")))
                            .join()
                            .orElseThrow()
                            .status()
                            .phase())
                    .isEqualTo(ClaimPhase.BOUND);
            assertThat(plane.failure()).isEmpty();
        }
    }

    @Test
    void whoWaitsIsToldInTheStoreUnlessAnotherRecorderIsToTellThem() {
        try (ControlPlane plane = ControlPlane.builder(store).start()) {
            store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("1Gi")).orThrow();
            plane.whenQuiescent().join();
        }
        assertThat(store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items())
                .extracting(Event::reason)
                .contains("FailedBinding");

        List<Announcement> told = Collections.synchronizedList(new ArrayList<>());
        int before = store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items().size();
        try (ControlPlane plane = ControlPlane.builder(store).events(told::add).start()) {
            plane.whenQuiescent().join();
        }
        assertThat(told).extracting(Announcement::reason).contains("FailedBinding");
        assertThat(store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items()).hasSize(before);
    }

    @Test
    void aClosedControlPlaneDecidesNothingAndItsStoreGoesOn() {
        ControlPlane plane = ControlPlane.builder(store).start();
        plane.close();

        store.create(Kinds.PERSISTENT_VOLUME, volume()).orThrow();
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("1Gi")).orThrow();

        assertThat(store.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data"))
                        .orThrow()
                        .status()
                        .phase())
                .isEqualTo(ClaimPhase.PENDING);
    }

    @Test
    void itsMetricsAreThoseOfAllItsControllers() {
        try (ControlPlane plane = ControlPlane.builder(store).start()) {
            assertThat(plane.metrics().join())
                    .extracting(Metric::name)
                    .anyMatch(name -> name.startsWith("pv_collector_"))
                    .anyMatch(name -> name.startsWith("attachdetach_"))
                    .contains("mooring_decisions_total");
        }
    }

    @Test
    void anAgentMakesItsNodeOnceWithTheLabelByWhichVolumesNameIt(@TempDir Path root) {
        try (NodeAgent agent =
                NodeAgent.builder(store, HostServices.none(), root).start("n1")) {
            agent.whenQuiescent().join();
        }
        Node made = store.get(Kinds.NODE, ObjectKey.cluster("n1")).orThrow();
        assertThat(made.metadata().labels()).containsEntry(NodeAgent.HOSTNAME, "n1");

        try (NodeAgent agent =
                NodeAgent.builder(store, HostServices.none(), root).start("n1")) {
            agent.whenQuiescent().join();
        }
        assertThat(store.get(Kinds.NODE, ObjectKey.cluster("n1"))
                        .orThrow()
                        .metadata()
                        .uid())
                .isEqualTo(made.metadata().uid());
    }
}
