// SPDX-License-Identifier: Apache-2.0
package com.example.extender;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * An extender of kube-scheduler: it is asked which nodes a pod's volumes allow, and which of these has the disk that the pod would fill
 * best. It writes nothing; kube-scheduler assumes and binds as without it. In its configuration:
 *
 * <pre>{@code
 * extenders:
 * - urlPrefix: http://127.0.0.1:8888
 *   filterVerb: filter
 *   prioritizeVerb: prioritize
 *   weight: 1
 *   nodeCacheCapable: true
 * }</pre>
 */
public final class VolumeExtender implements AutoCloseable {
    private static final int THREADS = 4;

    private final KubernetesStore store;
    private final NodeAnswers answers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private VolumeExtender(KubernetesStore store, int port) throws IOException {
        this.store = store;
        answers = new NodeAnswers(store);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/filter", exchange -> answer(exchange, answers::filter));
        server.createContext("/prioritize", exchange -> answer(exchange, answers::prioritize));
        server.start();
    }

    /**
     * Starts on this machine's own address.
     *
     * @param kubeconfig the cluster; empty for the one of {@code KUBECONFIG}, or that of this pod
     * @param port 0 for a free one
     */
    public static VolumeExtender start(Optional<Path> kubeconfig, int port) throws IOException {
        Connection connection = Connection.choose(kubeconfig, System.getenv());
        return new VolumeExtender(KubernetesStore.open(connection, KubernetesOptions.DEFAULT), port);
    }

    /** Runs until it is ended: {@code VolumeExtender PORT [KUBECONFIG]}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.err.println("usage: VolumeExtender PORT [KUBECONFIG]");
            System.exit(2);
        }
        Optional<Path> kubeconfig = arguments.length > 1 ? Optional.of(Path.of(arguments[1])) : Optional.empty();
        VolumeExtender extender = start(kubeconfig, Integer.parseInt(arguments[0]));
        System.out.println("listens on " + extender.url());
        Thread.currentThread().join();
    }

    /** What kube-scheduler's configuration calls {@code urlPrefix}. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, Function<ExtenderArgs, String> question) throws IOException {
        int status = 200;
        String text;
        try (exchange) {
            try {
                Document arguments = KubernetesJson.standard().read(exchange.getRequestBody(), "the request");
                text = question.apply(ExtenderArgs.of(arguments));
            } catch (CodecException | IllegalArgumentException e) {
                status = 400;
                text = String.valueOf(e.getMessage());
            }
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", status == 200 ? "application/json" : "text/plain");
            exchange.sendResponseHeaders(status, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
        answers.close();
        store.close();
    }
}
