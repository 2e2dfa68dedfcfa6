// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A client as programs have one: connections are kept, answers are read as objects. Thread-safe. */
final class ProgramClient {
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final HttpClient http;
    private final String url;
    private final String token;

    ProgramClient(Path kubeconfig) throws Exception {
        ServerKubeconfig config = ServerKubeconfig.read(kubeconfig);
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(config.tls())
                .connectTimeout(PATIENCE)
                .build();
        url = "https://127.0.0.1:" + config.port();
        token = config.token();
    }

    private ProgramClient(ProgramClient other, String token) {
        http = other.http;
        url = other.url;
        this.token = token;
    }

    /** The same client with another token. */
    ProgramClient with(String other) {
        return new ProgramClient(this, other);
    }

    /** An answer. */
    record Reply(int status, Document body, HttpResponse<String> response) {
        String text(String... path) {
            return body.text(path).orElse("");
        }
    }

    static Document parse(String text) {
        return JSON.read(text, "an answer");
    }

    /** The objects of a list. */
    static List<Document> items(Document list) {
        List<Document> items = new ArrayList<>();
        for (Object each : (List<?>) list.at("items").orElseThrow()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            ((Map<?, ?>) each).forEach((key, value) -> fields.put((String) key, value));
            items.add(Document.of(fields));
        }
        return items;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + token);
    }

    Reply send(String method, String path, String type, String body) throws IOException {
        HttpRequest request = request(path)
                .timeout(PATIENCE)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            String text = response.body();
            return new Reply(response.statusCode(), text.startsWith("{") ? parse(text) : Document.empty(), response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    Reply json(String method, String path, String body) throws IOException {
        return send(method, path, "application/json", body);
    }

    Reply get(String path) throws IOException {
        return json("GET", path, "");
    }

    /** Begins a watch, or whatever else answers with lines. */
    HttpResponse<InputStream> stream(String path) throws IOException {
        try {
            return http.send(request(path).build(), BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
