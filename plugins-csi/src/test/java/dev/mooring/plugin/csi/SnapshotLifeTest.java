// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateSnapshotRequest;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.DeleteSnapshotRequest;
import dev.mooring.csi.v1.ListSnapshotsRequest;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.model.SnapshotPolicy;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentSource;
import dev.mooring.storage.model.VolumeSnapshotContentSpec;
import dev.mooring.storage.model.VolumeSnapshotError;
import dev.mooring.storage.model.VolumeSnapshotSource;
import dev.mooring.storage.model.VolumeSnapshotSpec;
import dev.mooring.storage.model.VolumeSnapshotStatus;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots of a driver that is another program, from the class to nothing left. */
@Tag("long")
class SnapshotLifeTest {
    private static final String DEFAULT_CLASS = "snapshot.storage.kubernetes.io/is-default-class";

    private static final String BEING_CREATED = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        driver.controller.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS);
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
        world.createClass(Map.of());
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private void createClass(SnapshotPolicy policy, Map<String, String> parameters) {
        world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT_CLASS,
                        new VolumeSnapshotClass(
                                ObjectMeta.named("snaps").withAnnotation(DEFAULT_CLASS, "true"),
                                FakeDriver.NAME,
                                parameters,
                                policy))
                .orThrow();
    }

    private void createSnapshot(VolumeSnapshotSource source) {
        world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT,
                        new VolumeSnapshot(
                                ObjectMeta.named("default", "snap"),
                                new VolumeSnapshotSpec(source, Optional.empty()),
                                Optional.empty()))
                .orThrow();
    }

    private void createSnapshot() {
        createSnapshot(new VolumeSnapshotSource(Optional.of("data"), Optional.empty()));
    }

    private void restore(String size) {
        world.createClaim(
                "restored",
                size,
                Optional.of(new TypedObjectReference("snapshot.storage.k8s.io", "VolumeSnapshot", "snap", "")));
    }

    private VolumeSnapshot snapshot() {
        return world.store
                .get(Kinds.VOLUME_SNAPSHOT, ObjectKey.of("default", "snap"))
                .orThrow();
    }

    private VolumeSnapshotStatus status() {
        return snapshot().status().orElse(VolumeSnapshotStatus.EMPTY);
    }

    private void awaitReady() {
        world.await("a snapshot that is ready", () -> status().readyToUse().orElse(false));
    }

    private <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return world.store.list(kind, ListOptions.ALL).orThrow().items();
    }

    private void deleteSnapshot() {
        world.store
                .delete(Kinds.VOLUME_SNAPSHOT, ObjectKey.of("default", "snap"), DeleteOptions.DEFAULT)
                .orThrow();
    }

    private boolean said(String words) {
        return world.messages().stream().anyMatch(message -> message.contains(words));
    }

    private boolean hasError(String words) {
        return status().error()
                .flatMap(VolumeSnapshotError::message)
                .filter(message -> message.contains(words))
                .isPresent();
    }

    private void createBoundClaim() {
        world.createClaim("1Gi");
        world.await("a bound claim", () -> world.isBound("data"));
    }

    @Test
    void aSnapshotIsMadeShownRestoredAndLeavesNothing() {
        createClass(SnapshotPolicy.DELETE, Map.of("kind", "thin"));
        world.createClaim("1Gi");
        createSnapshot();
        awaitReady();

        CreateSnapshotRequest create = driver.request(CreateSnapshotRequest.class);
        assertThat(create.getName())
                .isEqualTo("snapshot-" + snapshot().metadata().uid());
        assertThat(create.getSourceVolumeId())
                .isEqualTo("handle-pvc-" + world.claim().metadata().uid());
        assertThat(create.getParametersMap()).containsOnly(Map.entry("kind", "thin"));
        String contentName = "snapcontent-" + snapshot().metadata().uid();
        assertThat(status())
                .isEqualTo(new VolumeSnapshotStatus(
                        Optional.of(contentName),
                        Optional.of(Instant.ofEpochSecond(1_000_000_000)),
                        Optional.of(true),
                        Optional.of(Quantity.parse("1Gi")),
                        Optional.empty()));
        assertThat(snapshot().spec().volumeSnapshotClassName()).contains("snaps");
        assertThat(snapshot().metadata().finalizers())
                .contains(Finalizers.SNAPSHOT_AS_SOURCE, Finalizers.SNAPSHOT_BOUND);
        VolumeSnapshotContent content = world.store
                .get(Kinds.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(contentName))
                .orThrow();
        assertThat(content.status().orElseThrow().snapshotHandle()).contains("handle-" + create.getName());
        assertThat(content.spec().sourceVolumeMode()).contains("Filesystem");
        world.await(
                "a source that is no longer kept",
                () -> !world.claim().metadata().hasFinalizer(Finalizers.SNAPSHOT_SOURCE));
        world.await("news", () -> said("is ready to use."));

        restore("2Gi");
        world.await("a bound claim", () -> world.isBound("restored"));
        assertThat(driver.request(CreateVolumeRequest.class)
                        .getVolumeContentSource()
                        .getSnapshot()
                        .getSnapshotId())
                .isEqualTo("handle-" + create.getName());

        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).isEmpty();
        assertThat(driver.snapshots).isEmpty();
        assertThat(driver.volumes).hasSize(2);
    }

    @Test
    void theSnapshotOfAContentThatIsRetainedStays() {
        createClass(SnapshotPolicy.RETAIN, Map.of());
        world.createClaim("1Gi");
        createSnapshot();
        awaitReady();
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).hasSize(1);
        assertThat(driver.snapshots).hasSize(1);
    }

    @Test
    void oneThatIsNotReadyIsAskedForAgain() {
        driver.unready = 2;
        createClass(SnapshotPolicy.DELETE, Map.of());
        world.createClaim("1Gi");
        createSnapshot();
        awaitReady();
        assertThat(driver.snapshots).hasSize(1);
        assertThat(driver.called().stream().filter("CreateSnapshot"::equals)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"CreateSnapshot, true", "CreateSnapshot, false", "DeleteSnapshot, true", "DeleteSnapshot, false"})
    void aLostAnswerLeavesNothing(String call, boolean acted) {
        createClass(SnapshotPolicy.DELETE, Map.of());
        world.createClaim("1Gi");
        if (acted) {
            driver.actAndFail(call, Status.Code.UNAVAILABLE);
        } else {
            driver.fail(call, Status.Code.UNAVAILABLE);
        }
        createSnapshot();
        awaitReady();
        assertThat(driver.snapshots).hasSize(1);
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(driver.snapshots).isEmpty();
    }

    @Test
    void oneThatIsDeletedWhileItIsUncertainLeavesNothing() {
        createClass(SnapshotPolicy.DELETE, Map.of());
        createBoundClaim();
        driver.actAndFail("CreateSnapshot", Status.Code.DEADLINE_EXCEEDED);
        driver.fail("CreateSnapshot", Status.Code.DEADLINE_EXCEEDED);
        createSnapshot();
        world.await("a told failure", () -> hasError("failed to take snapshot of the volume"));
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).isEmpty();
        assertThat(driver.snapshots).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "RESOURCE_EXHAUSTED, false",
        "FAILED_PRECONDITION, false",
        "UNIMPLEMENTED, false",
        "INVALID_ARGUMENT, true"
    })
    void aRefusalProvesNothingOfACallWhoseAnswerWasLost(Status.Code refusal, boolean restarted) {
        createClass(SnapshotPolicy.DELETE, Map.of());
        createBoundClaim();
        driver.actAndFail("CreateSnapshot", Status.Code.DEADLINE_EXCEEDED);
        driver.fail("CreateSnapshot", refusal);
        driver.fail("CreateSnapshot", refusal);
        createSnapshot();
        world.await("a told failure", () -> hasError("failed to take snapshot of the volume"));
        if (restarted) {
            world.restartControllers();
        }
        deleteSnapshot();
        world.await("a told doubt", () -> said("It is unknown whether a snapshot was made for snapcontent-"));
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).isEmpty();
        assertThat(driver.snapshots).isEmpty();
    }

    @Test
    void oneThatWasAlwaysRefusedGoesWithoutAWord() {
        createClass(SnapshotPolicy.DELETE, Map.of());
        createBoundClaim();
        for (int i = 0; i < 9; i++) {
            driver.fail("CreateSnapshot", Status.Code.INVALID_ARGUMENT);
        }
        createSnapshot();
        world.await("a told failure", () -> hasError("failed to take snapshot of the volume"));
        world.await(
                "no mark",
                () -> all(Kinds.VOLUME_SNAPSHOT_CONTENT).stream()
                        .noneMatch(content ->
                                content.metadata().annotation(BEING_CREATED).isPresent()));
        world.restartControllers();
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).isEmpty();
        assertThat(said("It is unknown")).isFalse();
    }

    /** A snapshot whose creation failed in such a way that the class is gone before it is tried again. */
    private void createSnapshotAndLoseTheClass(Runnable failure) {
        createClass(SnapshotPolicy.DELETE, Map.of());
        createBoundClaim();
        failure.run();
        createSnapshot();
        world.await("a told failure", () -> hasError("failed to take snapshot of the volume"));
        world.store
                .delete(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("snaps"), DeleteOptions.DEFAULT)
                .orThrow();
    }

    @Test
    void aContentThatIsInDoubtWaitsForItsClassAndLeavesNothing() {
        createSnapshotAndLoseTheClass(() -> driver.actAndFail("CreateSnapshot", Status.Code.DEADLINE_EXCEEDED));
        deleteSnapshot();
        world.await(
                "a told doubt",
                () -> said("volumesnapshotclass.snapshot.storage.k8s.io \"snaps\" not found. The content stays until"));
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).hasSize(1);
        createClass(SnapshotPolicy.DELETE, Map.of());
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(all(Kinds.VOLUME_SNAPSHOT_CONTENT)).isEmpty();
        assertThat(driver.snapshots).isEmpty();
    }

    @Test
    void aContentThatWaitsForItsClassIsMadeWhenThatComes() {
        createSnapshotAndLoseTheClass(() -> driver.fail("CreateSnapshot", Status.Code.RESOURCE_EXHAUSTED));
        world.await(
                "a told failure", () -> hasError("volumesnapshotclass.snapshot.storage.k8s.io \"snaps\" not found"));
        createClass(SnapshotPolicy.DELETE, Map.of());
        awaitReady();
    }

    @Test
    void itWaitsForClassAndClaimAndSaysSo() {
        createSnapshot();
        world.await(
                "a told failure",
                () -> said("Failed to create snapshot content with error failed to get input parameters to create"
                        + " snapshot snap: \"failed to retrieve PVC data from the lister"));
        world.createClaim("1Gi");
        world.await(
                "a told failure",
                () -> said("Failed to set default snapshot class with error cannot find default snapshot class"));
        assertThat(status().readyToUse()).contains(false);
        createClass(SnapshotPolicy.DELETE, Map.of());
        awaitReady();
        assertThat(status().error()).isEmpty();
    }

    @Test
    void aClaimWaitsForItsSnapshotAndIsTooSmallForIt() {
        restore("1Mi");
        world.await(
                "a told failure",
                () -> said(
                        "error getting handle for DataSource Type VolumeSnapshot by Name snap: error getting snapshot"
                                + " snap from api server"));
        createClass(SnapshotPolicy.DELETE, Map.of());
        world.createClaim("1Gi");
        createSnapshot();
        world.await(
                "a told failure",
                () -> said(
                        "requested volume size 1048576 is less than the size 1073741824 for the source snapshot snap"));
        deleteSnapshot();
        world.await(
                "a reason why the snapshot stays", () -> snapshot().metadata().isDeleting());
        world.store
                .delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "restored"), DeleteOptions.DEFAULT)
                .orThrow();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(driver.volumes).hasSize(1);
    }

    @Test
    void aSnapshotThatExistsIsFoundBoundAndDestroyed() {
        driver.snapshots.put(
                "theirs",
                Snapshot.newBuilder().setSnapshotId("theirs").setSizeBytes(7).build());
        ObjectReference reference = new ObjectReference("VolumeSnapshot", "default", "snap", "", "", "", "");
        world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT_CONTENT,
                        new VolumeSnapshotContent(
                                ObjectMeta.named("existing"),
                                new VolumeSnapshotContentSpec(
                                        reference,
                                        SnapshotPolicy.DELETE,
                                        FakeDriver.NAME,
                                        Optional.empty(),
                                        new VolumeSnapshotContentSource(Optional.empty(), Optional.of("theirs")),
                                        Optional.empty()),
                                Optional.empty()))
                .orThrow();
        createSnapshot(new VolumeSnapshotSource(Optional.empty(), Optional.of("existing")));
        awaitReady();
        assertThat(status().restoreSize()).contains(Quantity.ofBytes(7));
        assertThat(driver.called()).doesNotContain("CreateSnapshot");
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(driver.snapshots).isEmpty();
    }

    @Test
    void theSecretOfTheClassIsGivenAtBothEnds() {
        world.store
                .create(
                        Kinds.SECRET,
                        new Secret(
                                ObjectMeta.named("default", "login-snap"),
                                "Opaque",
                                Map.of("password", new HiddenText("cGxhbnRlZC1zZWNyZXQ=")),
                                Optional.empty()))
                .orThrow();
        createClass(
                SnapshotPolicy.DELETE,
                Map.of(
                        "csi.storage.k8s.io/snapshotter-secret-name", "login-${volumesnapshot.name}",
                        "csi.storage.k8s.io/snapshotter-secret-namespace", "${volumesnapshot.namespace}"));
        world.createClaim("1Gi");
        createSnapshot();
        awaitReady();
        assertThat(driver.request(CreateSnapshotRequest.class).getSecretsMap())
                .containsEntry("password", "planted-secret");
        assertThat(driver.request(CreateSnapshotRequest.class).getParametersMap())
                .isEmpty();
        deleteSnapshot();
        world.await("no snapshot", () -> all(Kinds.VOLUME_SNAPSHOT).isEmpty());
        assertThat(driver.request(DeleteSnapshotRequest.class).getSecretsMap())
                .containsEntry("password", "planted-secret");
    }

    @Test
    void oneThatExistsIsLookedForWithTheSecretOfItsClassForListing() {
        world.store
                .create(
                        Kinds.SECRET,
                        new Secret(
                                ObjectMeta.named("storage", "look-existing"),
                                "Opaque",
                                Map.of("password", new HiddenText("cGxhbnRlZC1zZWNyZXQ=")),
                                Optional.empty()))
                .orThrow();
        createClass(
                SnapshotPolicy.RETAIN,
                Map.of(
                        "csi.storage.k8s.io/snapshotter-list-secret-name", "look-${volumesnapshotcontent.name}",
                        "csi.storage.k8s.io/snapshotter-list-secret-namespace", "storage"));
        driver.snapshots.put(
                "theirs",
                Snapshot.newBuilder().setSnapshotId("theirs").setSizeBytes(7).build());
        ObjectReference reference = new ObjectReference("VolumeSnapshot", "default", "snap", "", "", "", "");
        world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT_CONTENT,
                        new VolumeSnapshotContent(
                                ObjectMeta.named("existing"),
                                new VolumeSnapshotContentSpec(
                                        reference,
                                        SnapshotPolicy.RETAIN,
                                        FakeDriver.NAME,
                                        Optional.of("snaps"),
                                        new VolumeSnapshotContentSource(Optional.empty(), Optional.of("theirs")),
                                        Optional.empty()),
                                Optional.empty()))
                .orThrow();
        createSnapshot(new VolumeSnapshotSource(Optional.empty(), Optional.of("existing")));
        awaitReady();
        assertThat(driver.request(ListSnapshotsRequest.class).getSecretsMap())
                .containsEntry("password", "planted-secret");
    }
}
