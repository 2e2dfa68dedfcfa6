// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which cluster is chosen, and as which user. */
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
        Files.setLastModifiedTime(account.resolve("token"), FileTime.fromMillis(0));
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

    private static final String PLAIN = """
            apiVersion: v1
            kind: Config
            current-context: c
            contexts: [{name: c, context: {cluster: c, user: u, namespace: n}}, {name: d, context: {cluster: d, user: v}}]
            clusters: [{name: c, cluster: {server: "https://named:6443", certificate-authority-data: YXV0aG9yaXR5}}]
            users: [{name: u, user: {%s}}]
            """;
    /** {@code -----BEGIN EC PRIVATE KEY-----}. */
    private static final String KEY = "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCg==";

    @Test
    void theUsualKubeconfigsAreReadAsTheClientReadsThem() throws Exception {
        Files.writeString(account.resolve("key"), "-----BEGIN EC PRIVATE KEY-----\n");
        for (String user : List.of(
                "token: secret",
                "client-certificate-data: Y2VydA==, client-key-data: " + KEY,
                "client-certificate: cert, client-key: key",
                "client-certificate: /etc/cert, client-key-data: " + KEY)) {
            readsAsTheClient(PLAIN.formatted(user), user);
        }
        for (String authority : List.of("ca.crt", "../ca.crt", "/etc/ca.crt")) {
            readsAsTheClient(
                    PLAIN.formatted("token: secret")
                            .replace("certificate-authority-data: YXV0aG9yaXR5", "certificate-authority: " + authority),
                    "token " + authority);
        }
    }

    private void readsAsTheClient(String kubeconfig, String user) throws Exception {
        Path file = Files.writeString(account.resolve("named"), kubeconfig);
        assertThat(PlainKubeconfig.read(kubeconfig, account)).as(user).isPresent();
        Config ours = Connection.ofKubeconfig(file).config();
        Config theirs = Config.fromKubeconfig(file.toFile());
        for (Method getter : Config.class.getMethods()) {
            boolean isRead = getter.getParameterCount() == 0
                    && !Modifier.isStatic(getter.getModifiers())
                    && getter.getName().matches("(get|is)[A-Z].*")
                    && !NOT_OF_THE_CONNECTION.contains(getter.getName())
                    // Of a key that is not there.
                    && !(user.startsWith("token") && getter.getName().equals("getClientKeyAlgo"));
            if (isRead) {
                assertThat(getter.invoke(ours))
                        .as(user + ": " + getter.getName())
                        .isEqualTo(getter.invoke(theirs));
            }
        }
        String token = ours.getOauthTokenProvider() == null
                ? null
                : ours.getOauthTokenProvider().getToken();
        assertThat(token).isEqualTo(theirs.getAutoOAuthToken());
    }

    /** Two places of a token, which the last line compares, what a context and files are called, and how settings that are missing are found. */
    private static final Set<String> NOT_OF_THE_CONNECTION = Set.of(
            "getClass",
            "getAutoOAuthToken",
            "getOauthTokenProvider",
            "getContexts",
            "getCurrentContext",
            "getFile",
            "getFiles",
            "getFileWithAuthInfo",
            "getFileWithCluster",
            "getFileWithContext",
            "getNamespace",
            "isAutoConfigure",
            "getAutoConfigure",
            "getRequestConfig");

    @Test
    void unusualKubeconfigsAreLeftToTheClient() {
        for (String user : List.of(
                "",
                "token: ''",
                "token: a, tokenFile: b",
                "client-certificate-data: Y2VydA==",
                "client-certificate: file",
                "client-certificate: file, client-key: file, client-key-data: " + KEY,
                "tokenFile: file",
                "token: 123, client-certificate: file, client-key: file",
                "token: a, client-certificate: 1, client-key: [file]",
                "token: a, as: other",
                "username: a, password: b",
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token}")) {
            assertThat(PlainKubeconfig.read(PLAIN.formatted(user), account))
                    .as(user)
                    .isEmpty();
        }
        String usual = PLAIN.formatted("token: a");
        for (String other : List.of(
                usual.replace("https", "http"),
                usual.replace("certificate-authority-data: YXV0aG9yaXR5", "insecure-skip-tls-verify: true"),
                usual.replace("YXV0aG9yaXR5", "YXV0aG9yaXR5, proxy-url: 'http://proxy'"),
                usual.replace("current-context: c", "current-context: d"),
                usual.replace("users: [", "users: [{name: u, user: {token: b}}, "),
                usual + "users: []",
                "not: [closed")) {
            assertThat(PlainKubeconfig.read(other, account)).as(other).isEmpty();
        }
    }

    @Test
    void theTokenOfAKubeconfigIsReadAgainWhenTheFileHasChanged() throws Exception {
        Path file = Files.writeString(account.resolve("named"), PLAIN.formatted("token: first"));
        Connection connection = Connection.ofKubeconfig(file);
        assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(file, PLAIN.formatted("token: second"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("second");
        Files.writeString(file, "half a file: [");
        Files.setLastModifiedTime(file, FileTime.fromMillis(2_000));
        assertThat(connection.config().getOauthTokenProvider().getToken()).isEqualTo("second");
        assertThat(connection.toString()).doesNotContain("first", "second");
        assertThat(PlainKubeconfig.read(PLAIN.formatted("token: first"), account)
                        .toString())
                .doesNotContain("first");
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
