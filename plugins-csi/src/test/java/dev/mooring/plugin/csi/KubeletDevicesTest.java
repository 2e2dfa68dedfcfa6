// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.NodeUnpublishVolumeRequest;
import dev.mooring.csi.v1.NodeUnstageVolumeRequest;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.ContainerStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeDevice;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that begins where a kubelet holds a raw device of a driver for a pod, as semantics/csi §6.5 lays it out. */
class KubeletDevicesTest {
    private static final Path DISK = Path.of("/disk");

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;
    private Path devices;
    private String volume;
    private String pod;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
        devices = world.root().resolve("plugins/kubernetes.io/csi/volumeDevices");
        world.createClass(Map.of());
        world.store
                .create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        PersistentVolumeClaim.of(
                                DriverWorld.CLAIM.namespace(),
                                DriverWorld.CLAIM.name(),
                                PersistentVolumeClaimSpec.EMPTY
                                        .withStorageClassName(Optional.of("fast"))
                                        .withVolumeMode(Optional.of(VolumeMode.BLOCK))
                                        .withRequestedStorage(Quantity.parse("1Gi"))
                                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))))
                .orThrow();
        world.await("a volume", () -> world.isBound(DriverWorld.CLAIM.name()));
        world.await("the driver on the node", this::isRegistered);
        world.replaceNode();
        volume = world.claim().spec().volumeName();
        world.createPod(
                new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", DriverWorld.CLAIM.name()))),
                spec -> spec.withContainers(List.of(new Container(
                        "main",
                        "registry.example.com/app:1",
                        List.of(),
                        List.of(new VolumeDevice("data", "/dev/data"))))));
        world.await("an attached volume", this::isAttached);
        pod = world.store.get(Kinds.POD, DriverWorld.POD).orThrow().metadata().uid();
        kubeletHasMappedIt();
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private boolean isRegistered() {
        return world.store.list(Kinds.CSI_NODE, ListOptions.ALL).orThrow().items().stream()
                .anyMatch(node -> !node.spec().drivers().isEmpty());
    }

    private boolean isAttached() {
        return world.store.list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL).orThrow().items().stream()
                .anyMatch(attachment -> attachment.status().attached());
    }

    /** What the kubelet and the driver have left: the driver's own mount, the kubelet's, the link, and who is where. */
    private void kubeletHasMappedIt() {
        file(DISK);
        write(
                devices.resolve(volume).resolve("data"),
                "{\"driverName\":\"" + FakeDriver.NAME + "\",\"volumeHandle\":\"" + handle() + "\",\"specVolID\":\""
                        + volume + "\"}");
        bind(published());
        bind(held());
        Path link = world.root().resolve("pods").resolve(pod).resolve("volumeDevices/kubernetes.io~csi");
        within(link, place -> place.makeSymbolicLink(volume, "/dev/loop7").orThrow());
        within(staged(), place -> {});
        driver.staged.add(handle() + "@" + staged());
        driver.published.add(handle() + "@" + published());
        Pod found = world.store.get(Kinds.POD, DriverWorld.POD).orThrow();
        world.store
                .updateStatus(
                        Kinds.POD,
                        new Change<>(
                                found,
                                found.withStatus(found.status()
                                        .withContainerStatuses(
                                                List.of(new ContainerStatus("main", ContainerStatus.State.EMPTY))))))
                .orThrow();
    }

    private String handle() {
        return world.store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume)).orThrow().spec().source().stream()
                .map(source -> source.attributes().text("volumeHandle").orElseThrow())
                .findFirst()
                .orElseThrow();
    }

    private Path published() {
        return devices.resolve("publish").resolve(volume).resolve(pod);
    }

    private Path held() {
        return devices.resolve(volume).resolve("dev").resolve(pod);
    }

    private Path staged() {
        return devices.resolve("staging").resolve(volume);
    }

    private void within(Path directory, Consumer<PinnedPath> action) {
        try (PinnedPath place = world.host()
                .files()
                .openOrMake(directory, LinkRule.REFUSE, FileKind.DIRECTORY, 0755)
                .result()
                .orElseThrow()
                .path()) {
            action.accept(place);
        }
    }

    private void file(Path path) {
        within(
                path.getParent(),
                place -> place.writeFile(path.getFileName().toString(), new byte[0], 0600)
                        .orThrow());
    }

    private void write(Path directory, String data) {
        within(
                directory,
                place -> place.writeFile("vol_data.json", data.getBytes(StandardCharsets.UTF_8), 0644)
                        .orThrow());
    }

    private void bind(Path at) {
        file(at);
        try (PinnedPath source =
                world.host().files().open(DISK, LinkRule.REFUSE).result().orElseThrow()) {
            world.host().mounts().bind(source, at, BindOptions.PLAIN).orThrow();
        }
    }

    private boolean isThere(Path path) {
        Optional<PinnedPath> found = world.host()
                .files()
                .open(path, LinkRule.REFUSE)
                .ifFound()
                .result()
                .orElseThrow();
        found.ifPresent(PinnedPath::close);
        return found.isPresent();
    }

    private List<RecordPhase> phases() {
        return RecordLog.standing(world.records.replay()).values().stream()
                .map(RecordEntry::phase)
                .toList();
    }

    private List<String> undone() {
        return driver.called().stream()
                .filter(call -> call.startsWith("NodeUn"))
                .toList();
    }

    private List<String> unknown() {
        return world.messages().stream()
                .filter(text -> text.contains("left alone"))
                .toList();
    }

    private void removePod() {
        world.store
                .delete(Kinds.POD, DriverWorld.POD, DeleteOptions.ofUid(pod).withGracePeriodSeconds(0))
                .orThrow();
    }

    /** The driver's mounts are its own: it takes them away when it is told. */
    private void driverUnmountsWhatItMounted() {
        driver.mounts = Optional.of(new MountingDriver(world.host(), DISK));
    }

    @Test
    void thatOfAPodThatRunsStaysUntilThePodGoesAndIsThenUndoneWhereItWas() {
        driverUnmountsWhatItMounted();
        world.startNode();
        assertThat(phases()).containsExactlyInAnyOrder(RecordPhase.DONE, RecordPhase.DONE);
        world.settleNode();
        assertThat(undone()).isEmpty();
        assertThat(driver.called()).doesNotContain("NodePublishVolume", "NodeStageVolume");
        assertThat(unknown()).isEmpty();

        removePod();
        world.await("nothing on the node", () -> driver.staged.isEmpty() && phases().isEmpty());
        assertThat(undone()).containsExactly("NodeUnpublishVolume", "NodeUnstageVolume");
        assertThat(driver.request(NodeUnpublishVolumeRequest.class).getTargetPath())
                .isEqualTo(published().toString());
        assertThat(driver.request(NodeUnstageVolumeRequest.class).getStagingTargetPath())
                .isEqualTo(staged().toString());
        assertThat(List.of(published(), held(), staged(), devices.resolve(volume)))
                .noneMatch(this::isThere);
    }

    @Test
    void thatOfAPodThatIsGoneIsUndone() {
        driverUnmountsWhatItMounted();
        removePod();
        world.startNode();
        world.await("nothing on the node", () -> driver.staged.isEmpty() && phases().isEmpty());
        assertThat(undone()).containsExactly("NodeUnpublishVolume", "NodeUnstageVolume");
        assertThat(unknown()).isEmpty();
    }

    @Test
    void oneWhoseObjectsAreGoneIsKnownByTheNoteOfTheKubelet() {
        driverUnmountsWhatItMounted();
        removePod();
        world.store
                .delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume), DeleteOptions.DEFAULT)
                .orThrow();
        world.startNode();
        world.await("nothing on the node", () -> driver.staged.isEmpty() && phases().isEmpty());
        assertThat(driver.request(NodeUnpublishVolumeRequest.class).getTargetPath())
                .isEqualTo(published().toString());
        assertThat(driver.request(NodeUnstageVolumeRequest.class).getStagingTargetPath())
                .isEqualTo(staged().toString());
    }

    @Test
    void oneThatTheNoteCallsAnotherVolumeIsLeftAloneAndTold() {
        write(
                devices.resolve(volume).resolve("data"),
                "{\"driverName\":\"" + FakeDriver.NAME + "\",\"volumeHandle\":\"another\"}");
        world.startNode();
        world.await("an event", () -> unknown().stream().anyMatch(text -> text.contains("it is kubernetes.io/csi")));
        assertThat(undone()).isEmpty();
    }

    @Test
    void whatTheDriverMountedAndNoPodHoldsIsLeftAloneAndTold() {
        driverUnmountsWhatItMounted();
        driver.mounts.orElseThrow().hide(held().toString());
        world.startNode();
        world.await(
                "an event",
                () -> unknown().stream()
                        .anyMatch(text -> text.contains(published().toString())));
    }
}
