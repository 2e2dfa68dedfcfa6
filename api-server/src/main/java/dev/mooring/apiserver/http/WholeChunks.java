// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.util.Callback;

/**
 * A connection that writes the chunks of an answer whole. A chunk ends with a line break (RFC 9112, section 7.1). Jetty writes it with the next
 * chunk, and Python's client does not hand a chunk on before it has come: it would see each event of a watch when the next one comes.
 * Kubernetes' API server writes it at once. Used as the connection below is: one write at a time.
 */
public final class WholeChunks implements EndPoint, EndPoint.Wrapper {
    private static final byte[] LINE_BREAK = {'\r', '\n'};
    private static final byte HEAD = 'H'; // of HTTP/1.1; a chunk begins with a digit

    private final EndPoint end;
    private volatile boolean whole;
    private boolean ended;

    private WholeChunks(EndPoint end) {
        this.end = end;
    }

    /** HTTP/1.1 on connections that can write whole chunks. */
    public static HttpConnectionFactory http(HttpConfiguration configuration) {
        return new HttpConnectionFactory(configuration) {
            @Override
            public Connection newConnection(Connector connector, EndPoint endPoint) {
                return super.newConnection(connector, new WholeChunks(endPoint));
            }
        };
    }

    /** From now on chunks are written whole. The answer has to be chunked and the last one of its connection. */
    public static void begin(EndPoint connection) {
        if (connection instanceof WholeChunks chunks) {
            chunks.whole = true;
        }
    }

    @Override
    public void write(Callback callback, ByteBuffer... buffers) {
        end.write(callback, whole && buffers.length > 0 ? ended(buffers) : buffers);
    }

    private ByteBuffer[] ended(ByteBuffer... buffers) {
        ByteBuffer size = buffers[0];
        if (!size.hasRemaining() || size.get(size.position()) == HEAD) {
            return buffers;
        }
        if (ended && size.get(size.position()) == LINE_BREAK[0]) {
            size.position(size.position() + LINE_BREAK.length);
        }
        boolean isLast = Arrays.stream(buffers).skip(1).noneMatch(ByteBuffer::hasRemaining);
        ended = !isLast;
        if (isLast) {
            return buffers;
        }
        ByteBuffer[] all = Arrays.copyOf(buffers, buffers.length + 1);
        all[buffers.length] = ByteBuffer.wrap(LINE_BREAK);
        return all;
    }

    // ---- all else is that of the connection below ----

    @Override
    public EndPoint unwrap() {
        return end;
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return end.getLocalSocketAddress();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return end.getRemoteSocketAddress();
    }

    @Override
    public boolean isOpen() {
        return end.isOpen();
    }

    @Override
    public long getCreatedTimeStamp() {
        return end.getCreatedTimeStamp();
    }

    @Override
    public void shutdownOutput() {
        end.shutdownOutput();
    }

    @Override
    public boolean isOutputShutdown() {
        return end.isOutputShutdown();
    }

    @Override
    public boolean isInputShutdown() {
        return end.isInputShutdown();
    }

    @Override
    public void close() {
        end.close();
    }

    @Override
    public void close(Throwable cause) {
        end.close(cause);
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        return end.fill(buffer);
    }

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
        return end.flush(buffers);
    }

    @Override
    public Object getTransport() {
        return end.getTransport();
    }

    @Override
    public long getIdleTimeout() {
        return end.getIdleTimeout();
    }

    @Override
    public void setIdleTimeout(long milliseconds) {
        end.setIdleTimeout(milliseconds);
    }

    @Override
    public void fillInterested(Callback callback) {
        end.fillInterested(callback);
    }

    @Override
    public boolean tryFillInterested(Callback callback) {
        return end.tryFillInterested(callback);
    }

    @Override
    public boolean isFillInterested() {
        return end.isFillInterested();
    }

    @Override
    public Callback cancelWrite(Throwable cause) {
        return end.cancelWrite(cause);
    }

    @Override
    public Connection getConnection() {
        return end.getConnection();
    }

    @Override
    public void setConnection(Connection connection) {
        end.setConnection(connection);
    }

    @Override
    public void onOpen() {
        end.onOpen();
    }

    @Override
    public void onClose(Throwable cause) {
        end.onClose(cause);
    }

    @Override
    public void upgrade(Connection connection) {
        end.upgrade(connection);
    }

    @Override
    public SslSessionData getSslSessionData() {
        return end.getSslSessionData();
    }

    @Override
    public boolean isSecure() {
        return end.isSecure();
    }

    @Override
    public String toString() {
        return end.toString();
    }
}
