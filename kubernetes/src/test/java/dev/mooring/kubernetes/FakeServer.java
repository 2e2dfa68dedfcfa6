// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.kubernetes.cluster.PlainHttp;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server on loopback that answers as it is told, or breaks off where it is told. */
final class FakeServer implements AutoCloseable {
    /** What becomes of a request. */
    enum Behaviour {
        ANSWER,
        CUT_AFTER_REQUEST,
        CUT_IN_ANSWER,
        /** Answers nothing. */
        HANG,
        /** Answers nothing, but the watches that were begun before hear of each request. */
        HANG_AND_TELL_WATCHES,
        /** Begins a watch, and says nothing. */
        WATCH,
        /** Shows an object by a watch, and then nothing; answers everything else. */
        WATCH_WITHOUT_END,
        /** Answers no watch, but everything else. */
        HANG_WATCHES,
        /** Answers everything, but shows no list by a watch. */
        REFUSE_INITIAL_EVENTS
    }

    /** Longer than any answer takes; for requests that are answered. */
    static final Duration AMPLE = Duration.ofMinutes(2);

    private static final String VOLUME = "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolume\",\"metadata\":"
            + "{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":{}}";
    private static final String EVENT =
            "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\"}}}\n";
    private static final String CORE = "{\"resources\":[{\"name\":\"persistentvolumes\"}]}";

    private final ServerSocket listening;
    private final Thread accepting;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<OutputStream> watches = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final AtomicInteger questions = new AtomicInteger();
    private volatile int coreCode = 200;
    private volatile String storage = "";
    private final Queue<Reply> first = new ConcurrentLinkedQueue<>();
    private volatile Behaviour behaviour = Behaviour.ANSWER;
    private volatile int code = 200;
    private volatile String headers = "";
    private volatile String body = VOLUME;

    FakeServer() {
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = daemon(this::accept);
    }

    KubernetesStore store(Duration timeout) {
        return KubernetesStore.open(connection(), KubernetesOptions.DEFAULT.withRequestTimeout(timeout));
    }

    Connection connection() {
        try {
            Path file = Files.createTempFile("mooring", ".kubeconfig");
            file.toFile().deleteOnExit();
            Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: u, user: {token: t}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    current-context: c
                    """.formatted(listening.getLocalPort()));
            return Connection.ofKubeconfig(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void answer(int newCode, String newHeaders, String newBody) {
        code = newCode;
        headers = newHeaders;
        body = newBody;
    }

    /** One answer, before those that {@link #answer} says; in the order of the calls. */
    void answerOnce(int onceCode, String onceBody) {
        first.add(new Reply(onceCode, Optional.empty(), onceBody.getBytes(StandardCharsets.UTF_8)));
    }

    void behave(Behaviour newBehaviour) {
        behaviour = newBehaviour;
    }

    /** From now on it has these resources of storage.k8s.io/v1, of which it has none in the beginning. */
    void serveStorage(String... plurals) {
        storage = Stream.of(plurals)
                .map(plural -> "{\"name\":\"" + plural + "\"}")
                .collect(Collectors.joining(",", "{\"resources\":[", "]}"));
    }

    /** What it answers when it is asked what is in its core. */
    void answerCore(int newCode) {
        coreCode = newCode;
    }

    /** How often it was asked what is in storage.k8s.io/v1. */
    int questions() {
        return questions.get();
    }

    /** Requests that were read, but for discovery's. */
    int requests() {
        return requests.get();
    }

    /** The connections that stand. */
    int connections() {
        return connections.size();
    }

    /** Heads and bodies of what was read, but for discovery's. */
    List<String> texts() {
        return List.copyOf(bodies);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "fake-server");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                connections.add(socket);
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
                String sent = new String(in.readNBytes(PlainHttp.length(head)), StandardCharsets.UTF_8);
                if (head.startsWith("GET /api/v1 ")) {
                    PlainHttp.write(out, coreCode, "", CORE);
                } else if (head.startsWith("GET /apis/storage.k8s.io/v1 ")) {
                    questions.incrementAndGet();
                    PlainHttp.write(out, storage.isEmpty() ? 404 : 200, "", storage);
                } else if (head.matches("(?s)GET /apis/[^/]+/v1 .*")) {
                    PlainHttp.write(out, 404, "", "404 page not found");
                } else {
                    requests.incrementAndGet();
                    bodies.add(head + "\n" + sent);
                    if (!carryOn(out, head)) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // the client went
        } finally {
            connections.remove(socket);
        }
    }

    private boolean carryOn(OutputStream out, String head) throws IOException {
        boolean watch = head.contains("watch=1");
        switch (behaviour) {
            case ANSWER -> answerNext(out);
            case WATCH_WITHOUT_END -> {
                if (watch) {
                    out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                    out.write(("{\"type\":\"ADDED\",\"object\":" + VOLUME + "}\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                } else {
                    answerNext(out);
                }
            }
            case HANG_WATCHES -> {
                if (!watch) {
                    answerNext(out);
                }
            }
            case REFUSE_INITIAL_EVENTS -> {
                if (head.contains("sendInitialEvents")) {
                    PlainHttp.write(out, 422, "", "{\"message\":\"sendInitialEvents: Forbidden\",\"code\":422}");
                } else {
                    answerNext(out);
                }
            }
            case CUT_AFTER_REQUEST -> {
                return false;
            }
            case CUT_IN_ANSWER -> {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"kind".getBytes(StandardCharsets.UTF_8));
                out.flush();
                return false;
            }
            case HANG -> {} // and reads on
            case HANG_AND_TELL_WATCHES -> {
                for (OutputStream each : watches) {
                    each.write(EVENT.getBytes(StandardCharsets.UTF_8));
                    each.flush();
                }
            }
            case WATCH -> {
                out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                out.write(EVENT.getBytes(StandardCharsets.UTF_8));
                out.flush();
                watches.add(out);
            }
        }
        return true;
    }

    private void answerNext(OutputStream out) throws IOException {
        Reply once = first.poll();
        if (once == null) {
            PlainHttp.write(out, code, headers, body);
        } else {
            PlainHttp.write(out, once.code(), "", new String(once.body(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            // The kernel listens on as long as a thread is in the middle of accepting.
            accepting.join();
            for (Socket socket : connections) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
