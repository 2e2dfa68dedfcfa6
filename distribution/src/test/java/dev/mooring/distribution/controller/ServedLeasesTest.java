// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Drivers that are served in place of their side-cars. */
class ServedLeasesTest {
    private static final String DRIVER = "disks.csi.example.com";
    private static final String ME = "mooring-controller_1";
    private static final List<String> NAMES = List.of(
            "disks-csi-example-com",
            "external-attacher-leader-disks-csi-example-com",
            "external-resizer-disks-csi-example-com",
            "external-snapshotter-leader-disks-csi-example-com");

    /** When objects are created. */
    private volatile Instant now = Instant.now();

    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), () -> now, IdSource.random(new Random(5))));
    private final List<Announcement> told = new CopyOnWriteArrayList<>();
    private final List<String> won = new CopyOnWriteArrayList<>();
    private final ServedLeases leases =
            new ServedLeases(store, Map.of(DRIVER, "drivers"), ME, told::add, InstantSource.system());

    @AfterEach
    void close() {
        leases.close();
        store.close();
    }

    private static void await(String what, BooleanSupplier condition) {
        for (int i = 0; i < 6000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    private Lease lease(String name) {
        return store.get(Kinds.LEASE, ObjectKey.of("drivers", name)).orThrow();
    }

    private void leads(String name, String holder) {
        LeaseSpec spec = LeaseSpec.EMPTY
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(Optional.of(15L))
                .withRenewTime(Optional.of(Instant.now().plusSeconds(3600)));
        store.create(Kinds.LEASE, new Lease(ObjectMeta.named("drivers", name), spec))
                .orThrow();
    }

    private void serve() {
        leases.start(won::add);
        await("the driver is served", () -> won.contains(DRIVER));
    }

    @Test
    void allLeasesAreTakenHeldAndGivenBack() {
        assertThat(leases.objection(DRIVER)).isPresent();
        serve();
        assertThat(leases.objection(DRIVER)).isEmpty();
        assertThat(store.list(Kinds.LEASE, ListOptions.ALL).orThrow().items())
                .extracting(lease -> lease.metadata().name())
                .containsExactlyElementsOf(NAMES);
        NAMES.forEach(name -> assertThat(lease(name).spec().holderIdentity()).isEqualTo(ME));

        leases.close();

        NAMES.forEach(name -> assertThat(lease(name).spec().holderIdentity()).isEmpty());
        assertThat(told).isEmpty();
    }

    @Test
    void whileCallsOfTheDriverAreInFlightTheLeasesAreNotGivenBack() {
        serve();
        leases.close(false);
        NAMES.forEach(name -> assertThat(lease(name).spec().holderIdentity()).isEqualTo(ME));
        assertThat(leases.objection(DRIVER)).isPresent();
    }

    @Test
    void whileASideCarLeadsNothingIsChangedAndItsLeaseAndHolderAreNamed() {
        leads(NAMES.get(2), "resizer-0");
        leases.start(won::add);
        await(
                "the first Lease",
                () -> store.get(Kinds.LEASE, ObjectKey.of("drivers", NAMES.get(0)))
                        .value()
                        .isPresent());
        assertThat(leases.objection(DRIVER).orElse(""))
                .contains("Lease drivers/" + NAMES.get(2) + " is held by resizer-0")
                .contains("Remove the side-car");
        assertThat(won).isEmpty();
    }

    @Test
    void otherPluginsAreNotConcerned() {
        assertThat(leases.objection("kubernetes.io/host-path")).isEmpty();
    }

    @Test
    void oneThatTakesALeaseAwayEndsItWithAWarning() {
        serve();
        await("a Lease that is taken, though it may be renewed meanwhile", () -> {
            Lease mine = lease(NAMES.get(1));
            LeaseSpec taken = mine.spec().withHolderIdentity("attacher-0").withRenewTime(Optional.of(Instant.now()));
            return store.update(Kinds.LEASE, new Change<>(mine, mine.withSpec(taken)))
                    .value()
                    .isPresent();
        });
        await("a warning", () -> !told.isEmpty());
        assertThat(leases.objection(DRIVER).orElse("")).contains("attacher-0");
        assertThat(told).allSatisfy(each -> {
            assertThat(each.reason()).isEqualTo("SidecarAtWork");
            assertThat(each.warning()).isTrue();
            assertThat(each.message()).contains(DRIVER).contains("attacher-0");
        });
    }

    @Test
    void aVolumeOfExternalProvisionerThatIsNewEndsItWithAWarning() {
        now = Instant.now().minusSeconds(3600);
        createVolume("old", DRIVER);
        try (ControlPlane plane = watching()) {
            serve();
            now = Instant.now().plusSeconds(3600);
            createVolume("other", "other.csi.example.com");
            plane.whenQuiescent().join();
            assertThat(leases.objection(DRIVER)).isEmpty();
            createVolume("new", DRIVER);
            await("an objection", () -> leases.objection(DRIVER).isPresent());
        }
        assertThat(leases.objection(DRIVER).orElse(""))
                .contains("PersistentVolume new")
                .contains("1-2-disks");
        await("a warning, which comes after it", () -> !told.isEmpty());
        assertThat(told)
                .singleElement()
                .satisfies(each -> assertThat(each.message()).contains("external-provisioner"));
    }

    @Test
    void anAttachmentThatExternalAttacherHasTakenEndsItWithAWarning() {
        try (ControlPlane plane = watching()) {
            serve();
            now = Instant.now().plusSeconds(3600);
            VolumeAttachmentSpec spec = VolumeAttachmentSpec.EMPTY
                    .withAttacher(DRIVER)
                    .withNodeName("n1")
                    .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("v")));
            ObjectMeta metadata =
                    ObjectMeta.named("a").withFinalizer(Finalizers.EXTERNAL_ATTACHER + "disks-csi-example-com");
            store.create(Kinds.VOLUME_ATTACHMENT, new VolumeAttachment(metadata, spec, VolumeAttachmentStatus.EMPTY))
                    .orThrow();
            await("an objection", () -> leases.objection(DRIVER).isPresent());
            assertThat(plane.failure()).isEmpty();
        }
        assertThat(leases.objection(DRIVER).orElse("")).contains("external-attacher");
    }

    private ControlPlane watching() {
        return ControlPlane.builder(store)
                .controllers(List.of(new OtherWriters(leases)))
                .start();
    }

    private void createVolume(String name, String driver) {
        VolumeSource source = new VolumeSource(
                "csi",
                Document.of(Map.of(
                        "driver",
                        driver,
                        "volumeHandle",
                        name,
                        "volumeAttributes",
                        Map.of("storage.kubernetes.io/csiProvisionerIdentity", "1-2-disks"))));
        store.create(
                        Kinds.PERSISTENT_VOLUME,
                        PersistentVolume.of(
                                name,
                                PersistentVolumeSpec.EMPTY
                                        .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                                        .withSource(Optional.of(source))))
                .orThrow();
    }
}
