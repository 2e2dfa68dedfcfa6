// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Snapshots of a driver of another program by {@code mooring controller}: on a real API server, with the rights of the manifest and with
 * definitions that come after the controllers have begun.
 */
@Tag("cluster")
class SnapshotsIT {
    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final Path ROOT =
            Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
    private static final String DRIVER = "disks.csi.example.com";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String GROUP = "/apis/snapshot.storage.k8s.io/v1/";
    private static final String SNAPSHOTS = GROUP + "namespaces/default/volumesnapshots";
    private static final String CONTENTS = GROUP + "volumesnapshotcontents";

    @TempDir
    private Path directory = Path.of("");

    private Optional<Process> driver = Optional.empty();

    @AfterEach
    void stopDriver() {
        driver.ifPresent(Process::destroyForcibly);
    }

    private String startDriver() throws Exception {
        boolean able = new ProcessBuilder("/usr/bin/python3", "-c", "import grpc, grpc_tools").start().waitFor() == 0;
        assumeTrue(able, "Debian's packages python3-grpcio and python3-grpc-tools are missing");
        Path socket = directory.toRealPath().resolve("csi.sock");
        driver = Optional.of(new ProcessBuilder(
                        "/usr/bin/python3",
                        ROOT.resolve("e2e/csi/driver.py").toString(),
                        "--name",
                        DRIVER,
                        "--plain",
                        "--endpoint",
                        "unix://" + socket,
                        "--state",
                        directory.resolve("state").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("driver.log").toFile())
                .start());
        while (!Files.exists(socket)) {
            assertThat(driver.get().isAlive())
                    .as(Files.readString(directory.resolve("driver.log")))
                    .isTrue();
            ClusterFixture.pause();
        }
        return "unix://" + socket;
    }

    private static void define() throws IOException {
        Path file = ROOT.resolve("docs/manifests/snapshot-definitions.yaml");
        for (Document each : KubernetesYaml.standard().readAll(Files.readString(file), file.toString())) {
            CLUSTER.admin.ok("POST", DEFINITIONS, KubernetesJson.standard().write(each));
        }
        CLUSTER.until(SNAPSHOTS, "snapshots are served", list -> list.at("items").isPresent());
        CLUSTER.until(CONTENTS, "contents are served", list -> list.at("items").isPresent());
        CLUSTER.until(
                GROUP + "volumesnapshotclasses",
                "classes are served",
                list -> list.at("items").isPresent());
    }

    private static void undefine() {
        for (Document each : CLUSTER.admin.ok("GET", DEFINITIONS, "").objects("items")) {
            CLUSTER.delete(DEFINITIONS + "/" + each.text("metadata", "name").orElseThrow());
        }
    }

    private String driverState() throws IOException {
        return Files.readString(directory.resolve("state/state.json"));
    }

    @Test
    void oneIsMadeRestoredAndGoesOnceTheClusterHasDefinitions() throws Exception {
        CLUSTER.grantWhatTheManifestGrants();
        CLUSTER.empty();
        String endpoint = startDriver();
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            processes.start(
                    "snapper", CLUSTER.cluster.plainKubeconfig(), "--csi-endpoint", DRIVER + "=" + endpoint);
            CLUSTER.storageClass("of-driver", DRIVER);
            CLUSTER.claimOfClass("data", "of-driver");
            CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/data", "Bound");

            define();
            CLUSTER.admin.ok("POST", GROUP + "volumesnapshotclasses", """
                    {"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshotClass",
                     "metadata":{"name":"snaps","annotations":{"snapshot.storage.kubernetes.io/is-default-class":"true"}},
                     "driver":"%s","deletionPolicy":"Delete"}""".formatted(DRIVER));
            CLUSTER.admin.ok("POST", SNAPSHOTS, """
                    {"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshot","metadata":{"name":"monday"},
                     "spec":{"source":{"persistentVolumeClaimName":"data"}}}""");
            Document ready = CLUSTER.until(
                    SNAPSHOTS + "/monday",
                    "the snapshot is ready",
                    seen -> seen.at("status", "readyToUse").equals(Optional.of(true)));
            assertThat(ready.text("spec", "volumeSnapshotClassName")).contains("snaps");
            assertThat(ready.text("status", "restoreSize")).contains("1Gi");
            String content =
                    ready.text("status", "boundVolumeSnapshotContentName").orElseThrow();
            assertThat(content)
                    .isEqualTo("snapcontent-" + ready.text("metadata", "uid").orElseThrow());

            CLUSTER.admin.ok("POST", ClusterFixture.CLAIMS, """
                    {"metadata":{"name":"restored"},"spec":{"storageClassName":"of-driver","accessModes":["ReadWriteOnce"],
                     "dataSource":{"apiGroup":"snapshot.storage.k8s.io","kind":"VolumeSnapshot","name":"monday"},
                     "resources":{"requests":{"storage":"2Gi"}}}}""");
            CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/restored", "Bound");
            assertThat(Files.readString(directory.resolve("state/calls.jsonl"))).contains("\"snapshot\": {\"snapshot_id\"");

            CLUSTER.delete(SNAPSHOTS + "/monday");
            CLUSTER.untilGone(SNAPSHOTS + "/monday");
            CLUSTER.untilGone(CONTENTS + "/" + content);
            for (String claim : List.of("data", "restored")) {
                CLUSTER.delete(ClusterFixture.CLAIMS + "/" + claim);
                CLUSTER.untilGone(ClusterFixture.CLAIMS + "/" + claim);
            }
            CLUSTER.until(
                    ClusterFixture.VOLUMES,
                    "the volumes are gone",
                    list -> list.at("items").equals(Optional.of(List.of())));
            assertThat(driverState()).doesNotContain("vol-").doesNotContain("snap-");
            assertThat(processes.said("snapper")).doesNotContain("ERROR").doesNotContain("orbidden");
        } finally {
            undefine();
        }
        driver.get().destroy();
        assertThat(driver.get().waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
}
