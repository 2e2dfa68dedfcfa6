// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client of its own for tests: it shares nothing with the one under test but the codec. */
public final class ApiClient {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private final String server;
    private final String token;
    private final HttpClient http;

    private ApiClient(String server, String token, HttpClient http) {
        this.server = server;
        this.token = token;
        this.http = http;
    }

    /** A client of a server without keys. */
    public static ApiClient plain(String server) {
        return new ApiClient(server, "", HttpClient.newHttpClient());
    }

    static ApiClient ofKubeconfig(Path file) throws IOException, GeneralSecurityException {
        Document config = KubernetesYaml.standard().read(Files.readString(file), "kubeconfig");
        Map<?, ?> cluster = (Map<?, ?>) first(config, "clusters").get("cluster");
        Map<?, ?> user = (Map<?, ?>) first(config, "users").get("user");
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (var in = Files.newInputStream(Path.of((String) cluster.get("certificate-authority")))) {
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return new ApiClient(
                (String) cluster.get("server"),
                (String) user.get("token"),
                HttpClient.newBuilder().sslContext(context).build());
    }

    private static Map<?, ?> first(Document config, String list) {
        return (Map<?, ?>) ((List<?>) config.at(list).orElseThrow()).get(0);
    }

    /** The status and the body of an answer. */
    public HttpResponse<String> send(String method, String path, String body) {
        return send(method, path, method.equals("PATCH") ? "application/merge-patch+json" : "application/json", body);
    }

    /** The same with a media type of the body. */
    public HttpResponse<String> send(String method, String path, String type, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", type)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A request in another form than JSON, answered in that form. */
    public HttpResponse<byte[]> exchange(String method, String path, String type, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", type)
                .header("Accept", type)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** An answer that is read as it comes. */
    HttpResponse<java.io.InputStream> stream(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The answer to a request that must succeed. */
    public Document ok(String method, String path, String body) {
        HttpResponse<String> response = send(method, path, body);
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return JSON.read(response.body(), path);
    }

    /** Removes all objects of a collection, finalizers or not. */
    @SuppressWarnings("unchecked") // maps in a document have text keys
    public void removeAll(String collection) {
        List<?> items = (List<?>) ok("GET", collection, "").at("items").orElseThrow();
        for (Object each : items) {
            Document object = Document.of((Map<String, ?>) each);
            String namespace = object.text("metadata", "namespace").orElse("");
            String plural = collection.substring(collection.lastIndexOf('/') + 1);
            String base = collection.substring(0, collection.lastIndexOf('/'));
            String path = base + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural + "/"
                    + object.text("metadata", "name").orElseThrow();
            send("PATCH", path, "{\"metadata\":{\"finalizers\":null}}");
            send("DELETE", path, "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0}");
        }
    }
}
