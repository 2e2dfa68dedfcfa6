// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.node.NodeProcess;
import dev.mooring.distribution.node.NodeProcesses;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code mooring controller} plans a volume, {@code mooring node} makes it, a pod has it, and both see to it that it goes with its claim:
 * on a real API server, with the rights of the manifests.
 */
@Tag("cluster")
class ProvisionedOnNodeIT {
    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final String PLUGIN = "kubernetes.io/host-path";
    private static final String POD = "/api/v1/namespaces/default/pods/maker";

    @TempDir
    private Path directory = Path.of("");

    private static InstalledPlugins plugins(Path root) {
        List<StoragePlugin> all = ServiceLoader.load(StoragePlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return InstalledPlugins.of(all).withSettings(Map.of(PLUGIN, Map.of("root", root.toString())));
    }

    @Test
    void aDirectoryIsMadeForAClaimAndGoesWithIt() throws Exception {
        Path root = Files.createDirectory(directory.toRealPath().resolve("volumes"));
        CLUSTER.grantWhatTheManifestGrants();
        CLUSTER.grant("node-rbac.yaml");
        CLUSTER.empty();
        // Other controllers would make it; none runs here.
        CLUSTER.admin.send(
                "POST", "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        NodeProcess node = new NodeProcess(NodeProcesses.settings(
                () -> KubernetesStore.open(
                        Connection.ofKubeconfig(CLUSTER.cluster.plainKubeconfig()), KubernetesOptions.DEFAULT),
                "maker",
                directory.resolve("node"),
                plugins(root)));
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            processes.start("planner", CLUSTER.cluster.plainKubeconfig(), "--plugin-setting", PLUGIN + ":root=" + root);
            CompletableFuture<Boolean> run = NodeProcesses.run(node);
            try {
                CLUSTER.until(
                        "/api/v1/nodes/maker",
                        "the node is there",
                        seen -> seen.text("metadata", "uid").isPresent());
                lives(root);
            } finally {
                node.stop();
            }
            assertThat(run.join()).isTrue();
            assertThat(processes.said("planner")).doesNotContain("ERROR").doesNotContain("orbidden");
        }
    }

    private void lives(Path root) throws Exception {
        CLUSTER.admin.send("POST", "/apis/storage.k8s.io/v1/storageclasses", """
                {"metadata":{"name":"made-there"},"provisioner":"%s","volumeBindingMode":"Immediate"}""".formatted(PLUGIN));
        CLUSTER.claimOfClass("made", "made-there");
        CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/made", "Bound");
        Document claim = CLUSTER.admin.ok("GET", ClusterFixture.CLAIMS + "/made", "");
        String volume = claim.text("spec", "volumeName").orElseThrow();
        Path made = root.resolve("v").resolve(volume);
        Files.writeString(made.resolve("greeting"), "hello");
        CLUSTER.admin.ok("POST", POD.substring(0, POD.lastIndexOf('/')), """
                {"metadata":{"name":"maker"},"spec":{"nodeName":"maker","automountServiceAccountToken":false,
                 "containers":[{"name":"main","image":"none","volumeMounts":[{"name":"data","mountPath":"/data"}]}],
                 "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"made"}}]}}""");
        CLUSTER.untilPhase(POD, "Running");
        String uid = CLUSTER.admin.ok("GET", POD, "").text("metadata", "uid").orElseThrow();
        assertThat(directory
                        .resolve("node/kubelet/pods")
                        .resolve(uid)
                        .resolve("volumes/kubernetes.io~host-path")
                        .resolve(volume)
                        .resolve("greeting"))
                .hasContent("hello");
        CLUSTER.delete(POD);
        CLUSTER.untilGone(POD);
        CLUSTER.delete(ClusterFixture.CLAIMS + "/made");
        CLUSTER.untilGone(ClusterFixture.VOLUMES + "/" + volume);
        assertThat(made).doesNotExist();
    }
}
