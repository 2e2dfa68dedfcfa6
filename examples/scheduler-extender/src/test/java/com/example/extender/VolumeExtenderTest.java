// SPDX-License-Identifier: Apache-2.0
package com.example.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.junit.MooringCluster;
import dev.mooring.junit.MooringWorld;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test plays kube-scheduler: it asks about pods in a cluster with real controllers, whose nodes have a disk each. */
@MooringCluster(nodes = 3)
class VolumeExtenderTest {
    private static final List<String> SIZES = List.of("10Gi", "20Gi", "100Gi");

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private KubernetesClient client;
    private MooringWorld world;
    private VolumeExtender extender;
    private List<String> nodes;

    @BeforeEach
    void start(KubernetesClient injected, MooringWorld its) throws IOException {
        client = injected;
        world = its;
        apply("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: kubernetes.io/no-provisioner
                volumeBindingMode: WaitForFirstConsumer
                """.formatted(world.namespace())); // the cluster is that of all tests here; the class is this one's
        NodeList all = client.nodes().list();
        nodes = all.getItems().stream().map(node -> node.getMetadata().getName()).sorted().toList();
        for (int i = 0; i < nodes.size(); i++) {
            apply("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: %3$s-%1$s}
                    spec:
                      capacity: {storage: %2$s}
                      accessModes: [ReadWriteOnce]
                      storageClassName: %3$s
                      local: {path: /mnt/disk}
                      nodeAffinity:
                        required:
                          nodeSelectorTerms:
                          - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%1$s]}]
                    """.formatted(nodes.get(i), SIZES.get(i), world.namespace()));
        }
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), world.kubeconfig());
        extender = VolumeExtender.start(Optional.of(kubeconfig), 0);
    }

    @AfterEach
    void stop() {
        extender.close();
    }

    private void apply(String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).create();
    }

    private void claim(String name, String size) {
        apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %1$s, namespace: %2$s}
                spec: {storageClassName: %2$s, accessModes: [ReadWriteOnce], resources: {requests: {storage: %3$s}}}
                """.formatted(name, world.namespace(), size));
        world.settle();
    }

    /** As kube-scheduler writes it. */
    private String question(String claim) {
        return """
                {"Pod": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "%s", "uid": "u"},
                 "spec": {"containers": [{"name": "main", "image": "none"}],
                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "%s"}}]}},
                 "Nodes": null, "NodeNames": ["%s"]}""".formatted(world.namespace(), claim, String.join("\", \"", nodes));
    }

    private HttpResponse<String> post(String verb, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(extender.url() + "/" + verb))
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private <T> T answer(String verb, String claim, Class<T> type) throws Exception {
        HttpResponse<String> answer = post(verb, question(claim));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Serialization.unmarshal(answer.body(), type);
    }

    private Map<?, ?> filtered(String claim) throws Exception {
        return answer("filter", claim, Map.class);
    }

    private Map<String, Integer> scores(String claim) throws Exception {
        Map<String, Integer> scores = new TreeMap<>();
        for (Object each : answer("prioritize", claim, List.class)) {
            Map<?, ?> one = (Map<?, ?>) each;
            scores.put((String) one.get("Host"), (Integer) one.get("Score"));
        }
        return scores;
    }

    /** The extender hears of a change as informers do. */
    private void awaitLeft(String claim, List<String> left) {
        world.eventually(() -> {
            try {
                assertThat(filtered(claim).get("NodeNames")).isEqualTo(left);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void onlyNodesWhoseDiskIsLargeEnoughAreLeft() throws Exception {
        claim("data", "15Gi");
        awaitLeft("data", nodes.subList(1, 3));
        assertThat(filtered("data").get("FailedNodes"))
                .isEqualTo(Map.of(nodes.get(0), "node(s) didn't find available persistent volumes to bind"));
    }

    @Test
    void theDiskThatIsFilledBestComesFirst() throws Exception {
        claim("data", "9Gi");
        awaitLeft("data", nodes);
        assertThat(scores("data")).isEqualTo(Map.of(nodes.get(0), 9, nodes.get(1), 4, nodes.get(2), 0));
    }

    @Test
    void aClaimThatIsBoundLeavesTheNodeOfItsVolume() throws Exception {
        claim("data", "9Gi");
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: first, namespace: %s}
                spec:
                  nodeSelector: {kubernetes.io/hostname: %s}
                  containers: [{name: main, image: none}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """.formatted(world.namespace(), nodes.get(1)));
        world.settle();
        awaitLeft("data", nodes.subList(1, 2));
    }

    @Test
    void whatCannotBeReadIsRefusedWithTheReason() throws Exception {
        assertThat(post("filter", "{").statusCode()).isEqualTo(400);
        assertThat(post("filter", "{}").body()).isEqualTo("pod: is required");
        assertThat(post("filter", question("data").replace("NodeNames", "Others")).body())
                .contains("nodeCacheCapable");
    }
}
