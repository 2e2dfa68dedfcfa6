// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverServer;
import dev.mooring.csi.registration.InfoRequest;
import dev.mooring.csi.registration.PluginInfo;
import dev.mooring.csi.registration.RegistrationGrpc;
import dev.mooring.csi.registration.RegistrationStatus;
import dev.mooring.csi.registration.RegistrationStatusResponse;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers whose registration sockets come and go while the node runs (semantics/csi §4). */
class DriverRegistrationTest {
    @TempDir
    private Path temp;

    private final CsiTransport transport = CsiTransport.start(1);
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final List<RegistrationStatus> told = new CopyOnWriteArrayList<>();
    private volatile String type = "CSIPlugin";
    /** How often the registrar does not take what it is told. */
    private final AtomicInteger deaf = new AtomicInteger();

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = new DriverWorld(temp.resolve("root"), Map.of());
        world.await("the directory", () -> registry().toFile().isDirectory());
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
        transport.close();
        executor.shutdownNow();
    }

    private Path registry() {
        return world.root().resolve("plugins_registry");
    }

    private DriverServer registrar(String socket, String name, String endpoint, String version) throws Exception {
        RegistrationGrpc.RegistrationImplBase service = new RegistrationGrpc.RegistrationImplBase() {
            @Override
            public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
                observer.onNext(PluginInfo.newBuilder()
                        .setType(type)
                        .setName(name)
                        .setEndpoint(endpoint)
                        .addSupportedVersions(version)
                        .build());
                observer.onCompleted();
            }

            @Override
            public void notifyRegistrationStatus(
                    RegistrationStatus request, StreamObserver<RegistrationStatusResponse> observer) {
                told.add(request);
                if (deaf.getAndDecrement() > 0) {
                    observer.onError(Status.UNAVAILABLE.asRuntimeException());
                    return;
                }
                observer.onNext(RegistrationStatusResponse.getDefaultInstance());
                observer.onCompleted();
            }
        };
        return transport.serve(
                new CsiEndpoint(registry().resolve(socket)),
                PosixFilePermissions.fromString("rw-------"),
                List.of(service),
                executor);
    }

    private boolean isNamed() {
        return world.store
                .get(Kinds.CSI_NODE, ObjectKey.cluster(DriverWorld.NODE))
                .value()
                .filter(node -> !node.spec().drivers().isEmpty())
                .isPresent();
    }

    @Test
    void aDriverRegistersBySocketAndAgainAfterItsRestart() throws Exception {
        DriverServer first = registrar("a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        world.await("a registration", () -> told.size() == 1);
        assertThat(isNamed()).isTrue();

        first.close();
        registrar("a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        world.await("another registration", () -> told.size() == 2);
        assertThat(told).allMatch(RegistrationStatus::getPluginRegistered);
    }

    /** The next try may be minutes away. */
    @Test
    void aThreadOfATryEndsWithIt() throws Exception {
        registrar("a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        world.await("a registration", () -> told.size() == 1);
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("mooring-csi-registration")) {
                each.join(60_000);
                assertThat(each.isAlive()).isFalse();
            }
        }
    }

    @Test
    void howManyVolumesTheNodeTakesIsAskedAgainIfTheCsiDriverWantsIt() throws Exception {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY.withNodeAllocatableUpdatePeriodSeconds(Optional.of(10L))))
                .orThrow();
        try (DriverServer registrar = registrar("fake-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0")) {
            assertThat(registrar).isNotNull();
            world.await("a count of 9", () -> counts().equals(List.of(9L)));

            driver.mostVolumes = 5;

            world.await("a count of 5", () -> counts().equals(List.of(5L)));
        }
    }

    private void createCsiDriver(long seconds) {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY
                                        .withVolumeLifecycleModes(List.of("Persistent", "Ephemeral"))
                                        .withNodeAllocatableUpdatePeriodSeconds(Optional.of(seconds))))
                .orThrow();
    }

    @Test
    void howManyVolumesTheNodeTakesIsAskedAtOnceIfAnAttachmentHasNoRoom() throws Exception {
        createCsiDriver(3600);
        registrar("fake-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        awaitSecondLook();
        driver.mostVolumes = 5;

        createFullAttachment("elsewhere", "other");
        world.settleNode();
        assertThat(counts()).containsExactly(9L);
        createFullAttachment("here", DriverWorld.NODE);

        world.await("a count of 5", () -> counts().equals(List.of(5L)));
    }

    /** It is asked when it registers, and once more for the period of its CSIDriver. */
    private void awaitSecondLook() {
        world.await("a second look", () -> Collections.frequency(driver.all(), "NodeGetInfo") == 2);
        assertThat(counts()).containsExactly(9L);
    }

    private void createFullAttachment(String name, String node) {
        VolumeAttachmentSpec spec = VolumeAttachmentSpec.EMPTY
                .withAttacher(FakeDriver.NAME)
                .withNodeName(node)
                .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of("v-" + name)));
        VolumeAttachment made = world.store
                .create(
                        Kinds.VOLUME_ATTACHMENT,
                        new VolumeAttachment(ObjectMeta.named(name), spec, VolumeAttachmentStatus.EMPTY))
                .orThrow();
        VolumeError error = new VolumeError(Optional.of(Instant.EPOCH), "no room", Optional.of(8L));
        world.store
                .updateStatus(
                        Kinds.VOLUME_ATTACHMENT,
                        new Change<>(made, made.withStatus(made.status().withAttachError(Optional.of(error)))))
                .orThrow();
    }

    @Test
    void howManyVolumesTheNodeTakesIsAskedAtOnceIfTheNodeHasNoRoom() throws Exception {
        createCsiDriver(3600);
        registrar("fake-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        awaitSecondLook();
        driver.mostVolumes = 5;
        driver.fail("NodePublishVolume", Status.Code.RESOURCE_EXHAUSTED);
        world.createPod(new VolumeSource("csi", Document.of(Map.of("driver", FakeDriver.NAME))), spec -> spec);

        world.await("a count of 5", () -> counts().equals(List.of(5L)));
    }

    @Test
    void aDriverThatDoesNotComeBackIsLookedAfterThoughNoneRegisters() {
        world.stopNode();
        assertThat(world.hostsAsked()).isZero();
        CSINodeDriver gone = new CSINodeDriver("gone.csi.example.com", "n1", List.of(), Optional.empty());
        CSINode node = new CSINode(ObjectMeta.named(DriverWorld.NODE), new CSINodeSpec(List.of(gone)));
        world.store.create(Kinds.CSI_NODE, node).orThrow();

        world.startNode();

        world.await("the registration of drivers", () -> world.hostsAsked() == 1);
    }

    @Test
    void aRegistrarOfAnotherKindOfPluginIsToldThatNoHandlerIsThere() throws Exception {
        type = "DevicePlugin";
        registrar("gpu-reg.sock", "gpu.example.com", "", "1.0.0");
        world.await("an answer", () -> told.size() == 1);
        assertThat(told.get(0).getError()).contains("no handler registered for plugin type: DevicePlugin");
        assertThat(isNamed()).isFalse();
    }

    @Test
    void aDriverThatNamesNoEndpointIsCalledAtItsRegistrationSocket() throws Exception {
        registrar("a-reg.sock", FakeDriver.NAME, "", "1.0.0");
        // the socket serves registration only: what is asked there is CSI, and it says that it has none
        world.await("an answer", () -> told.size() == 1);
        assertThat(told.get(0).getPluginRegistered()).isFalse();
        assertThat(told.get(0).getError()).contains("csi.v1.Identity");
    }

    @Test
    void aRegistrarThatDoesNotTakeTheNewsIsToldAgain() throws Exception {
        deaf.set(1);
        registrar("a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        world.await("two answers", () -> told.size() == 2);
        assertThat(told).allMatch(RegistrationStatus::getPluginRegistered);
        world.await("a driver", this::isNamed);
    }

    @Test
    void hiddenNamesAreNoSockets() throws Exception {
        registrar(".a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
        registrar("b-reg.sock", FakeDriver.NAME, driver.endpoint(), "0.3.0");
        world.await("an answer", () -> !told.isEmpty());
        assertThat(told)
                .singleElement()
                .satisfies(one -> assertThat(one.getPluginRegistered()).isFalse());
    }

    private List<Long> counts() {
        return world.store
                .get(Kinds.CSI_NODE, ObjectKey.cluster(DriverWorld.NODE))
                .value()
                .map(node -> node.spec().drivers().stream()
                        .flatMap(entry -> entry.allocatable().stream())
                        .flatMap(allocatable -> allocatable.count().stream())
                        .toList())
                .orElse(List.of());
    }

    @Test
    void aSecondDriverOfANameThatIsServedIsRefusedAndToldWhy() throws Exception {
        try (FakeDriver other = new FakeDriver(temp.resolve("other.sock"))) {
            registrar("a-reg.sock", FakeDriver.NAME, driver.endpoint(), "1.0.0");
            world.await("a registration", () -> told.size() == 1);
            registrar("b-reg.sock", FakeDriver.NAME, other.endpoint(), "1.0.0");
            world.await("an answer", () -> told.size() == 2);
        }
        assertThat(told).extracting(RegistrationStatus::getPluginRegistered).containsExactly(true, false);
        assertThat(told.get(1).getError()).contains("which answers");
    }

    @Test
    void aDriverThatCallsItselfOtherwiseOrSpeaksNoVersionOneIsRefused() throws Exception {
        registrar("a-reg.sock", "other.example.com", driver.endpoint(), "1.0.0");
        world.await("an answer", () -> told.size() == 1);
        registrar("b-reg.sock", FakeDriver.NAME, driver.endpoint(), "0.3.0");
        world.await("an answer", () -> told.size() == 2);
        assertThat(told).noneMatch(RegistrationStatus::getPluginRegistered);
        assertThat(told.get(0).getError()).contains("calls itself '" + FakeDriver.NAME + "'");
        assertThat(told.get(1).getError()).contains("update the driver");
        assertThat(isNamed()).isFalse();
    }
}
