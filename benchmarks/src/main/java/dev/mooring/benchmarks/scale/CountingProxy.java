// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.scale;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Passes connections on to a server of this machine, and counts the bytes that come back. Thread-safe. */
final class CountingProxy implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final ServerSocket listening;
    private final int target;
    private final AtomicLong received = new AtomicLong();

    CountingProxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The bytes that the server has sent so far, those of TLS among them. */
    long received() {
        return received.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                daemon(() -> pass(client, server, new AtomicLong()));
                daemon(() -> pass(server, client, received));
            }
        } catch (IOException closed) {
            // the end of the measurement
        }
    }

    private static void pass(Socket from, Socket to, AtomicLong count) {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                count.addAndGet(read);
                out.write(chunk, 0, read);
            }
        } catch (IOException ended) {
            // one side has gone, so the other goes too
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "counting-proxy");
        thread.setDaemon(true);
        thread.start();
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
