// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** A connection to a server as its kubeconfig says. */
final class TlsConnection implements AutoCloseable {
    private final Socket plain;
    private final SSLSocket socket;

    /**
     * Connects.
     *
     * @param patienceMillis how long the server may be silent while something is read
     */
    TlsConnection(ServerKubeconfig config, int patienceMillis) throws IOException {
        plain = new Socket(InetAddress.getLoopbackAddress(), config.port());
        socket = (SSLSocket) config.tls().getSocketFactory().createSocket(plain, "127.0.0.1", config.port(), true);
        socket.setSoTimeout(patienceMillis);
    }

    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    /** Says that nothing more will be asked, as a client does that goes away. */
    void leave() throws IOException {
        socket.shutdownOutput();
    }

    /** Without a good-bye: TLS would wait for the other side's. */
    @Override
    public void close() throws IOException {
        plain.close();
    }
}
