// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerPublishVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a volume of a driver that is another program, from the class to nothing left. */
class DriverLifeTest {
    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private PersistentVolume volume() {
        return world.store
                .get(
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.cluster(world.claim().spec().volumeName()))
                .orThrow();
    }

    private void runPod() {
        world.createClass(Map.of("type", "ssd", "csi.storage.k8s.io/fstype", "ext4"));
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);
    }

    @Test
    void aClaimIsProvisionedAttachedStagedPublishedAndLeavesNothing() {
        runPod();

        CreateVolumeRequest create = driver.request(CreateVolumeRequest.class);
        assertThat(create.getName()).isEqualTo("pvc-" + world.claim().metadata().uid());
        assertThat(create.getParametersMap()).containsOnly(Map.entry("type", "ssd"));
        assertThat(create.getCapacityRange().getRequiredBytes()).isEqualTo(1L << 30);
        assertThat(create.getVolumeCapabilities(0).getMount().getFsType()).isEqualTo("ext4");
        assertThat(create.getVolumeCapabilities(0).getAccessMode().getMode())
                .isEqualTo(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);

        CsiSource source = CsiSource.of(volume().spec().source().orElseThrow()).orElseThrow();
        assertThat(source.driver()).isEqualTo(FakeDriver.NAME);
        assertThat(source.volumeHandle()).isEqualTo("handle-" + create.getName());
        assertThat(source.fsType()).isEqualTo("ext4");
        assertThat(source.volumeAttributes()).containsEntry("made", "by-fake");

        assertThat(driver.request(ControllerPublishVolumeRequest.class).getNodeId())
                .isEqualTo("id-of-this-node");
        assertThat(driver.request(NodeStageVolumeRequest.class).getPublishContextMap())
                .containsEntry("device", "/dev/fake");
        NodePublishVolumeRequest publish = driver.request(NodePublishVolumeRequest.class);
        assertThat(publish.getPublishContextMap()).containsEntry("device", "/dev/fake");
        assertThat(publish.getTargetPath())
                .startsWith(world.root().resolve("pods").toString())
                .endsWith("/volumes/kubernetes.io~csi/" + volume().metadata().name() + "/mount");
        assertThat(publish.getStagingTargetPath())
                .startsWith(world.root()
                        .resolve("plugins/kubernetes.io/csi/" + FakeDriver.NAME)
                        .toString())
                .endsWith("/globalmount");

        world.deletePod();
        world.await("the pod's end", world::podIsGone);
        world.deleteClaim();
        world.await("nothing in the driver", driver::isEmpty);
        world.await(
                "no volume",
                () -> world.store
                        .list(Kinds.PERSISTENT_VOLUME, ListOptions.ALL)
                        .orThrow()
                        .items()
                        .isEmpty());
        assertThat(RecordLog.standing(world.records.replay())).isEmpty();
    }

    private void endPodAndClaim() {
        world.deletePod();
        world.await("the pod's end", world::podIsGone);
        world.deleteClaim();
        world.await("nothing in the driver", driver::isEmpty);
    }

    /** What a driver can do is asked in the first life only. */
    @Test
    void aLifeMakesNoMoreCallsThanItHasSteps() {
        runPod();
        endPodAndClaim();
        world.await("no claim", world::claimIsGone);
        int before = driver.all().size();
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);
        endPodAndClaim();

        List<String> calls = driver.all();
        assertThat(calls.subList(before, calls.size()))
                .containsExactly(
                        "CreateVolume",
                        "ControllerPublishVolume",
                        "NodeStageVolume",
                        "NodePublishVolume",
                        "NodeUnpublishVolume",
                        "NodeUnstageVolume",
                        "ControllerUnpublishVolume",
                        "DeleteVolume");
    }

    @Test
    void callsAreCountedUnderKubernetesNames() {
        driver.fail("CreateVolume", Status.Code.DEADLINE_EXCEEDED);
        runPod();

        assertThat(world.counted())
                .containsEntry(
                        "csi_sidecar_operations_seconds_count fake.csi.example.com DeadlineExceeded /csi.v1.Controller/CreateVolume",
                        1.0)
                .containsEntry(
                        "csi_sidecar_operations_seconds_count fake.csi.example.com OK /csi.v1.Controller/CreateVolume",
                        1.0)
                .containsEntry(
                        "csi_operations_seconds_count fake.csi.example.com OK /csi.v1.Node/NodeStageVolume false", 1.0)
                .containsEntry(
                        "csi_operations_seconds_count fake.csi.example.com OK /csi.v1.Node/NodePublishVolume false",
                        1.0);
    }

    @Test
    void theNodeSaysWhichDriverItHas() {
        world.await(
                "a CSINode",
                () -> world.store
                        .get(Kinds.CSI_NODE, ObjectKey.cluster(DriverWorld.NODE))
                        .value()
                        .filter(node -> !node.spec().drivers().isEmpty())
                        .isPresent());

        CSINode node = world.store
                .get(Kinds.CSI_NODE, ObjectKey.cluster(DriverWorld.NODE))
                .orThrow();
        assertThat(node.spec().drivers())
                .extracting(CSINodeDriver::name, CSINodeDriver::nodeID)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(FakeDriver.NAME, "id-of-this-node"));
        assertThat(node.spec().drivers().get(0).allocatable().orElseThrow().count())
                .contains(9L);
        assertThat(node.metadata().ownerReferences()).hasSize(1);
    }

    @Test
    void aClaimGrowsInTheControllerAndOnTheNode() {
        runPod();
        world.store
                .update(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                world.claim(),
                                world.claim()
                                        .withSpec(world.claim().spec().withRequestedStorage(Quantity.parse("2Gi")))))
                .orThrow();
        world.await(
                "a larger claim",
                () -> Quantity.parse("2Gi")
                        .equals(world.claim().status().capacity().get("storage")));

        assertThat(driver.called()).contains("ControllerExpandVolume", "NodeExpandVolume");
        assertThat(volume().spec().storage()).isEqualTo(Quantity.parse("2Gi"));
    }

    @Test
    void aDriverThatComesLateIsWaitedForAndThePodIsTold() throws Exception {
        world.stopNode();
        driver.stop();
        world.startNode();
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.createPod();
        world.await(
                "a reason", () -> world.messages().stream().anyMatch(message -> message.contains("cannot be called")));

        driver.startAgain();

        world.await("the controllers' notice", () -> world.came.contains(FakeDriver.NAME));
        world.await("a running pod", world::podRuns);
        assertThat(List.copyOf(driver.volumes.keySet())).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fake.csi.example.com",
                "fake-csi-example-com",
                "external-attacher-leader-fake-csi-example-com",
                "external-resizer-fake-csi-example-com",
                "external-snapshotter-leader-fake-csi-example-com"
            })
    void whileASideCarLeadsNothingIsMadeAndItsLeaseIsNamed(String name) {
        ObjectKey lease = ObjectKey.of("default", name);
        world.store
                .create(
                        Kinds.LEASE,
                        new Lease(
                                ObjectMeta.named(lease.name()).withNamespace(lease.namespace()),
                                LeaseSpec.EMPTY
                                        .withHolderIdentity("provisioner-0")
                                        .withLeaseDurationSeconds(Optional.of(600L))
                                        .withRenewTime(Optional.of(Instant.now()))))
                .orThrow();
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.await(
                "a reason",
                () -> world.messages().stream()
                        .anyMatch(message -> message.contains("Lease " + lease + " is held by provisioner-0")));
        assertThat(driver.called()).isEmpty();

        world.store.delete(Kinds.LEASE, lease, DeleteOptions.DEFAULT).orThrow();

        world.await("a volume", () -> !driver.volumes.isEmpty());
    }
}
