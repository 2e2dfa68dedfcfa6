// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.host.HostFeature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mooring standalone}, as it is without any setting, makes directories for claims and takes them away again. */
@Tag("long")
class ProvisionedDirectoriesTest {
    private static final String CLAIM = "/api/v1/namespaces/default/persistentvolumeclaims/scratch";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @BeforeEach
    void thisMachineMakesDirectories() {
        Optional<LinuxHost> here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(here.isPresent(), "needs Linux on x86_64 or aarch64");
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES)) {
            assumeTrue(
                    here.orElseThrow().capabilities().has(feature),
                    () -> feature + ": "
                            + here.orElseThrow()
                                    .capabilities()
                                    .whyMissing(feature)
                                    .orElse(""));
        }
    }

    @Test
    void aDirectoryIsMadeForAClaimAndGoesWithIt() throws Exception {
        Path data = directory.resolve("data");
        try (ServerProcess server = ServerProcess.start(data, directory.resolve("log"))) {
            assertThat(server.isServing()).isTrue();
            ProgramClient client = new ProgramClient(data.resolve("kubeconfig"));
            client.json(
                    "POST",
                    "/apis/storage.k8s.io/v1/storageclasses",
                    "{\"metadata\":{\"name\":\"directories\"},\"provisioner\":\"kubernetes.io/host-path\"}");
            client.json("POST", CLAIM.substring(0, CLAIM.lastIndexOf('/')), """
                    {"metadata":{"name":"scratch"},"spec":{"storageClassName":"directories","accessModes":["ReadWriteOnce"],
                     "resources":{"requests":{"storage":"1Mi"}}}}""");
            while (!client.get(CLAIM).text("status", "phase").equals("Bound")) {
                Thread.sleep(50);
            }
            String name = client.get(CLAIM).text("spec", "volumeName");
            Document volume = client.get("/api/v1/persistentvolumes/" + name).body();
            Path made = Path.of(volume.text("spec", "hostPath", "path").orElseThrow());
            assertThat(made).isEqualTo(data.toRealPath().resolve("hostpath/v").resolve(name));
            Files.writeString(made.resolve("file"), "something");
            client.json("DELETE", CLAIM, "");
            while (client.get("/api/v1/persistentvolumes/" + name).status() != 404) {
                Thread.sleep(50);
            }
            assertThat(made).doesNotExist();
        }
    }
}
