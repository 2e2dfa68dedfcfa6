// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One watch that notes when it was told of what, by a thread of its own. */
final class LoadWatch implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 500_000;
    private static final String AT = "\"at\":\"";
    private static final int STACK = 128 << 10;

    private final TlsConnection connection;
    // Guarded by this.
    private final List<Long> times = new ArrayList<>();
    private int events;
    private String broken = "";

    LoadWatch(ServerKubeconfig config, String path) throws IOException {
        connection = new TlsConnection(config, PATIENCE_MILLIS);
        connection.out().write(request(config, path));
        BufferedReader in = new BufferedReader(new InputStreamReader(connection.in(), StandardCharsets.UTF_8), 2_048);
        String line = in.readLine();
        if (line == null || !line.contains(" 200 ")) {
            throw new IOException("no watch: " + line);
        }
        Thread thread = new Thread(null, () -> read(in), "watch", STACK);
        thread.setDaemon(true);
        thread.start();
    }

    static byte[] request(ServerKubeconfig config, String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + config.token() + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private void read(BufferedReader in) {
        try {
            String line = in.readLine();
            while (line != null) {
                int at = line.indexOf(AT);
                if (line.startsWith("{") && at > 0) {
                    long sent = Long.parseLong(line.substring(at + AT.length(), line.indexOf('"', at + AT.length())));
                    told(System.nanoTime() - sent);
                }
                line = in.readLine();
            }
            broken("the stream ended");
        } catch (IOException | RuntimeException e) {
            broken(e.toString());
        }
    }

    private synchronized void told(long time) {
        times.add(time);
        events++;
        notifyAll();
    }

    private synchronized void broken(String why) {
        broken = why;
        notifyAll();
    }

    /** Waits until it was told so often; not less, not more. */
    synchronized void await(int wanted) throws InterruptedException {
        while (events < wanted && broken.isEmpty()) {
            wait();
        }
        if (events != wanted) {
            throw new AssertionError(events + " events instead of " + wanted + " " + broken);
        }
    }

    synchronized void forgetTimes() {
        times.clear();
    }

    synchronized long[] times() {
        return times.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
