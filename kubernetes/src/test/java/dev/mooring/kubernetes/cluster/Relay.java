// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes on what comes until it is told to lose everything on the connections that stand, without an end of one: as when a router dies. */
public final class Relay implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    /** To a port of this machine. */
    public Relay(int target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** Where it listens. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Copies a kubeconfig into a directory; the server of the copy is reached through this relay. */
    public Path copyOf(Path kubeconfig, Path directory) throws IOException {
        String text = Files.readString(kubeconfig);
        String server = "127.0.0.1:" + target;
        assertThat(text).contains(server);
        return Files.writeString(directory.resolve("kubeconfig"), text.replace(server, "127.0.0.1:" + port()));
    }

    /** How many connections were made. */
    public int connections() {
        return connections.get();
    }

    /** Loses from now on what is sent over the connections that stand. */
    public void silence() {
        silent.addAll(sockets);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                connections.incrementAndGet();
                daemon(() -> pass(near, far));
                daemon(() -> pass(far, near));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16384];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!silent.contains(from)) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
            if (!silent.contains(from)) {
                to.close();
            }
        } catch (IOException e) {
            // one of the two went
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
