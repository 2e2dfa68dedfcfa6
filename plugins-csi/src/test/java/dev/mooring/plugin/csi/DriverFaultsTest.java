// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Secret;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ListOptions;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever call fails, with or without its effect, the life of a volume ends with nothing left. */
@Tag("long")
class DriverFaultsTest {
    private static final List<String> CALLS = List.of(
            "CreateVolume",
            "ControllerPublishVolume",
            "NodeStageVolume",
            "NodePublishVolume",
            "NodeUnpublishVolume",
            "NodeUnstageVolume",
            "ControllerUnpublishVolume",
            "DeleteVolume");
    private static final List<Status.Code> CODES =
            List.of(Status.Code.UNAVAILABLE, Status.Code.INTERNAL, Status.Code.ABORTED, Status.Code.DEADLINE_EXCEEDED);

    /** {@code planted-secret}. */
    private static final String SECRET_IN_BASE64 = "cGxhbnRlZC1zZWNyZXQ=";

    @TempDir
    private Path temp;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void threeFaultsLeaveNothingBehind(int seed) throws Exception {
        Random random = new Random(seed);
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            for (int i = 0; i < 3; i++) {
                String call = CALLS.get(random.nextInt(CALLS.size()));
                Status.Code code = CODES.get(random.nextInt(CODES.size()));
                if (random.nextBoolean()) {
                    driver.actAndFail(call, code);
                } else {
                    driver.fail(call, code);
                }
            }
            world.createClass(Map.of());
            world.createClaim("1Gi");
            world.createPod();
            world.await("a running pod", world::podRuns);
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
    }

    @Test
    void aSecretThatTheDriverQuotesIsNowhere() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            createSecret(world);
            driver.words = "login with planted-secret failed";
            CALLS.forEach(call -> driver.fail(call, Status.Code.INVALID_ARGUMENT));
            world.createClass(Map.of(
                    "csi.storage.k8s.io/secret-name", "login", "csi.storage.k8s.io/secret-namespace", "default"));
            world.createClaim("1Gi");
            world.await(
                    "a told failure",
                    () -> world.messages().stream().anyMatch(message -> message.contains("***stripped***")));
            assertThat(world.messages()).noneMatch(message -> message.contains("planted"));
        }
    }

    private static void createSecret(DriverWorld world) {
        world.store
                .create(
                        Kinds.SECRET,
                        new Secret(
                                ObjectMeta.named("default", "login"),
                                "Opaque",
                                Map.of("password", new HiddenText(SECRET_IN_BASE64)),
                                Optional.empty()))
                .orThrow();
    }

    @Test
    void aVolumeThatNamesNoSecretIsDestroyedWithThatOfItsClass() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            createSecret(world);
            world.createClass(Map.of(
                    "csi.storage.k8s.io/provisioner-secret-name",
                    "login",
                    "csi.storage.k8s.io/provisioner-secret-namespace",
                    "${pvc.namespace}"));
            world.createClaim("1Gi");
            world.await("a bound claim", () -> world.claim().status().phase() == ClaimPhase.BOUND);
            PersistentVolume volume = world.store
                    .get(
                            Kinds.PERSISTENT_VOLUME,
                            ObjectKey.cluster(world.claim().spec().volumeName()))
                    .orThrow();
            ObjectMeta unsaid = volume.metadata()
                    .withoutAnnotation("volume.kubernetes.io/provisioner-deletion-secret-name")
                    .withoutAnnotation("volume.kubernetes.io/provisioner-deletion-secret-namespace");
            assertThat(unsaid).isNotEqualTo(volume.metadata());
            world.store
                    .update(Kinds.PERSISTENT_VOLUME, new Change<>(volume, volume.withMetadata(unsaid)))
                    .orThrow();

            world.deleteClaim();
            world.await("nothing in the driver", driver::isEmpty);

            assertThat(driver.request(DeleteVolumeRequest.class).getSecretsMap())
                    .containsOnly(Map.entry("password", "planted-secret"));
        }
    }

    @Test
    void aDriverWithoutStageOrPublishIsCalledForNeither() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"))) {
            driver.node.remove(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
            driver.controller.remove(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
            try (DriverWorld world =
                    new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
                world.createClass(Map.of());
                world.createClaim("1Gi");
                world.createPod();
                world.await("a running pod", world::podRuns);
                world.deletePod();
                world.await("the pod's end", world::podIsGone);
                world.deleteClaim();
                world.await("nothing in the driver", driver::isEmpty);
            }
            assertThat(driver.called())
                    .containsExactly("CreateVolume", "NodePublishVolume", "NodeUnpublishVolume", "DeleteVolume");
        }
    }

    @Test
    void aNodeThatStartsAgainStagesNothingTwice() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            world.createClass(Map.of());
            world.createClaim("1Gi");
            world.createPod();
            world.await("a running pod", world::podRuns);
            world.stopNode();
            world.startNode();
            world.deletePod();
            world.await("the pod's end", world::podIsGone);
            world.deleteClaim();
            world.await("nothing in the driver", driver::isEmpty);
            assertThat(driver.called().stream().filter("NodeStageVolume"::equals))
                    .hasSize(1);
        }
    }

    @Test
    void aClaimThatIsDeletedWhileItsVolumeIsUncertainLeaksNothing() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            driver.actAndFail("CreateVolume", Status.Code.DEADLINE_EXCEEDED);
            driver.fail("CreateVolume", Status.Code.UNAVAILABLE);
            world.createClass(Map.of());
            world.createClaim("1Gi");
            world.await("a call", () -> driver.called().contains("CreateVolume"));
            world.deleteClaim();
            world.await("nothing in the driver", driver::isEmpty);
            assertThat(driver.called()).contains("DeleteVolume");
        }
    }

    @Test
    void noThreadOfARegistryIsLeft() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"))) {
            new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint())).close();
            long end = System.nanoTime() + 60_000_000_000L;
            while (registryThreads() > 0 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(registryThreads()).isZero();
        }
    }

    private static long registryThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mooring-csi-regist"))
                .count();
    }
}
