// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A caller of a driver that writes its frames by hand, so that they may be wrong. */
final class NonsenseCaller implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int NEVER_OPENED = 99;

    private final SocketChannel channel;
    private final DataInputStream answers;

    NonsenseCaller(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        answers = new DataInputStream(Channels.newInputStream(channel));
        send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    private void send(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    private void send(int type, int flags, int stream, byte[] content) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(frame);
        out.writeInt(content.length << 8 | type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(content);
        send(frame.toByteArray());
    }

    private static void header(ByteArrayOutputStream headers, String name, String value) {
        headers.write(0); // in words, not to be remembered
        for (String each : new String[] {name, value}) {
            headers.write(each.length());
            headers.writeBytes(each.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Begins a call of Probe with this in place of its message. */
    void probeWith(byte[] message) throws IOException {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        header(headers, ":method", "POST");
        header(headers, ":scheme", "http");
        header(headers, ":path", "/csi.v1.Identity/Probe");
        header(headers, ":authority", "localhost");
        header(headers, "content-type", "application/grpc");
        header(headers, "te", "trailers");
        send(HEADERS, END_HEADERS, 1, headers.toByteArray());
        send(DATA, END_STREAM, 1, message);
    }

    /** Waits for the answer to the call. */
    void awaitAnswer() throws IOException {
        int type;
        do {
            int lengthAndType = answers.readInt();
            type = lengthAndType & 0xff;
            answers.readByte();
            answers.readInt();
            answers.readNBytes(lengthAndType >>> 8);
        } while (type != HEADERS);
    }

    /** Writes to a stream that was never opened, after which a server ends the connection. */
    void breakTheConnection() throws IOException {
        send(DATA, 0, NEVER_OPENED, new byte[] {1});
    }

    /** Waits until the server has ended the connection. */
    void awaitEnd() throws IOException {
        answers.transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
