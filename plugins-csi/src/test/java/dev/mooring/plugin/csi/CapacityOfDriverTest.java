// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.GetCapacityRequest;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a driver has left is told to schedulers, as long as its CSIDriver says so. */
class CapacityOfDriverTest {
    private static final String ZONE = "topology.example.com/zone";

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        driver.topology.put(ZONE, "east");
        driver.free.put("east", 100L << 30);
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private void createDriver() {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY.withStorageCapacity(Optional.of(true))))
                .orThrow();
    }

    private List<CSIStorageCapacity> capacities() {
        return world.store
                .list(Kinds.CSI_STORAGE_CAPACITY, ListOptions.ALL)
                .orThrow()
                .items();
    }

    @Test
    void eachClassThatWaitsForPodsHasAnObjectForEachPlaceUntilItGoes() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.GET_CAPACITY);
        createDriver();
        world.createClass(
                Map.of("type", "ssd", "csi.storage.k8s.io/fstype", "ext4"), VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
        world.await("a capacity", () -> !capacities().isEmpty());

        assertThat(capacities()).singleElement().satisfies(told -> {
            assertThat(told.metadata().namespace()).isEqualTo("kube-system");
            assertThat(told.metadata().name()).startsWith("csisc-");
            assertThat(told.metadata().labels())
                    .isEqualTo(Map.of(
                            "csi.storage.k8s.io/drivername",
                            FakeDriver.NAME,
                            "csi.storage.k8s.io/managed-by",
                            "mooring"));
            assertThat(told.metadata().ownerReferences())
                    .singleElement()
                    .satisfies(owner ->
                            assertThat(owner.kind() + "/" + owner.name()).isEqualTo("CSIDriver/" + FakeDriver.NAME));
            assertThat(told.storageClassName()).isEqualTo("fast");
            assertThat(told.nodeTopology()).contains(LabelSelector.EMPTY.withMatchLabels(Map.of(ZONE, "east")));
            assertThat(told.capacity()).contains(Quantity.parse("100Gi"));
            assertThat(told.maximumVolumeSize()).contains(Quantity.parse("50Gi"));
        });
        assertThat(driver.request(GetCapacityRequest.class).getParametersMap())
                .containsOnly(Map.entry("type", "ssd"), Map.entry("csi.storage.k8s.io/fstype", "ext4"));
        assertThat(driver.request(GetCapacityRequest.class).getVolumeCapabilitiesCount())
                .isZero();

        world.store
                .delete(Kinds.STORAGE_CLASS, ObjectKey.cluster("fast"), DeleteOptions.DEFAULT)
                .orThrow();

        world.await("no capacity", () -> capacities().isEmpty());
    }

    @Test
    void withoutTheWordOfTheCsiDriverNothingIsAsked() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.GET_CAPACITY);
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);

        assertThat(driver.called()).doesNotContain("GetCapacity");
    }

    @Test
    void aDriverThatCannotTellIsNamedToThoseWhoWait() {
        createDriver();
        world.createClass(Map.of(), VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);

        world.await(
                "a reason",
                () -> world.messages().stream().anyMatch(message -> message.contains("has no GET_CAPACITY")));
        assertThat(driver.called()).doesNotContain("GetCapacity");
    }
}
