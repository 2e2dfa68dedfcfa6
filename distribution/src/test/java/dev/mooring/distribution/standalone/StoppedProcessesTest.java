// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.StuckPlugin;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM while plugins are called that do not answer, clients write, watch, and say nothing: the process ends by itself, and the next
 * one finds everything. How long it took is printed; it should be less than ten seconds.
 */
@Tag("long")
class StoppedProcessesTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int TERMINATED = 128 + 15;
    private static final int CLIENTS = 20;
    private static final String DEFAULT = "/api/v1/namespaces/default";
    private static final String CLAIM = DEFAULT + "/persistentvolumeclaims/stuck";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final Revisions revisions = new Revisions();

    private Path log() {
        return directory.resolve("log");
    }

    private Path kubeconfig() {
        return directory.resolve("data/kubeconfig");
    }

    private ServerProcess standalone() throws IOException {
        ServerProcess server = ServerProcess.run(
                log(),
                List.of(),
                List.of(StuckPlugin.services(directory.resolve("services"))),
                ServerProcess.standalone(directory.resolve("data")));
        assertThat(server.isServing()).as("it serves; see %s", log()).isTrue();
        return server;
    }

    private ServerProcess node() throws IOException {
        ServerProcess node = ServerProcess.run(
                log(),
                List.of(),
                List.of(StuckPlugin.services(directory.resolve("services"))),
                List.of(
                        "node",
                        "--kubeconfig",
                        kubeconfig().toString(),
                        "--node-name",
                        "n1",
                        "--data-dir",
                        directory.resolve("node").toString()));
        assertThat(node.says(StuckPlugin.line("discover")))
                .as("it works; see %s", log())
                .isTrue();
        return node;
    }

    private void end(String name, ServerProcess process) throws Exception {
        long begin = System.nanoTime();
        assertThat(process.stop(LIMIT)).as("%s ends; see %s", name, log()).hasValue(TERMINATED);
        System.out.printf("stop: %s ended in %.1f s%n", name, (System.nanoTime() - begin) / 1e9);
    }

    @Test
    void standaloneEndsWhateverIsUnderWayAndNothingIsLost() throws Exception {
        List<KillWriter> writers = List.of(new KillWriter("a", revisions, 1), new KillWriter("b", revisions, 2));
        try (ServerProcess server = standalone()) {
            ProgramClient client = new ProgramClient(kubeconfig());
            wish(client);
            List<AutoCloseable> clients = clients();
            List<Thread> threads = new ArrayList<>();
            writers.forEach(each -> threads.add(new Thread(() -> each.write(client))));
            threads.forEach(Thread::start);
            assertThat(server.says(StuckPlugin.line("provision"))).isTrue();
            // The plugin may have been called before any writer had its first answer.
            long begin = System.nanoTime();
            while (revisions.acknowledged().isEmpty() && System.nanoTime() - begin < LIMIT.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(revisions.acknowledged())
                    .as("writes, but for %s", revisions.problems())
                    .isNotEmpty();
            end("standalone", server);
            for (Thread each : threads) {
                each.join();
            }
            for (AutoCloseable each : clients) {
                each.close();
            }
        }
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"), log())) {
            assertThat(server.isServing()).as("it serves again; see %s", log()).isTrue();
            ProgramClient client = new ProgramClient(kubeconfig());
            Map<String, Document> found = new TreeMap<>();
            for (Document object :
                    ProgramClient.items(client.get(KillWriter.PATH).body())) {
                found.put(object.text("metadata", "name").orElseThrow(), object);
            }
            writers.forEach(each -> each.settle(found));
            assertThat(revisions.problems()).isEmpty();
            assertThat(revisions.acknowledged()).isNotEmpty();
            assertThat(client.get(CLAIM).text("status", "phase")).isEqualTo("Pending");
            end("standalone, again,", server);
        }
        assertThat(Files.readString(log())).doesNotContain("ERROR", "Exception");
    }

    /** A claim that is being provisioned for ever. */
    private static void wish(ProgramClient client) throws IOException {
        client.json(
                "POST",
                "/apis/storage.k8s.io/v1/storageclasses",
                "{\"metadata\":{\"name\":\"stuck\"},\"provisioner\":\"" + StuckPlugin.NAME + "\"}");
        ProgramClient.Reply claim = client.json("POST", DEFAULT + "/persistentvolumeclaims", """
                {"metadata":{"name":"stuck"},"spec":{"storageClassName":"stuck","accessModes":["ReadWriteOnce"],
                 "resources":{"requests":{"storage":"1Gi"}}}}""");
        assertThat(claim.status()).isEqualTo(201);
    }

    /** Watches that are not read, and requests of which a half has come. */
    private List<AutoCloseable> clients() throws Exception {
        ServerKubeconfig config = ServerKubeconfig.read(kubeconfig());
        List<AutoCloseable> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            FuzzConnection connection = new FuzzConnection(config);
            connection.write(
                    i % 2 == 0
                            ? LoadWatch.request(config, KillWriter.PATH + "?watch=1")
                            : ("POST " + KillWriter.PATH + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                            + config.token() + "\r\nContent-Length: 1000\r\n\r\n{")
                                    .getBytes(StandardCharsets.US_ASCII));
            clients.add(connection);
        }
        return clients;
    }

    @Test
    void aNodeEndsWhateverIsUnderWayAndIsTheSameAgain() throws Exception {
        try (ServerProcess server = standalone()) {
            ProgramClient client = new ProgramClient(kubeconfig());
            assertThat(client.json(
                                    "POST",
                                    KillWriter.PATH,
                                    "{\"metadata\":{\"name\":\"words\"},\"data\":{\"k\":\"v\"}}")
                            .status())
                    .isEqualTo(201);
            String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1";
            try (ServerProcess node = node()) {
                for (int i = 0; i < CLIENTS; i++) {
                    ProgramClient.Reply pod = client.json("POST", DEFAULT + "/pods", """
                            {"metadata":{"name":"p%d"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"none",
                             "volumeMounts":[{"name":"words","mountPath":"/w"}]}],
                             "volumes":[{"name":"words","configMap":{"name":"words"}}]}}""".formatted(i));
                    assertThat(pod.status()).isEqualTo(201);
                }
                end("node", node);
            }
            String holder = client.get(lease).text("spec", "holderIdentity");
            String uid = client.get("/api/v1/nodes/n1").text("metadata", "uid");
            try (ServerProcess node = node()) {
                assertThat(client.get(lease).text("spec", "holderIdentity"))
                        .isEqualTo(holder)
                        .isNotEmpty();
                assertThat(client.get("/api/v1/nodes/n1").text("metadata", "uid"))
                        .isEqualTo(uid);
                assertThat(node.isAlive()).isTrue();
            }
            assertThat(server.isAlive()).isTrue();
        }
        assertThat(Files.readString(log())).doesNotContain("ERROR", "Exception");
    }
}
