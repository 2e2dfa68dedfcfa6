// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lives of volumes and claims on a real API server, with {@code mooring controller} as the only controller, and the manifest's rights. */
@Tag("cluster")
class LifeCyclesIT {
    @TempDir
    private static Path directory = Path.of("");

    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static ControllerProcesses processes;
    private static Process controller;

    /** A server that begins forbids everything until it has read who may do what. */
    private static String saidWhileServerWasAway = "";

    @BeforeAll
    static void start() throws Exception {
        CLUSTER.grantWhatTheManifestGrants();
        processes = new ControllerProcesses(directory);
        controller =
                processes.start("lives", CLUSTER.cluster.plainKubeconfig(), "--metrics-bind-address", "127.0.0.1:0");
    }

    @AfterAll
    static void stop() throws Exception {
        boolean ended = ControllerProcesses.stop(controller, 12);
        String said = processes.said("lives");
        processes.close();
        assertThat(ended).as("ends within 10 s of SIGTERM: " + said).isTrue();
        assertThat(said).contains("stopped").doesNotContain("ERROR");
        assertThat(said.replace(saidWhileServerWasAway, "")).doesNotContain("orbidden");
        Document lease = CLUSTER.admin.ok("GET", ClusterFixture.LEASE, "");
        assertThat(lease.text("spec", "holderIdentity").orElse(""))
                .as("given back")
                .isEmpty();
    }

    @BeforeEach
    void empty() {
        CLUSTER.empty();
    }

