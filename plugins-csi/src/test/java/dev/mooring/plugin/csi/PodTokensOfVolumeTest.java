// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.NodePublishVolumeRequest;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CSIDriverTokenRequest;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.volumemanager.content.TokenIssuer;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a pod's service account go to the driver that asks for them, and to no other place. */
class PodTokensOfVolumeTest {
    private static final String KEY = "csi.storage.k8s.io/serviceAccount.tokens";
    private static final String PLANTED = "planted-token";

    private final Instant expires =
            Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3600);

    /** Tokens that say which account and audience they are for. */
    private final TokenIssuer issuer = (pod, account, audience, life) -> Outcome.done(new TokenIssuer.Issued(
            new SecretValue((PLANTED + "-" + account + "-" + audience.orElse("server") + "-" + life.toSeconds())
                    .getBytes(StandardCharsets.UTF_8)),
            expires));

    @TempDir
    private Path temp;

    private void wants(DriverWorld world, boolean inSecrets) {
        world.store
                .create(
                        Kinds.CSI_DRIVER,
                        new CSIDriver(
                                ObjectMeta.named(FakeDriver.NAME),
                                CSIDriverSpec.EMPTY
                                        .withServiceAccountTokenInSecrets(
                                                inSecrets ? Optional.of(true) : Optional.empty())
                                        .withTokenRequests(List.of(
                                                new CSIDriverTokenRequest("vault", Optional.of(600L)),
                                                new CSIDriverTokenRequest("", Optional.empty())))))
                .orThrow();
        world.createClass(Map.of());
        world.createClaim("1Gi");
    }

    private void assertTokens(String text) {
        String ends = "\",\"expirationTimestamp\":\"" + expires + "\"}";
        assertThat(text)
                .isEqualTo("{\"\":{\"token\":\"" + PLANTED + "-reader-server-3600" + ends + ",\"vault\":{\"token\":\""
                        + PLANTED + "-reader-vault-600" + ends + "}");
    }

    @Test
    void theyStandInTheAttributesOrInTheSecretsAsTheDriverSays() throws Exception {
        for (boolean inSecrets : List.of(false, true)) {
            try (FakeDriver driver = new FakeDriver(temp.resolve(inSecrets + ".sock"));
                    DriverWorld world = new DriverWorld(
                            temp.resolve("root-" + inSecrets), Map.of(FakeDriver.NAME, driver.endpoint()), issuer)) {
                wants(world, inSecrets);
                world.createPod(spec -> spec.withServiceAccountName("reader"));
                world.await("a running pod", world::podRuns);

                NodePublishVolumeRequest publish = driver.request(NodePublishVolumeRequest.class);
                Map<String, String> has = inSecrets ? publish.getSecretsMap() : publish.getVolumeContextMap();
                Map<String, String> hasNot = inSecrets ? publish.getVolumeContextMap() : publish.getSecretsMap();
                assertTokens(has.get(KEY));
                assertThat(hasNot).doesNotContainKey(KEY);
            }
        }
    }

    @Test
    void aTokenThatTheDriverQuotesIsNowhere() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world =
                        new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()), issuer)) {
            driver.words = "cannot log in with " + PLANTED + "-reader-vault-600";
            driver.fail("NodePublishVolume", Status.Code.PERMISSION_DENIED);
            wants(world, false);
            world.createPod(spec -> spec.withServiceAccountName("reader"));
            world.await("a running pod", world::podRuns);
            world.await(
                    "the driver's words",
                    () -> world.messages().stream().anyMatch(message -> message.contains("cannot log in with")));

            assertThat(world.messages()).noneMatch(message -> message.contains(PLANTED));
            assertThat(world.records.replay().toString()).doesNotContain(PLANTED);
        }
    }

    @Test
    void withoutASourceOfTokensThePodIsToldAndTheDriverIsNotCalled() throws Exception {
        try (FakeDriver driver = new FakeDriver(temp.resolve("csi.sock"));
                DriverWorld world = new DriverWorld(temp.resolve("root"), Map.of(FakeDriver.NAME, driver.endpoint()))) {
            wants(world, false);
            world.createPod();
            world.await(
                    "a reason",
                    () -> world.messages().stream()
                            .anyMatch(message -> message.contains(
                                    "CSI driver " + FakeDriver.NAME + " wants a token of service account default: ")));

            assertThat(driver.called()).doesNotContain("NodePublishVolume");
        }
    }
}
