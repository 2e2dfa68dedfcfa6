// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that carries whatever bytes a test likes, and reads answers as HTTP/1.1 says. */
final class FuzzConnection implements AutoCloseable {
    /** Less than the server waits for a client, after which it hangs up: so the test sees which side waits. */
    private static final int PATIENCE_MILLIS = 45_000;

    private final TlsConnection connection;
    private final InputStream in;
    private boolean usable = true;
    private String before = "nothing";

    FuzzConnection(ServerKubeconfig config) throws IOException {
        connection = new TlsConnection(config, PATIENCE_MILLIS);
        in = new BufferedInputStream(connection.in());
    }

    /** An answer: status and everything else as text. */
    record Reply(int status, String text) {}

    /** Whether another request may follow. */
    boolean isUsable() {
        return usable;
    }

    void write(byte[] bytes) throws IOException {
        OutputStream out = connection.out();
        out.write(bytes);
        out.flush();
    }

    /** Says that nothing more will come, and stays to read. */
    void leave() throws IOException {
        connection.leave();
    }

    /** The next answer; fails with an {@link IOException} if the server hung up, and a time-out if it says nothing. */
    Reply read(boolean head) throws IOException {
        String top = header();
        if (!top.startsWith("HTTP/1.1 ")) {
            throw new IllegalStateException("no status line, but " + top + " after " + before);
        }
        int status = Integer.parseInt(top.substring(9, 12));
        String lower = top.toLowerCase(Locale.ROOT);
        if (lower.contains("\r\nconnection: close")) {
            usable = false;
        }
        boolean bodyless = head || status == 204 || status == 304 || status / 100 == 1;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (!bodyless && lower.contains("\r\ntransfer-encoding: chunked")) {
            int size = Integer.parseInt(line().strip(), 16);
            while (size > 0) {
                body.writeBytes(exactly(size));
                line();
                size = Integer.parseInt(line().strip(), 16);
            }
            line();
        } else if (!bodyless && lower.contains("\r\ncontent-length: ")) {
            int at = lower.indexOf("\r\ncontent-length: ") + 18;
            body.writeBytes(exactly(Integer.parseInt(lower.substring(at, lower.indexOf('\r', at)))));
        } else if (!bodyless) {
            body.writeBytes(in.readAllBytes());
            usable = false;
        }
        before = (head ? "(to a HEAD) " : "") + top + body.toString(StandardCharsets.UTF_8);
        return new Reply(status, top + body.toString(StandardCharsets.UTF_8));
    }

    private byte[] exactly(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException();
        }
        return bytes;
    }

    private String header() throws IOException {
        StringBuilder top = new StringBuilder();
        String line = line();
        while (!line.equals("\r\n")) {
            top.append(line);
            line = line();
        }
        return top.append(line).toString();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || line.charAt(line.length() - 1) != '\n') {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            line.append((char) next);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
