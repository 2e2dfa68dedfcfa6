// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.VolumeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a driver is told of the pod for which a volume is. */
class PodOfVolumeTest {
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

    private void runPodOfGroup(long group) {
        world.createClass(Map.of("csi.storage.k8s.io/fstype", "ext4"));
        world.createClaim("1Gi");
        world.createPod(spec ->
                spec.withSecurityContext(Optional.of(PodSecurityContext.EMPTY.withFsGroup(Optional.of(group)))));
        world.await("a publish call", () -> driver.called().contains("NodePublishVolume"));
    }

    @Test
    void aDriverThatGivesFilesToAGroupIsToldThePodsAndNothingElseIsDone() {
        driver.node.add(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);

        runPodOfGroup(4711);

        // the fake driver mounts nothing, so that a walk of the host would fail
        world.await("a running pod", world::podRuns);
        assertThat(driver.request(NodeStageVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEqualTo("4711");
        assertThat(driver.request(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEqualTo("4711");
    }

    @Test
    void aDriverThatWantsToKnowIsToldOfThePod() {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY.withPodInfoOnMount(Optional.of(true))))
                .orThrow();
        world.createClass(Map.of());
        world.createClaim("1Gi");
        world.createPod(spec -> spec.withServiceAccountName("reader"));
        world.await("a running pod", world::podRuns);

        String uid =
                world.store.get(Kinds.POD, DriverWorld.POD).orThrow().metadata().uid();
        assertThat(driver.request(NodePublishVolumeRequest.class).getVolumeContextMap())
                .containsEntry("csi.storage.k8s.io/pod.name", "web")
                .containsEntry("csi.storage.k8s.io/pod.namespace", "default")
                .containsEntry("csi.storage.k8s.io/pod.uid", uid)
                .containsEntry("csi.storage.k8s.io/serviceAccount.name", "reader")
                .containsEntry("csi.storage.k8s.io/ephemeral", "false")
                .containsEntry("made", "by-fake");
        assertThat(driver.request(NodeStageVolumeRequest.class).getVolumeContextMap())
                .containsOnly(Map.entry("made", "by-fake"));
    }

    @Test
    void anotherDriverIsToldNoGroup() {
        runPodOfGroup(4711);

        assertThat(driver.request(NodeStageVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEmpty();
        assertThat(driver.request(NodePublishVolumeRequest.class)
                        .getVolumeCapability()
                        .getMount()
                        .getVolumeMountGroup())
                .isEmpty();
    }

    @Test
    void aVolumeThatIsWrittenInAPodIsPublishedAndUnpublishedAlone() {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY
                                        .withPodInfoOnMount(Optional.of(true))
                                        .withVolumeLifecycleModes(List.of("Ephemeral"))))
                .orThrow();
        world.createPod(new VolumeSource(
                "csi", Document.of(Map.of("driver", FakeDriver.NAME, "volumeAttributes", Map.of("size", "small")))));
        world.await("a running pod", world::podRuns);

        String uid =
                world.store.get(Kinds.POD, DriverWorld.POD).orThrow().metadata().uid();
        NodePublishVolumeRequest publish = driver.request(NodePublishVolumeRequest.class);
        assertThat(publish.getVolumeId()).isEqualTo("csi-" + Sha256.hex(uid + "data"));
        assertThat(publish.getStagingTargetPath()).isEmpty();
        assertThat(publish.getPublishContextMap()).isEmpty();
        assertThat(publish.getTargetPath()).endsWith("/pods/" + uid + "/volumes/kubernetes.io~csi/data/mount");
        assertThat(publish.getVolumeCapability().getAccessMode().getMode())
                .isEqualTo(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER);
        assertThat(publish.getVolumeContextMap())
                .containsEntry("size", "small")
                .containsEntry("csi.storage.k8s.io/ephemeral", "true");

        world.deletePod();
        world.await("the pod's end", world::podIsGone);
        assertThat(driver.called()).containsExactly("NodePublishVolume", "NodeUnpublishVolume");
        assertThat(driver.isEmpty()).isTrue();
    }
}
