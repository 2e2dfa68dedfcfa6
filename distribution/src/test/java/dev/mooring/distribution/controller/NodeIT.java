// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.distribution.node.NodeProcess;
import dev.mooring.distribution.node.NodeProcesses;
import dev.mooring.distribution.node.NodeRefused;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mooring node} against a real API server, with no more rights than the manifest that is shipped gives. */
@Tag("cluster")
class NodeIT {
    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    private static final String DEFAULT = "/api/v1/namespaces/default";

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void prepare() throws IOException {
        CLUSTER.grant("node-rbac.yaml");
        // Other controllers would make it; none runs here.
        CLUSTER.admin.send("POST", DEFAULT + "/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        CLUSTER.until(
                "/api/v1/namespaces/kube-node-lease",
                "the namespace of the nodes' leases is there",
                namespace -> namespace.text("metadata", "name").isPresent());
    }

    private NodeProcess process(String node) {
        return new NodeProcess(NodeProcesses.settings(
                () -> KubernetesStore.open(
                        Connection.ofKubeconfig(CLUSTER.cluster.plainKubeconfig()), KubernetesOptions.DEFAULT),
                node,
                directory.resolve(node)));
    }

    @Test
    void makesItsNodeMountsForItsPodAndLetsItGo() {
        NodeProcess process = process("ours");
        CompletableFuture<Boolean> run = NodeProcesses.run(process);
        try {
            Document node = CLUSTER.until(
                    "/api/v1/nodes/ours",
                    "the node is reported ready",
                    seen -> seen.at("status", "conditions")
                            .map(Object::toString)
                            .orElse("")
                            .contains("AgentReady"));
            assertThat(node.text("status", "nodeInfo", "kubeletVersion")).contains("mooring-0.1.0");
            assertThat(CLUSTER.admin
                            .ok("GET", LEASES + "/ours", "")
                            .text("spec", "holderIdentity")
                            .orElse(""))
                    .startsWith("mooring-node_");
            CLUSTER.admin.ok(
                    "POST",
                    DEFAULT + "/configmaps",
                    "{\"metadata\":{\"name\":\"words\"},\"data\":{\"greeting\":\"hello\"}}");
            CLUSTER.admin.ok("POST", DEFAULT + "/pods", """
                    {"metadata":{"name":"ours"},"spec":{"nodeName":"ours","automountServiceAccountToken":false,
                     "containers":[{"name":"main","image":"none","volumeMounts":[{"name":"words","mountPath":"/words"}]}],
                     "volumes":[{"name":"words","configMap":{"name":"words"}}]}}""");
            CLUSTER.untilPhase(DEFAULT + "/pods/ours", "Running");
            String uid = CLUSTER.admin
                    .ok("GET", DEFAULT + "/pods/ours", "")
                    .text("metadata", "uid")
                    .orElseThrow();
            Path shown = directory
                    .resolve("ours/kubelet/pods")
                    .resolve(uid)
                    .resolve("volumes/kubernetes.io~configmap/words/greeting");
            assertThat(shown).hasContent("hello");
            CLUSTER.delete(DEFAULT + "/pods/ours");
            CLUSTER.untilGone(DEFAULT + "/pods/ours");
            assertThat(shown).doesNotExist();
        } finally {
            process.stop();
        }
        assertThat(run.join()).isTrue();
    }

    @Test
    void showsAPodATokenOfItsAccount() throws IOException {
        NodeProcess process = process("tokens");
        CompletableFuture<Boolean> run = NodeProcesses.run(process);
        try {
            CLUSTER.until(
                    "/api/v1/nodes/tokens",
                    "the node is there",
                    seen -> seen.text("metadata", "uid").isPresent());
            CLUSTER.admin.ok("POST", DEFAULT + "/serviceaccounts", "{\"metadata\":{\"name\":\"builder\"}}");
            CLUSTER.admin.ok("POST", DEFAULT + "/pods", """
                    {"metadata":{"name":"tokens"},"spec":{"nodeName":"tokens","automountServiceAccountToken":false,
                     "serviceAccountName":"builder",
                     "containers":[{"name":"main","image":"none","volumeMounts":[{"name":"access","mountPath":"/a"}]}],
                     "volumes":[{"name":"access","projected":{"sources":[{"serviceAccountToken":{"path":"token"}}]}}]}}""");
            CLUSTER.untilPhase(DEFAULT + "/pods/tokens", "Running");
            String uid = CLUSTER.admin
                    .ok("GET", DEFAULT + "/pods/tokens", "")
                    .text("metadata", "uid")
                    .orElseThrow();
            String token = Files.readString(directory
                    .resolve("tokens/kubelet/pods")
                    .resolve(uid)
                    .resolve("volumes/kubernetes.io~projected/access/token"));
            Document review = CLUSTER.admin.ok(
                    "POST", "/apis/authentication.k8s.io/v1/tokenreviews", "{\"spec\":{\"token\":\"" + token + "\"}}");
            assertThat(review.text("status", "user", "username")).contains("system:serviceaccount:default:builder");
            assertThat(review.at("status", "user", "extra", "authentication.kubernetes.io/pod-uid"))
                    .contains(List.of(uid));
            CLUSTER.delete(DEFAULT + "/pods/tokens");
            CLUSTER.untilGone(DEFAULT + "/pods/tokens");
        } finally {
            process.stop();
        }
        assertThat(run.join()).isTrue();
    }

    @Test
    void refusesTheNodeOfAKubelet() {
        String now = Instant.now().toString().replaceAll("\\.\\d+", "").replace("Z", ".000000Z");
        CLUSTER.admin.ok("POST", LEASES, """
                {"metadata":{"name":"theirs"},"spec":{"holderIdentity":"theirs","leaseDurationSeconds":4000,"renewTime":"%s"}}""".formatted(now));
        assertThatThrownBy(() -> process("theirs").run())
                .isInstanceOf(NodeRefused.class)
                .hasMessageContaining("kube-node-lease/theirs is renewed by theirs");
        assertThat(CLUSTER.admin.send("GET", "/api/v1/nodes/theirs", "").statusCode())
                .as("nothing was done")
                .isEqualTo(404);
    }
}
