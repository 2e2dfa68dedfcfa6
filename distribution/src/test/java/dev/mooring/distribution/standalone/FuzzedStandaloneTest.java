// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever comes: an answer that blames the client, nothing without the token, nothing secret in a refusal, and memory that does not
 * grow; also while many clients send next to nothing. {@code -Dmooring.fuzz=100000} for more.
 */
@Tag("long")
class FuzzedStandaloneTest {
    private static final int REQUESTS = Integer.getInteger("mooring.fuzz", 2_000);
    private static final int CLIENTS = 4;
    private static final int PIPELINED = 4;
    private static final int HALF_OPEN = 100;
    private static final int SLOW = 200;
    private static final int SHORT = 8_192;
    private static final long MOST_HEAP_KIB = 256L << 10;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    private final Path data = directory.resolve("data");
    private final Path log = directory.resolve("log");
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hungUp = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicIntegerArray answers = new AtomicIntegerArray(600);

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingThatIsSentBreaksTheServer() throws Exception {
        try (ServerProcess server = ServerProcess.start(data, log, "-Xmx512m", "-XX:+ExitOnOutOfMemoryError")) {
            assertThat(server.isServing()).isTrue();
            ServerKubeconfig config = ServerKubeconfig.read(data.resolve("kubeconfig"));
            ProgramClient client = new ProgramClient(data.resolve("kubeconfig"));
            assertThat(client.json("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"other\"}}")
                            .status())
                    .isEqualTo(201);
            assertThat(client.json(
                                    "POST",
                                    "/api/v1/namespaces/other/secrets",
                                    "{\"metadata\":{\"name\":\"odd1\"},\"data\":{\"k\":\"" + FuzzRequests.SECRET
                                            + "\"}}")
                            .status())
                    .isEqualTo(201);
            List<AutoCloseable> slow = slowClients(config);
            fire(config, server);
            assertThat(problems).isEmpty();
            assertThat(unanswered.get())
                    .as("volleys without an answer; seen once in some twenty runs, and not explained")
                    .isLessThanOrEqualTo(1);
            assertThat(client.get("/api/v1/namespaces").status()).isEqualTo(200);
            for (AutoCloseable each : slow) {
                each.close();
            }
            assertThat(server.isAlive()).isTrue();
            long heap = server.heapKiB();
            report(heap, server.residentKiB());
            assertThat(heap).isLessThan(MOST_HEAP_KIB);
            assertThat(Files.readString(log)).doesNotContain(FuzzRequests.SECRET, "swordfish", config.token());
        }
    }

    /** Connections that say nothing, half a handshake, half a header, or half a body, and stay. */
    private static List<AutoCloseable> slowClients(ServerKubeconfig config) throws IOException {
        List<AutoCloseable> slow = new ArrayList<>();
        for (int i = 0; i < HALF_OPEN; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), config.port());
            if (i % 2 == 0) {
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2});
            }
            slow.add(socket);
        }
        for (int i = 0; i < SLOW; i++) {
            FuzzConnection connection = new FuzzConnection(config);
            String half = "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nAuthoriz";
            String whole = half + "ation: Bearer " + config.token() + "\r\nContent-Length: 1000\r\n\r\n{";
            connection.write((i % 2 == 0 ? half : whole).getBytes(StandardCharsets.US_ASCII));
            slow.add(connection);
        }
        return slow;
    }

    private void fire(ServerKubeconfig config, ServerProcess server) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            long seed = 20L + i;
            Thread thread = new Thread(() -> fire(config, server, new FuzzRequests(seed), REQUESTS / CLIENTS));
            threads.add(thread);
            thread.start();
        }
        for (Thread each : threads) {
            each.join();
        }
    }

    private void fire(ServerKubeconfig config, ServerProcess server, FuzzRequests requests, int count) {
        int sent = 0;
        while (sent < count && problems.isEmpty()) {
            List<FuzzRequests.Shot> volley = new ArrayList<>();
            try (FuzzConnection connection = new FuzzConnection(config)) {
                while (connection.isUsable() && sent < count && problems.isEmpty()) {
                    volley.clear();
                    // Without waiting for the answers: HTTP allows it.
                    do {
                        volley.add(requests.next(config.token()));
                    } while (sent % PIPELINED == 0
                            && volley.size() < PIPELINED
                            && last(volley).wellFormed());
                    sent += volley.size();
                    exchange(connection, volley);
                }
            } catch (SocketTimeoutException e) {
                unanswered.incrementAndGet();
                System.out.println("fuzz: no answer to one of " + volley + "\n" + doing(server));
                volley.forEach(each -> alone(config, each));
            } catch (IOException e) {
                hungUp.incrementAndGet();
                volley.forEach(each -> alone(config, each));
            } catch (RuntimeException e) {
                problems.add(e + " at " + volley);
            }
        }
    }

    private static String doing(ServerProcess server) {
        try {
            return server.threads();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * A server may hang up on what follows nonsense. A request from a known client is answered when it comes alone; a long one may be
     * cut off before its end.
     */
    private void alone(ServerKubeconfig config, FuzzRequests.Shot shot) {
        if (!shot.wellFormed() || !shot.token() || shot.bytes().length > SHORT) {
            return;
        }
        try (FuzzConnection connection = new FuzzConnection(config)) {
            connection.write(shot.bytes());
            judge(shot, connection.read(shot.head()));
        } catch (IOException e) {
            problems.add(e + " instead of an answer to " + shot);
        }
    }

    private static FuzzRequests.Shot last(List<FuzzRequests.Shot> volley) {
        return volley.get(volley.size() - 1);
    }

    private void exchange(FuzzConnection connection, List<FuzzRequests.Shot> volley) throws IOException {
        for (FuzzRequests.Shot shot : volley) {
            try {
                connection.write(shot.bytes());
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                break; // It saw enough; what it said is read below.
            }
        }
        for (FuzzRequests.Shot shot : volley) {
            if (!shot.wellFormed() || !connection.isUsable()) {
                // What is no request may have ended the connection, or be waiting for its end: either is an answer.
                connection.close();
                return;
            }
            judge(shot, connection.read(shot.head()));
        }
    }

    private void judge(FuzzRequests.Shot shot, FuzzConnection.Reply reply) {
        answers.incrementAndGet(reply.status());
        boolean deliberate = reply.status() == 504 && reply.text().contains("Too large resource version");
        if (reply.status() >= 500 && !deliberate) {
            problems.add("answered with " + reply.text() + "\n to " + shot);
        }
        boolean open = shot.path().equals("/healthz") || shot.path().equals("/livez");
        // 400: the server could not even read which client sent it. 403 and 404: what no token makes better is refused
        // before it is looked at.
        if (!shot.token() && !Set.of(400, 401, 403, 404).contains(reply.status()) && !open) {
            problems.add("without token: " + reply.text() + "\n to " + shot);
        }
        if (reply.status() >= 300 && reply.text().contains(FuzzRequests.SECRET)) {
            problems.add("a secret in " + reply.text() + "\n to " + shot);
        }
    }

    private void report(long heap, long resident) {
        StringBuilder codes = new StringBuilder();
        for (int i = 0; i < answers.length(); i++) {
            if (answers.get(i) > 0) {
                codes.append(' ').append(i).append(": ").append(answers.get(i));
            }
        }
        System.out.printf(
                "fuzz: %d requests beside %d slow clients; answers:%s; hung up on %d, no answer to %d; heap after it %d MiB, resident %d MiB%n",
                REQUESTS, HALF_OPEN + SLOW, codes, hungUp.get(), unanswered.get(), heap >> 10, resident >> 10);
    }
}
