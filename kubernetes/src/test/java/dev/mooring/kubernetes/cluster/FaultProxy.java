// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and the API server, as whose administrator it acts, and makes some requests fail: refused for a while (429),
 * failed before or after they were carried out (500), answered late, or with the connection cut after they were carried out. Watches pass, but for the
 * same faults at their beginning.
 */
public final class FaultProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final ApiClient server;
    private final Random random;
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<String, AtomicInteger> faults = new ConcurrentHashMap<>();
    private final List<String> next = new ArrayList<>();
    private final List<String> nextOfWatches = new ArrayList<>();
    private volatile int percent;

    /** Lets everything pass until it is told otherwise. */
    public FaultProxy(ApiClient server, long seed) {
        this.server = server;
        this.random = new Random(seed);
        try {
            listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** How many of a hundred requests fail. */
    public void fail(int newPercent) {
        percent = newPercent;
    }

    /** Requests that came, but for those about leases and the beginnings of watches. */
    public int requests() {
        return requests.get();
    }

    /** How often each fault happened. */
    public Map<String, AtomicInteger> faults() {
        return Map.copyOf(faults);
    }

    /** A kubeconfig that leads here. */
    public Path kubeconfig(Path directory) {
        try {
            return Files.writeString(
                    directory.resolve("proxy.kubeconfig"),
                    "clusters: [{name: c, cluster: {server: \"http://127.0.0.1:" + listening.getLocalPort() + "\"}}]\n"
                            + "users: [{name: u, user: {token: none}}]\n"
                            + "contexts: [{name: c, context: {cluster: c, user: u}}]\ncurrent-context: c\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                daemon(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String head = PlainHttp.head(in); !head.isEmpty(); head = PlainHttp.head(in)) {
                byte[] body = in.readNBytes(PlainHttp.length(head));
                String[] first = head.substring(0, head.indexOf('\r')).split(" ", -1);
                if (!pass(first[0], first[1], new String(body, StandardCharsets.UTF_8), out)) {
                    return;
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // one of the two went
        }
    }

    private boolean pass(String method, String path, String body, OutputStream out) throws IOException {
        boolean watch = path.contains("watch=1");
        if (!path.contains("/leases") && !watch) {
            requests.incrementAndGet();
        }
        switch (choose(watch)) {
            case "slow" -> {
                HttpResponse<String> answer = server.send(method, path, body);
                pause();
                PlainHttp.write(out, answer.statusCode(), "", answer.body());
                return true;
            }
            case "429" -> {
                PlainHttp.write(out, 429, "Retry-After: 1\r\n", "{\"kind\":\"Status\",\"code\":429}");
                return true;
            }
            case "500 before" -> {
                PlainHttp.write(out, 500, "", "{\"kind\":\"Status\",\"code\":500}");
                return true;
            }
            case "500 after" -> {
                if (!watch) {
                    server.send(method, path, body);
                }
                PlainHttp.write(out, 500, "", "{\"kind\":\"Status\",\"code\":500}");
                return true;
            }
            case "cut after" -> {
                if (!watch) {
                    server.send(method, path, body);
                }
                return false;
            }
            default -> {
                if (watch) {
                    stream(path, out);
                    return false;
                }
                HttpResponse<String> answer = server.send(method, path, body);
                PlainHttp.write(out, answer.statusCode(), "", answer.body());
                return true;
            }
        }
    }

    /** A second, which is long beside what an answer takes. */
    private static void pause() {
        try {
            Thread.sleep(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized String choose(boolean watch) {
        if (random.nextInt(100) >= percent) {
            return "";
        }
        String fault = watch
                ? dealt(nextOfWatches, "429", "500 before", "500 after", "cut after")
                : dealt(next, "429", "500 before", "500 after", "cut after", "slow");
        faults.computeIfAbsent(fault, name -> new AtomicInteger()).incrementAndGet();
        return fault;
    }

    /** In rounds, each of which has every fault once: few requests see all of them, however chance falls. */
    private String dealt(List<String> round, String... possible) {
        if (round.isEmpty()) {
            round.addAll(List.of(possible));
            Collections.shuffle(round, random);
        }
        return round.remove(0);
    }

    private void stream(String path, OutputStream out) throws IOException {
        HttpResponse<InputStream> answer = server.stream(path);
        String head = "HTTP/1.1 " + answer.statusCode() + " X\r\nConnection: close\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.UTF_8));
        out.flush();
        try (InputStream in = answer.body()) {
            byte[] buffer = new byte[16384];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
