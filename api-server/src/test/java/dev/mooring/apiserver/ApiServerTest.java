// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server in this process, asked as a client asks that has nothing but its kubeconfig. */
class ApiServerTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String CONFIG_MAP = "{\"metadata\":{\"name\":\"settings\"},\"data\":{\"a\":\"b\"}}";

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        store.close();
    }

    private record Reply(int status, String body) {}

    @Test
    void aClientWithTheKubeconfigWritesToTheStore() throws Exception {
        try (ApiServer server = ApiServer.builder(store).start()) {
            assertThat(server.url()).startsWith("https://127.0.0.1:").endsWith(":" + server.port());

            assertThat(ask(server.kubeconfig(), "POST", CONFIG_MAPS, CONFIG_MAP).status())
                    .isEqualTo(201);

            assertThat(store.get(Kinds.CONFIG_MAP, ObjectKey.of("default", "settings"))
                            .orThrow()
                            .metadata()
                            .name())
                    .isEqualTo("settings");
        }
    }

    @Test
    void aClientWithoutTheTokenIsRefused() throws Exception {
        try (ApiServer server = ApiServer.builder(store).start()) {
            String stranger = server.kubeconfig().replaceAll("token: .*", "token: another");

            assertThat(ask(stranger, "GET", CONFIG_MAPS, "").status()).isEqualTo(401);
        }
    }

    @Test
    void aPlainServerTakesClientsOfThisMachineForTheAdministrator() throws Exception {
        try (ApiServer server = ApiServer.builder(store).plain().start()) {
            assertThat(server.url()).startsWith("http://127.0.0.1:");

            Reply reply = ask(server.kubeconfig(), "GET", "/api/v1/namespaces", "");

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).contains("\"default\"", "\"kube-system\"");
        }
    }

    @Test
    void aPlainServerDoesNotListenToOtherMachines() {
        ApiServer.Builder described =
                ApiServer.builder(store).plain().address(new java.net.InetSocketAddress(0).getAddress());

        assertThatThrownBy(described::start).hasMessageContaining("loopback");
    }

    @Test
    void aKubeconfigIsGoodForTheNextStartIfItsKeysAreKept() throws Exception {
        String first;
        int port;
        try (ApiServer server = ApiServer.builder(store)
                .credentialsIn(directory.resolve("keys"))
                .start()) {
            first = server.kubeconfig();
            port = server.port();
        }
        try (ApiServer server = ApiServer.builder(store)
                .credentialsIn(directory.resolve("keys"))
                .start()) {
            String moved = first.replace(":" + port, ":" + server.port());

            assertThat(ask(moved, "GET", CONFIG_MAPS, "").status()).isEqualTo(200);
        }
    }

    @Test
    void theKubeconfigFileIsForItsOwnerAlone() throws Exception {
        Path file = directory.resolve("kubeconfig");
        try (ApiServer server = ApiServer.builder(store).start()) {
            server.writeKubeconfig(file);

            assertThat(file).content().isEqualTo(server.kubeconfig());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void severalServersShowOneStore() throws Exception {
        try (ApiServer one = ApiServer.builder(store).start();
                ApiServer other = ApiServer.builder(store).plain().start()) {
            assertThat(ask(one.kubeconfig(), "POST", CONFIG_MAPS, CONFIG_MAP).status())
                    .isEqualTo(201);

            assertThat(ask(other.kubeconfig(), "GET", CONFIG_MAPS + "/settings", "")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void closingLeavesNoThreadAndNoPortAndEndsWatches() throws Exception {
        Set<Thread> before = ServerThreads.alive();
        ApiServer server = ApiServer.builder(store).plain().start();
        HttpURLConnection watch = (HttpURLConnection) URI.create(server.url() + "/api/v1/namespaces?watch=true")
                .toURL()
                .openConnection();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).contains("ADDED");

            server.close();

            while (lines.readLine() != null) {
                // what the server had sent before
            }
        }
        assertThatThrownBy(() -> ask(server.kubeconfig(), "GET", "/api", "")).isInstanceOfAny(ConnectException.class);
        ServerThreads.assertNoneLeft(before);
    }

    private static Reply ask(String kubeconfig, String method, String path, String body) throws Exception {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(field(kubeconfig, "server") + path).toURL().openConnection();
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(
                    trusting(field(kubeconfig, "certificate-authority-data")).getSocketFactory());
            connection.setRequestProperty("Authorization", "Bearer " + field(kubeconfig, "token"));
        }
        connection.setRequestMethod(method);
        if (!body.isEmpty()) {
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        int status = connection.getResponseCode();
        try (var in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Reply(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String field(String kubeconfig, String name) throws IOException {
        Matcher found = Pattern.compile(name + ": (\\S+)").matcher(kubeconfig);
        if (!found.find()) {
            throw new IOException("no " + name + " in the kubeconfig");
        }
        return found.group(1);
    }

    private static SSLContext trusting(String authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Base64.getDecoder().decode(authority))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
