// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A driver that writes the frames of HTTP/2 itself, so that it can write what no library writes. */
final class RawDriver implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    private static final int PREFACE = 24;
    private static final int FRAME = 9;

    private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile Script script;

    /** What is written when a whole request has come. */
    @FunctionalInterface
    interface Script {
        /**
         * Answers.
         *
         * @param stream the stream of the request
         */
        void answer(Wire wire, int stream) throws IOException;

        /** What is written as soon as a process connects; the settings that HTTP/2 begins with. */
        default void greet(Wire wire) throws IOException {
            wire.frame(SETTINGS, 0, 0, new byte[0]);
        }
    }

    /**
     * Where it is written to.
     *
     * @param channel the connection
     */
    record Wire(SocketChannel channel) {
        void bytes(byte[] bytes) throws IOException {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            while (all.hasRemaining()) {
                channel.write(all);
            }
        }

        void text(String text) throws IOException {
            bytes(text.getBytes(StandardCharsets.US_ASCII));
        }

        void frame(int type, int flags, int stream, byte[] content) throws IOException {
            head(content.length, type, flags, stream);
            bytes(content);
        }

        /** The head of a frame alone, of whatever length it claims. */
        void head(int length, int type, int flags, int stream) throws IOException {
            bytes(ByteBuffer.allocate(FRAME)
                    .put((byte) (length >> 16))
                    .putShort((short) length)
                    .put((byte) type)
                    .put((byte) flags)
                    .putInt(stream)
                    .array());
        }

        /** The headers of an answer: {@code :status 200}, and what a client asks for. */
        void begin(int stream) throws IOException {
            frame(HEADERS, END_HEADERS, stream, headers("content-type", "application/grpc"));
        }

        /** A message of gRPC. */
        void message(int stream, byte[] content) throws IOException {
            frame(DATA, 0, stream, framed(0, content.length, content));
        }

        /** The end of an answer. */
        void end(int stream, String... trailers) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            literals(all, trailers);
            frame(HEADERS, END_HEADERS | END_STREAM, stream, all.toByteArray());
        }
    }

    RawDriver(Path socket) throws IOException {
        server.bind(UnixDomainSocketAddress.of(socket));
        script = (wire, stream) -> {};
        Thread accepting = new Thread(this::accept, "raw-driver");
        accepting.setDaemon(true);
        accepting.start();
    }

    /** What it does from now on. */
    void follow(Script other) {
        script = other;
    }

    /** How many connections there are. */
    int connections() {
        return open.size();
    }

    static byte[] framed(int compressed, int length, byte[] content) {
        return ByteBuffer.allocate(5 + content.length)
                .put((byte) compressed)
                .putInt(length)
                .put(content)
                .array();
    }

    static byte[] headers(String... pairs) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(0x88); // :status 200, of HPACK's own table
        literals(all, pairs);
        return all.toByteArray();
    }

    /** Headers that end with a status of HTTP alone. */
    static byte[] status(String status) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        literals(all, ":status", status);
        return all.toByteArray();
    }

    /** Header fields without compression: HPACK's literals that are not indexed. */
    static void literals(ByteArrayOutputStream to, String... pairs) {
        for (int i = 0; i < pairs.length; i++) {
            if (i % 2 == 0) {
                to.write(0);
            }
            byte[] text = pairs[i].getBytes(StandardCharsets.ISO_8859_1);
            to.write(text.length);
            to.writeBytes(text);
        }
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                open.add(connection);
                Thread serving = new Thread(() -> serve(connection), "raw-driver-connection");
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException closed) {
            // the test has ended
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            Wire wire = new Wire(connection);
            script.greet(wire);
            read(connection, PREFACE);
            while (true) {
                ByteBuffer head = read(connection, FRAME);
                int length = (head.get() & 0xFF) << 16 | (head.getShort() & 0xFFFF);
                int type = head.get();
                int flags = head.get();
                int stream = head.getInt();
                read(connection, length);
                if (type == SETTINGS && (flags & 1) == 0) {
                    wire.frame(SETTINGS, 1, 0, new byte[0]);
                } else if (type == DATA && (flags & END_STREAM) != 0) {
                    script.answer(wire, stream);
                }
            }
        } catch (IOException gone) {
            // who called has gone, or the script wants that
        } finally {
            open.remove(connection);
        }
    }

    private static ByteBuffer read(SocketChannel connection, int length) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(length);
        while (all.hasRemaining()) {
            if (connection.read(all) < 0) {
                throw new EOFException();
            }
        }
        return all.flip();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (SocketChannel connection : open) {
            connection.close();
        }
    }
}