    @Test
    void showsMetricsAndHealth() throws Exception {
        CLUSTER.volume("v", "");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        Matcher address = Pattern.compile("metrics and health on (http://\\S+)").matcher(processes.said("lives"));
        assertThat(address.find()).isTrue();
        try (InputStream metrics =
                URI.create(address.group(1) + "/metrics").toURL().openStream()) {
            assertThat(new String(metrics.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .contains(
                            "leader_election_master_status{name=\"mooring-controller\"} 1.0",
                            "pv_collector_bound_pvc_count{namespace=\"default\",storage_class=\"\",volume_attributes_class=\"\"} 1.0")
                    .anyMatch(line -> line.startsWith("process_resident_memory_bytes "));
        }
        try (InputStream ready =
                URI.create(address.group(1) + "/readyz").toURL().openStream()) {
            assertThat(new String(ready.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("ok\n");
        }
    }

    @Test
    void volumesFirst() {
        CLUSTER.volume("v", "");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Available");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        Document claim = CLUSTER.admin.ok("GET", ClusterFixture.CLAIMS + "/c", "");
        assertThat(claim.text("status", "capacity", "storage")).contains("1Gi");
        assertThat(claim.text("metadata", "annotations", "pv.kubernetes.io/bind-completed"))
                .contains("yes");
        assertThat(claim.text("metadata", "annotations", "pv.kubernetes.io/bound-by-controller"))
                .contains("yes");
    }

    @Test
    void claimsFirst() {
        CLUSTER.claim("c", "");
        CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/c", "Pending");
        CLUSTER.volume("v", "");
        CLUSTER.untilBound("v", "c");
    }

    @Test
    void preboundByTheVolume() {
        CLUSTER.volume("other", "");
        CLUSTER.volume("mine", ",\"claimRef\":{\"namespace\":\"default\",\"name\":\"c\"}");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("mine", "c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/other", "Available");
    }

    @Test
    void preboundByTheClaim() {
        CLUSTER.volume("other", "");
        CLUSTER.claim("c", ",\"volumeName\":\"mine\"");
        CLUSTER.volume("mine", "");
        CLUSTER.untilBound("mine", "c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/other", "Available");
    }

    @Test
    void retainKeepsTheVolumeAndWhoseItWas() {
        CLUSTER.volume("v", "");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilGone(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Released");
        assertThat(CLUSTER.admin.ok("GET", ClusterFixture.VOLUMES + "/v", "").text("spec", "claimRef", "name"))
                .contains("c");
        // The administrator gives it to the next one.
        CLUSTER.admin.ok("PATCH", ClusterFixture.VOLUMES + "/v", "{\"spec\":{\"claimRef\":null}}");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Available");
        CLUSTER.claim("next", "");
        CLUSTER.untilBound("v", "next");
    }

    @Test
    void aDirectoryOfANodeIsNotEmptiedFromHere() throws Exception {
        Path data = Files.createDirectories(directory.resolve("recycled"));
        Files.writeString(data.resolve("old"), "data");
        CLUSTER.volume("v", ",\"persistentVolumeReclaimPolicy\":\"Recycle\",\"hostPath\":{\"path\":\"" + data + "\"}");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Failed");
        assertThat(CLUSTER.admin.ok("GET", ClusterFixture.VOLUMES + "/v", "").text("status", "message"))
                .contains("Recycle failed: a hostPath volume is recycled on its node");
        assertThat(data.resolve("old")).exists();
        CLUSTER.until(
                "/api/v1/namespaces/default/events",
                "an event says so",
                events -> events.toString().contains("VolumeFailedRecycle"));
    }

    @Test
    void whatNoPluginHereCanDeleteStaysAndSaysSo() {
        CLUSTER.volume("v", ",\"persistentVolumeReclaimPolicy\":\"Delete\"");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.until(
                ClusterFixture.VOLUMES + "/v",
                "v is not deleted",
                volume -> volume.text("status", "phase")
                        .filter(phase -> phase.equals("Failed") || phase.equals("Released"))
                        .isPresent());
        assertThat(CLUSTER.admin.ok("GET", ClusterFixture.VOLUMES + "/v", "").at("spec", "nfs"))
                .isPresent();
    }

    @Test
    void aBoundVolumeThatIsDeletedStaysUntilItsClaimHasGone() {
        CLUSTER.volume("v", "");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        CLUSTER.delete(ClusterFixture.VOLUMES + "/v");
        assertThat(CLUSTER.admin.ok("GET", ClusterFixture.VOLUMES + "/v", "").text("metadata", "deletionTimestamp"))
                .isPresent();
        CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/c", "Bound");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilGone(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilGone(ClusterFixture.VOLUMES + "/v");
    }

    /** Binding and reclaiming are ours, the storage is an external provisioner's, whose part the test plays. */
    @Test
    void provisionedGrownAndDeletedByOthers() {
        CLUSTER.storageClass("external", "csi.example.com");
        CLUSTER.claimOfClass("c", "external");
        Document claim = CLUSTER.until(
                ClusterFixture.CLAIMS + "/c",
                "the provisioner is asked",
                each -> each.text("metadata", "annotations", "volume.beta.kubernetes.io/storage-provisioner")
                        .equals(Optional.of("csi.example.com")));
        CLUSTER.volume("v", """
                ,"storageClassName":"external","persistentVolumeReclaimPolicy":"Delete",
                 "csi":{"driver":"csi.example.com","volumeHandle":"1"},
                 "claimRef":{"namespace":"default","name":"c","uid":"%s"}""".formatted(claim.text("metadata", "uid").orElseThrow()));
        CLUSTER.untilBound("v", "c");
        CLUSTER.admin.ok(
                "PATCH",
                ClusterFixture.CLAIMS + "/c",
                "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}");
        CLUSTER.until(
                "/api/v1/namespaces/default/events",
                "an event says who has to resize",
                events -> events.toString().contains("ExternalExpanding"));
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Released");
        CLUSTER.delete(ClusterFixture.VOLUMES + "/v");
        CLUSTER.untilGone(ClusterFixture.VOLUMES + "/v");
    }

    /** What cannot be made from here is said, and holds up no other claim. */
    @Test
    void aDirectoryOfANodeIsNotMadeFromHere() {
        CLUSTER.storageClass("here", "kubernetes.io/host-path");
        CLUSTER.claimOfClass("c", "here");
        CLUSTER.until(
                "/api/v1/namespaces/default/events",
                "an event says so",
                events -> events.toString().contains("Failed to provision volume"));
        CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/c", "Pending");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilGone(ClusterFixture.CLAIMS + "/c");
    }

    @Test
    void releasedAndAdoptedByCommand() throws Exception {
        CLUSTER.volume("v", "");
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/c");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Released");
        assertThat(processes.run(CLUSTER.cluster.kubeconfig(), "release", "pv/v", "--discard", "--dry-run"))
                .startsWith("0\ndry run: ");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Released");
        CLUSTER.claim("next", ",\"volumeName\":\"v\"");
        assertThat(processes.run(CLUSTER.cluster.kubeconfig(), "explain", "pvc/next"))
                .startsWith("0\n")
                .contains("v");
        assertThat(processes.run(CLUSTER.cluster.kubeconfig(), "adopt", "pv/v", "--claim", "default/next"))
                .startsWith("0\n");
        CLUSTER.untilBound("v", "next");
        assertThat(processes.run(CLUSTER.cluster.kubeconfig(), "release", "pv/v", "--discard"))
                .startsWith("1\n");
        CLUSTER.delete(ClusterFixture.CLAIMS + "/next");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Released");
        assertThat(processes.run(CLUSTER.cluster.kubeconfig(), "release", "pv/v", "--discard"))
                .startsWith("0\n");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Available");
    }

    @Test
    void manyOfThemEachGetsItsOwn() {
        for (int i = 0; i < 30; i++) {
            CLUSTER.volume("v" + i, "");
            CLUSTER.claim("c" + i, "");
        }
        for (int i = 0; i < 30; i++) {
            CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v" + i, "Bound");
            CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/c" + i, "Bound");
        }
    }

    @Test
    void anApiServerThatCrashesIsComeBackTo() {
        CLUSTER.volume("v", "");
        CLUSTER.untilPhase(ClusterFixture.VOLUMES + "/v", "Available");
        int from = processes.said("lives").length();
        CLUSTER.cluster.kill();
        CLUSTER.cluster.up();
        CLUSTER.claim("c", "");
        CLUSTER.untilBound("v", "c");
        saidWhileServerWasAway = processes.said("lives").substring(from);
    }
}
