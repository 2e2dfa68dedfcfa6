// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who the controller is to a real API server: a pod's service account, whose token changes, and a plugin that prints a token. */
@Tag("cluster")
class CredentialsIT {
    private static final String ACCOUNTS = "/api/v1/namespaces/kube-system/serviceaccounts";
    private static final String ACCOUNT = ACCOUNTS + "/mooring-controller";

    @TempDir
    private Path directory = Path.of("");

    private final ClusterFixture cluster = new ClusterFixture();

    @BeforeEach
    void begin() throws Exception {
        cluster.grantWhatTheManifestGrants();
        cluster.empty();
    }

    @Test
    void aPodsTokenMayBeReplacedByAnother() throws Exception {
        cluster.bindTheManifestsRolesToItsServiceAccount();
        Path credentials = Files.createDirectory(directory.resolve("account"));
        Files.copy(cluster.cluster.authority(), credentials.resolve("ca.crt"));
        Files.writeString(credentials.resolve("namespace"), "kube-system");
        Files.writeString(credentials.resolve("token"), freshAccountsToken());
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            Process pod = processes.startAsPod("pod", credentials, cluster.cluster.apiPort());
            cluster.bind("a");
            assertThat(processes.said("pod")).contains("(the pod's service account)");
            // The account goes and comes again: its token is worth nothing any more.
            String next = freshAccountsToken();
            cluster.volume("between", "");
            Path inPod = Path.of("/proc/" + pod.pid() + "/root/run/secrets/kubernetes.io/serviceaccount");
            Files.writeString(inPod.resolve("token"), next);
            cluster.bind("b");
            assertThat(processes.said("pod")).doesNotContain(next);
        }
    }

    private String freshAccountsToken() {
        cluster.delete(ACCOUNT);
        cluster.untilGone(ACCOUNT);
        cluster.admin.ok("POST", ACCOUNTS, "{\"metadata\":{\"name\":\"mooring-controller\"}}");
        return cluster.admin
                .ok(
                        "POST",
                        ACCOUNT + "/token",
                        "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\"}")
                .text("status", "token")
                .orElseThrow();
    }

    @Test
    void aPluginThatPrintsATokenIsAsked() throws Exception {
        String plain = Files.readString(cluster.cluster.plainKubeconfig());
        String token = plain.replaceAll("(?s).*user: \\{token: (\\w+)}.*", "$1");
        assertThat(token).isNotEqualTo(plain);
        Path calls = directory.resolve("calls");
        Path plugin = executable("plugin", """
                #!/bin/sh
                echo asked >>%s
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}'
                """.formatted(calls, token));
        Path kubeconfig = Files.writeString(
                directory.resolve("exec.kubeconfig"),
                plain.replace(
                        "user: {token: " + token + "}",
                        "user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: \""
                                + plugin + "\"}}"));
        assertThat(Files.readString(kubeconfig)).contains("exec:").doesNotContain(token);
        try (ControllerProcesses processes = new ControllerProcesses(directory)) {
            processes.start("exec", kubeconfig, "--leader-elect=false");
            cluster.bind("c");
            assertThat(calls).isNotEmptyFile();
            assertThat(processes.said("exec")).doesNotContain(token);
        }
    }

    private Path executable(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
