// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.SnapshotPolicy;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentSource;
import dev.mooring.storage.model.VolumeSnapshotContentSpec;
import dev.mooring.storage.model.VolumeSnapshotSource;
import dev.mooring.storage.model.VolumeSnapshotSpec;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots in a cluster that has drivers with side-cars of their own, or a snapshot-controller. */
class SnapshotsBesideOthersTest {
    private static final ObjectKey SNAPSHOT = ObjectKey.of("default", "snap");
    private static final ObjectKey LEASE = ObjectKey.of("storage", "snapshot-controller-leader");

    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        driver.controller.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
        world.addOthers();
        world.createClass(Map.of());
        createClass("snaps", FakeDriver.NAME);
        world.createClaim("1Gi");
        world.await("a claim that is bound", () -> world.isBound("data"));
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    private void createClass(String name, String driverName) {
        VolumeSnapshotClass made =
                new VolumeSnapshotClass(ObjectMeta.named(name), driverName, Map.of(), SnapshotPolicy.DELETE);
        world.store.create(Kinds.VOLUME_SNAPSHOT_CLASS, made).orThrow();
    }

    private void createSnapshot(String className) {
        createSnapshot(className, "data");
    }

    private void createSnapshot(String className, String claim) {
        VolumeSnapshotSpec spec = new VolumeSnapshotSpec(
                new VolumeSnapshotSource(Optional.of(claim), Optional.empty()), Optional.of(className));
        world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT,
                        new VolumeSnapshot(
                                ObjectMeta.named(SNAPSHOT.namespace(), SNAPSHOT.name()), spec, Optional.empty()))
                .orThrow();
    }

    private VolumeSnapshot snapshot() {
        return world.store.get(Kinds.VOLUME_SNAPSHOT, SNAPSHOT).orThrow();
    }

    private boolean isReady() {
        return snapshot().status().flatMap(VolumeSnapshotStatus::readyToUse).orElse(false);
    }

    private void touchSnapshot() {
        VolumeSnapshot now = snapshot();
        world.store
                .update(
                        Kinds.VOLUME_SNAPSHOT,
                        new Change<>(now, now.withMetadata(now.metadata().withAnnotation("touched", "yes"))))
                .orThrow();
    }

    private void deleteSnapshot() {
        world.store
                .delete(Kinds.VOLUME_SNAPSHOT, SNAPSHOT, DeleteOptions.DEFAULT)
                .orThrow();
    }

    private void awaitNoSnapshot() {
        world.await("no snapshot", () -> world.store
                .get(Kinds.VOLUME_SNAPSHOT, SNAPSHOT)
                .value()
                .isEmpty());
    }

    private void lead(Instant renewed) {
        LeaseSpec spec = LeaseSpec.EMPTY
                .withHolderIdentity("snapshot-controller-0")
                .withLeaseDurationSeconds(Optional.of(15L))
                .withRenewTime(Optional.of(renewed));
        world.store
                .create(Kinds.LEASE, new Lease(ObjectMeta.named(LEASE.namespace(), LEASE.name()), spec))
                .orThrow();
    }

    @Test
    void oneOfADriverThatIsServedIsMadeAndGoes() {
        createSnapshot("snaps");
        world.await("a snapshot that is ready", this::isReady);
        assertThat(driver.snapshots).hasSize(1);
        deleteSnapshot();
        awaitNoSnapshot();
        assertThat(driver.snapshots).isEmpty();
        assertThat(world.claim("data").metadata().hasFinalizer(Finalizers.SNAPSHOT_SOURCE))
                .isFalse();
    }

    @Test
    void oneOfAnotherDriverIsNotTouched() {
        createClass("others", "other.csi.example.com");
        VolumeSnapshot before;
        createSnapshot("others");
        before = snapshot();
        world.settle();
        assertThat(snapshot()).isEqualTo(before);
        assertThat(world.messages()).noneMatch(text -> text.contains("snap"));
    }

    @Test
    void aContentOfAnotherDriverIsNotTouched() {
        VolumeSnapshotContent made = content("other.csi.example.com", "u-1");
        world.settle();
        assertThat(world.store
                        .get(Kinds.VOLUME_SNAPSHOT_CONTENT, ObjectKey.of(made))
                        .orThrow())
                .isEqualTo(made);
        assertThat(driver.called()).doesNotContain("CreateSnapshot");
    }

    @Test
    void oneThatNothingBelongsToAnyMoreGoes() {
        createSnapshot("gone", "gone");
        VolumeSnapshot now = snapshot();
        world.store
                .update(
                        Kinds.VOLUME_SNAPSHOT,
                        new Change<>(
                                now, now.withMetadata(now.metadata().withFinalizer(Finalizers.SNAPSHOT_BOUND))))
                .orThrow();
        deleteSnapshot();
        awaitNoSnapshot();
    }

    @Test
    void whileASnapshotControllerLeadsOnlyItsContentsAreServed() {
        lead(Instant.now().plusSeconds(3600));
        createSnapshot("snaps");
        VolumeSnapshot before = snapshot();
        world.settle();
        assertThat(snapshot()).isEqualTo(before);

        ObjectKey content =
                ObjectKey.of(content(FakeDriver.NAME, before.metadata().uid()));
        world.await("a content that is ready", () -> world.store
                .get(Kinds.VOLUME_SNAPSHOT_CONTENT, content)
                .orThrow()
                .status()
                .flatMap(status -> status.readyToUse())
                .orElse(false));
        assertThat(driver.snapshots).hasSize(1);
        assertThat(snapshot()).isEqualTo(before);
    }

    @Test
    void oneThatLedOnceKeepsNothing() {
        lead(Instant.now().minusSeconds(60));
        createSnapshot("snaps");
        world.await("a snapshot that is ready", this::isReady);
    }

    @Test
    void afterASnapshotControllerHasGoneItsWorkIsTakenUp() {
        lead(Instant.now().plusSeconds(3600));
        createSnapshot("snaps");
        world.settle();
        world.store.delete(Kinds.LEASE, LEASE, DeleteOptions.DEFAULT).orThrow();
        touchSnapshot();
        world.await("a snapshot that is ready", this::isReady);
    }

    private VolumeSnapshotContent content(String driverName, String uid) {
        ObjectReference reference = new ObjectReference(
                "VolumeSnapshot",
                SNAPSHOT.namespace(),
                SNAPSHOT.name(),
                uid,
                Kinds.VOLUME_SNAPSHOT.apiVersion(),
                "",
                "");
        String handle = driver.volumes.values().iterator().next().getVolumeId();
        return world.store
                .create(
                        Kinds.VOLUME_SNAPSHOT_CONTENT,
                        new VolumeSnapshotContent(
                                ObjectMeta.named("snapcontent-" + uid),
                                new VolumeSnapshotContentSpec(
                                        reference,
                                        SnapshotPolicy.DELETE,
                                        driverName,
                                        Optional.of("snaps"),
                                        new VolumeSnapshotContentSource(Optional.of(handle), Optional.empty()),
                                        Optional.of("Filesystem")),
                                Optional.empty()))
                .orThrow();
    }
}
