// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.storage.model.Finalizers;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A claim whose volume a driver fills from that of another claim (semantics/csi §8.10). */
class ClonedVolumeTest {
    @TempDir
    private Path temp;

    private FakeDriver driver;
    private DriverWorld world;

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()));
        world.createClass(Map.of());
    }

    private void createSource() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.CLONE_VOLUME);
        world.createClaim("1Gi");
        world.await("a bound source", () -> world.isBound("data"));
    }

    @AfterEach
    void close() {
        world.close();
        driver.close();
    }

    @Test
    void theDriverIsGivenTheHandleOfTheSource() {
        createSource();
        world.createClone("copy", "2Gi");
        world.await("a bound clone", () -> world.isBound("copy"));

        CreateVolumeRequest create = driver.request(CreateVolumeRequest.class);
        assertThat(create.getName())
                .isEqualTo("pvc-" + world.claim("copy").metadata().uid());
        assertThat(create.getCapacityRange().getRequiredBytes()).isEqualTo(2L << 30);
        assertThat(create.getVolumeContentSource().getVolume().getVolumeId())
                .isEqualTo("handle-pvc-" + world.claim().metadata().uid());
        world.await(
                "a source that is no longer kept",
                () -> !world.claim().metadata().hasFinalizer(Finalizers.CLONING_PROTECTION));
    }

    @Test
    void aLostAnswerMakesNoSecondVolume() {
        createSource();
        driver.actAndFail("CreateVolume", Status.Code.UNAVAILABLE);
        world.createClone("copy", "1Gi");
        world.await("a bound clone", () -> world.isBound("copy"));
        assertThat(driver.volumes).hasSize(2);
        assertThat(driver.request(CreateVolumeRequest.class)
                        .getVolumeContentSource()
                        .getVolume()
                        .getVolumeId())
                .isEqualTo("handle-pvc-" + world.claim().metadata().uid());
    }

    @Test
    void aVolumeWithoutTheContentIsDestroyedAgain() {
        createSource();
        driver.forgetsContent = true;
        world.createClone("copy", "1Gi");
        world.await(
                "a told failure",
                () -> world.messages().stream().anyMatch(message -> message.contains("volume content source missing")));
        driver.forgetsContent = false;
        world.await("a bound clone", () -> world.isBound("copy"));
        assertThat(driver.volumes).hasSize(2);
    }

    @Test
    void aDriverThatMakesNoClonesIsNotAsked() {
        world.createClaim("1Gi");
        world.await("a bound source", () -> world.isBound("data"));
        world.createClone("copy", "1Gi");
        world.await(
                "a told failure",
                () -> world.messages().stream()
                        .anyMatch(message -> message.endsWith("CSI driver does not support clone operations:"
                                + " controller CLONE_VOLUME capability is not reported")));
        assertThat(driver.volumes).hasSize(1);
    }
}
