// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node in the directory of a kubelet, with a driver of another program that registers there and really mounts: its first agent is killed and
 * its records are lost, so that what it has mounted is another's for the second one.
 */
@Tag("cluster")
class KubeletDirectoryIT {
    private static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final Path ROOT =
            Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
    private static final String DRIVER = "kept.csi.example.com";
    private static final String POD = "/api/v1/namespaces/default/pods/kept";

    @TempDir
    private Path directory = Path.of("");

    private Process startNode(ControllerProcesses processes, Process mounts, String name, String... more)
            throws IOException {
        String[] all = {
            "node",
            "--kubeconfig=" + CLUSTER.cluster.plainKubeconfig(),
            "--node-name=kept",
            "--node-lease-duration=4s",
            "--data-dir=" + directory.resolve(name),
            "--kubelet-dir=" + kubelet(),
            String.join("", more)
        };
        return processes.startIn(
                mounts,
                name,
                List.of(all).stream().filter(each -> !each.isEmpty()).toArray(String[]::new));
    }

    private Path kubelet() throws IOException {
        return Files.createDirectories(directory.toRealPath().resolve("k"));
    }

    private static List<String> mounted(Process mounts, Path below) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + mounts.pid() + "/mountinfo")).stream()
                .map(line -> line.split(" ", -1)[4])
                .filter(place -> place.startsWith(below + "/"))
                .toList();
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 2400 && !condition.call(); i++) {
            ClusterFixture.pause();
        }
        assertThat(condition.call()).as(what).isTrue();
    }

    @Test
    void whatNoRecordTellsOfIsRefusedThenTakenOverAndUnmountedInTheEnd() throws Exception {
        boolean able = new ProcessBuilder("/usr/bin/python3", "-c", "import grpc, grpc_tools")
                        .start()
                        .waitFor()
                == 0;
        assumeTrue(able, "Debian's packages python3-grpcio and python3-grpc-tools are missing");
        CLUSTER.grantWhatTheManifestGrants();
        CLUSTER.grant("node-rbac.yaml");
        CLUSTER.empty();
        CLUSTER.admin.send(
                "POST", "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
        CLUSTER.admin.send("POST", "/apis/storage.k8s.io/v1/csidrivers", """
                {"metadata":{"name":"%s"},"spec":{"attachRequired":false}}""".formatted(DRIVER));
        Path registry = Files.createDirectories(kubelet().resolve("plugins_registry"));
        Path socket = Files.createDirectories(kubelet().resolve("plugins").resolve(DRIVER))
                .resolve("csi.sock");
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            Process mounts = processes.namespace();
            Process first = startNode(processes, mounts, "first");
            await(
                    "the directory is a mount",
                    () -> Files.readString(Path.of("/proc/" + mounts.pid() + "/mountinfo"))
                            .contains(" " + kubelet() + " "));
            processes.startIn(
                    mounts,
                    "driver",
                    List.of(
                            "/usr/bin/python3",
                            ROOT.resolve("e2e/csi/driver.py").toString(),
                            "--name",
                            DRIVER,
                            "--node-id",
                            "kept",
                            "--endpoint",
                            "unix://" + socket,
                            "--registration",
                            registry.resolve("kept-reg.sock").toString(),
                            "--state",
                            directory.resolve("state").toString()));
            CLUSTER.until(
                    "/apis/storage.k8s.io/v1/csinodes/kept",
                    "the driver is registered",
                    seen -> seen.toString().contains(DRIVER));
            processes.start("maker", CLUSTER.cluster.plainKubeconfig(), "--csi-endpoint", DRIVER + "=unix://" + socket);
            CLUSTER.storageClass("kept", DRIVER);
            CLUSTER.claimOfClass("kept", "kept");
            CLUSTER.untilPhase(ClusterFixture.CLAIMS + "/kept", "Bound");
            CLUSTER.admin.ok("POST", POD.substring(0, POD.lastIndexOf('/')), """
                    {"metadata":{"name":"kept"},"spec":{"nodeName":"kept","automountServiceAccountToken":false,
                     "containers":[{"name":"main","image":"none","volumeMounts":[{"name":"data","mountPath":"/data"}]}],
                     "volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"kept"}}]}}""");
            CLUSTER.untilPhase(POD, "Running");
            List<String> before = mounted(mounts, kubelet());
            assertThat(before)
                    .anyMatch(place -> place.endsWith("/mount"))
                    .anyMatch(place -> place.endsWith("/globalmount"));

            first.destroyForcibly().waitFor();
            Process refused = startNode(processes, mounts, "second");
            assertThat(refused.waitFor(240, TimeUnit.SECONDS)).isTrue();
            assertThat(refused.exitValue()).isEqualTo(1);
            await("the first one's lease has run out", () -> {
                Process again = startNode(processes, mounts, "third");
                return again.waitFor(240, TimeUnit.SECONDS)
                        && processes.said("third").contains("of which no record tells")
                        && !processes.said("third").contains("is renewed by");
            });

            startNode(processes, mounts, "fourth", "--adopt-kubelet");
            await("it is taken over", () -> processes.said("fourth").contains("is recorded as"));
            assertThat(mounted(mounts, kubelet())).containsAll(before);
            CLUSTER.delete(POD);
            CLUSTER.untilGone(POD);
            await("nothing is mounted", () -> mounted(mounts, kubelet()).isEmpty());
            CLUSTER.delete(ClusterFixture.CLAIMS + "/kept");
            CLUSTER.untilGone(ClusterFixture.CLAIMS + "/kept");
            assertThat(Files.readString(directory.resolve("state/calls.jsonl")))
                    .containsSubsequence("NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume");
            assertThat(processes.said("fourth")).doesNotContain("ERROR");
        }
    }
}
