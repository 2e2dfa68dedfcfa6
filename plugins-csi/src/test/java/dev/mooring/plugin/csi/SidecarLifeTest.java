// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.ProvisionerRole;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.runtime.plugin.DriverFacts;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver's side-car beside controllers that bind, and say what is attached where, and know nothing of the driver. */
class SidecarLifeTest {
    private static final SidecarRules RULES = new SidecarRules(
            "ext4", true, false, true, false, true, Duration.ofSeconds(30), Optional.of("1-2"), Optional.empty());

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = DriverWorld.leftToSidecars(temp.resolve("root"), driver.endpoint());
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private DriverFacts startSidecar() {
        return world.startSidecar(driver.endpoint(), RULES, ProvisionerRole.DEFAULT);
    }

    private PersistentVolume volume() {
        return world.store
                .get(
                        Kinds.PERSISTENT_VOLUME,
                        ObjectKey.cluster(world.claim().spec().volumeName()))
                .orThrow();
    }

    private List<VolumeAttachment> attachments() {
        return world.store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items();
    }

    private void runPod() {
        world.createClass(Map.of("type", "ssd"));
        world.createClaim("1Gi");
        world.createPod();
        world.await("a running pod", world::podRuns);
    }

    private void endPodAndClaim() {
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
    }

    @Test
    void aVolumeLivesByTheObjectsOfTheSidecars() {
        startSidecar();
        runPod();

        CreateVolumeRequest create = driver.request(CreateVolumeRequest.class);
        String name = "pvc-" + world.claim().metadata().uid();
        assertThat(create.getParametersMap())
                .containsOnly(
                        Map.entry("type", "ssd"),
                        Map.entry("csi.storage.k8s.io/pvc/name", "data"),
                        Map.entry("csi.storage.k8s.io/pvc/namespace", "default"),
                        Map.entry("csi.storage.k8s.io/pv/name", name));
        PersistentVolume volume = volume();
        assertThat(volume.metadata().name()).isEqualTo(name);
        assertThat(volume.metadata().annotation(Annotations.PROVISIONED_BY)).contains(FakeDriver.NAME);
        assertThat(volume.metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .isEmpty();
        assertThat(volume.metadata().finalizers())
                .contains(Finalizers.EXTERNAL_PROVISIONER, "external-attacher/fake-csi-example-com");
        CsiSource source = CsiSource.of(volume.spec().source().orElseThrow()).orElseThrow();
        assertThat(source.fsType()).isEqualTo("ext4");
        assertThat(source.volumeAttributes())
                .containsEntry("storage.kubernetes.io/csiProvisionerIdentity", "1-2-" + FakeDriver.NAME);
        assertThat(attachments()).singleElement().satisfies(attachment -> {
            assertThat(attachment.metadata().finalizers()).contains("external-attacher/fake-csi-example-com");
            assertThat(attachment.metadata().annotation("csi.alpha.kubernetes.io/node-id"))
                    .contains("id-of-this-node");
            assertThat(attachment.status().attachmentMetadata()).containsEntry("device", "/dev/fake");
        });
        world.await(
                "no mark of the making on the claim",
                () -> !world.claim().metadata().hasFinalizer(Finalizers.PROVISIONING));

        endPodAndClaim();
        assertThat(attachments()).isEmpty();
        assertThat(driver.called())
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
    void aClaimGrows() {
        startSidecar();
        runPod();
        PersistentVolumeClaim claim = world.claim();
        world.store
                .update(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                claim, claim.withSpec(claim.spec().withRequestedStorage(Quantity.parse("2Gi")))))
                .orThrow();
        world.await(
                "a claim of 2Gi",
                () -> Optional.ofNullable(world.claim().status().capacity().get("storage"))
                        .filter(Quantity.parse("2Gi")::equals)
                        .isPresent());
        assertThat(driver.called()).contains("ControllerExpandVolume", "NodeExpandVolume");
    }

    @Test
    void workGoesOnWhereAProcessBeforeHasEnded() {
        driver.actAndFail("CreateVolume", Status.Code.DEADLINE_EXCEEDED);
        startSidecar();
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.await("a volume in the driver", () -> driver.called().contains("CreateVolume"));
        world.stopSidecar();
        startSidecar();
        world.createPod();
        world.await("a running pod", world::podRuns);
        world.stopSidecar();
        world.deletePod();
        world.await("the pod's end", world::podIsGone);
        world.deleteClaim();
        startSidecar();
        world.await("nothing in the driver", driver::isEmpty);
    }

    @Test
    void aDriverThatAttachesNothingHasAttachmentsWithoutFinalizers() {
        driver.controller.remove(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
        assertThat(startSidecar().attaches()).isFalse();
        runPod();
        assertThat(attachments()).singleElement().satisfies(attachment -> {
            assertThat(attachment.status().attached()).isTrue();
            assertThat(attachment.metadata().finalizers()).isEmpty();
        });
        endPodAndClaim();
        assertThat(driver.called()).doesNotContain("ControllerPublishVolume", "ControllerUnpublishVolume");
    }

    @Test
    void aFailureToAttachIsShownOnTheAttachment() {
        driver.words = "the node is full " + "x".repeat(2_000);
        driver.fail("ControllerPublishVolume", Status.Code.RESOURCE_EXHAUSTED);
        startSidecar();
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.createPod();
        world.await("an error that is shown", () -> attachments().stream()
                .anyMatch(attachment -> attachment
                        .status()
                        .attachError()
                        .filter(error -> error.message().contains("the node is full")
                                && error.message().length() <= 1024
                                && error.errorCode().equals(Optional.of(8L)))
                        .isPresent()));
        world.await("a running pod", world::podRuns);
        assertThat(attachments()).allSatisfy(attachment -> assertThat(attachment.status().attachError())
                .isEmpty());
    }
}
