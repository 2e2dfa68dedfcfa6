// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which cluster is chosen, and as whom. */
class ConnectionTest {
    private static final Map<String, String> POD =
            Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "443");

    @TempDir
    Path account;

    @BeforeEach
    void mountAccount() throws Exception {
        Files.writeString(account.resolve("token"), "first\n");
        Files.writeString(account.resolve("ca.crt"), "an authority");
    }

    @Test
    void aPodIsItsServiceAccountWhateverKubeconfigLiesInItsHome() throws Exception {
        String before = System.getProperty("kubeconfig", "");
        Path home = Files.writeString(account.resolve("config"), kubeconfig("https://home"));
        System.setProperty("kubeconfig", home.toString());
        try {
            Connection chosen = Connection.choose(Optional.empty(), POD, account);
            assertThat(chosen.toString()).startsWith("https://10.0.0.1:443").endsWith(" (the pod's service account)");
            assertThat(chosen.config().getCaCertFile())
                    .isEqualTo(account.resolve("ca.crt").toString());
        } finally {
            System.setProperty("kubeconfig", before);
        }
    }

    @Test
    void theTokenOfAPodIsReadAgainWhenItWasRenewed() throws Exception {
        Connection chosen = Connection.choose(Optional.empty(), POD, account);
        assertThat(chosen.config().getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(account.resolve("token"), "second");
        assertThat(chosen.config().getOauthTokenProvider().getToken()).isEqualTo("second");
        Files.delete(account.resolve("token"));
        assertThat(chosen.config().getOauthTokenProvider().getToken()).isEqualTo("second");
    }

    @Test
    void anAddressOfVersionSixIsBracketed() {
        Map<String, String> environment =
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443");
        assertThat(Connection.choose(Optional.empty(), environment, account).server())
                .startsWith("https://[fd00::1]:6443");
    }

    @Test
    void whatIsNamedComesBeforeThePod() throws Exception {
        Path file = Files.writeString(account.resolve("named"), kubeconfig("https://named"));
        assertThat(Connection.choose(Optional.of(file), POD, account).server()).startsWith("https://named");
        Map<String, String> environment = Map.of(
                "KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "443", "KUBECONFIG", file.toString());
        assertThat(Connection.choose(Optional.empty(), environment, account).server())
                .startsWith("https://named");
    }

    @Test
    void aTokenAloneIsNoPod() {
        assertThatThrownBy(() -> Connection.choose(Optional.empty(), Map.of(), account))
                .isInstanceOf(ConnectionException.class)
                .hasMessageStartingWith("no cluster");
    }

    private static String kubeconfig(String server) {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                """.formatted(server);
    }
}
