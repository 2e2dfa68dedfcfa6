// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A client that sends what it is told to send, byte for byte: also what no client should. */
final class RawWebSocket implements AutoCloseable {
    static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    static final String HANDSHAKE =
            UPGRADE + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** Longer than anything here takes. */
    private static final int MOST_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final Answered answered;

    /** A whole answer, or the head of one that goes on. */
    record Answered(int status, String head, String body) {
        boolean has(String header) {
            return head.toLowerCase(Locale.ROOT).contains(header.toLowerCase(Locale.ROOT));
        }
    }

    /** A frame of the server: it never masks. */
    record Received(int first, ByteBuffer payload) {
        int code() {
            return first & 0xf;
        }

        boolean isWhole() {
            return (first & 0x80) != 0;
        }

        String text() {
            return StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
        }

        int closeStatus() {
            return payload.getShort(0);
        }
    }

    /** Sends a head and reads what it is answered with. */
    RawWebSocket(int port, String head) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MOST_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        write(head.getBytes(StandardCharsets.ISO_8859_1));
        String begin = readHead();
        int status = Integer.parseInt(begin.split(" ", -1)[1]);
        int length = begin.toLowerCase(Locale.ROOT)
                .lines()
                .filter(line -> line.startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.split(":", -1)[1].strip()))
                .findFirst()
                .orElse(0);
        answered = new Answered(status, begin, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    /** A watch of a path and query. */
    static RawWebSocket watch(int port, String path, String more) throws IOException {
        return new RawWebSocket(port, get(path, HANDSHAKE + more));
    }

    static String get(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
    }

    private String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    Answered answered() {
        return answered;
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends a frame, masked as a client's has to be. */
    void send(int first, byte[] payload) throws IOException {
        byte[] mask = {1, 2, 3, 4};
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
        frame.put((byte) first);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i % 4]));
        }
        byte[] bytes = new byte[frame.flip().remaining()];
        frame.get(bytes);
        write(bytes);
    }

    Received read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        if ((second & 0x80) != 0) {
            throw new IOException("a server does not mask");
        }
        long length = second == 126 ? in.readUnsignedShort() : second == 127 ? in.readLong() : second;
        return new Received(first, ByteBuffer.wrap(in.readNBytes((int) length)));
    }

    /** The texts up to one that is meant, with it. */
    List<String> readUntil(Predicate<String> last) throws IOException {
        List<String> texts = new ArrayList<>();
        while (texts.isEmpty() || !last.test(texts.get(texts.size() - 1))) {
            Received frame = read();
            if (frame.code() != TEXT || !frame.isWhole()) {
                throw new IOException("no whole text: " + frame.first() + " after " + texts);
            }
            texts.add(frame.text());
        }
        return texts;
    }

    /** Whether the server has ended the connection, once everything was read. */
    boolean isAtEnd() {
        try {
            in.readUnsignedByte();
            return false;
        } catch (EOFException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
